// Reductions, domains and jobs change how long an answer takes, and nothing else: every combination of them is tried.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/generators/random_query.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/problem_json.hpp"
#include "solver/reduction/reduction.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/random_problem.hpp"
#include "tests/oracle/solver/shrunk_error.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

constexpr std::array<bool Reductions::*, 6> all_reductions{&Reductions::rules,  &Reductions::spawns,
                                                           &Reductions::locks,  &Reductions::procedures,
                                                           &Reductions::chains, &Reductions::goals};
constexpr std::array<const char*, all_reductions.size()> reduction_names{"rules",      "spawns", "locks",
                                                                         "procedures", "chains", "goals"};
constexpr std::array<DomainChoice, 3> all_domains{DomainChoice::Explicit, DomainChoice::Zdd, DomainChoice::Auto};
constexpr std::array<const char*, all_domains.size()> domain_names{"explicit", "zdd", "auto"};
constexpr std::array<std::size_t, 3> all_jobs{1, 2, 3};
constexpr std::size_t subset_count = std::size_t{1} << all_reductions.size();
constexpr std::size_t combination_count = subset_count * all_domains.size() * all_jobs.size();

// A way to decide a problem, by a number below combination_count. Every frontier is large enough to be divided, and
// families take over as soon as two structures are incomparable.
struct Combination {
  std::size_t number;

  [[nodiscard]] bool has(std::size_t reduction) const { return ((number >> reduction) & 1U) != 0; }
  [[nodiscard]] std::size_t domain() const { return number / subset_count % all_domains.size(); }
  [[nodiscard]] std::size_t jobs() const { return all_jobs[number / subset_count / all_domains.size()]; }
  [[nodiscard]] SolveOptions options(WitnessChoice choice) const {
    SolveOptions options{.witness = choice,
                         .domain = all_domains[domain()],
                         .many_structures = 1,
                         .reductions = Reductions::none(),
                         .jobs = jobs(),
                         .large_frontier = 1};
    for (std::size_t i = 0; i < all_reductions.size(); ++i) options.reductions.*all_reductions[i] = has(i);
    return options;
  }
  [[nodiscard]] std::string text() const {
    std::string reductions;
    for (std::size_t i = 0; i < all_reductions.size(); ++i)
      if (has(i)) reductions += std::string{" "} + reduction_names[i];
    return " with the reductions {" + reductions + " }, the domain " + domain_names[domain()] + " and jobs " +
           std::to_string(jobs());
  }
};

// Goes through all combinations again and again, neighbours being unlike each other, so that no family of models that
// comes back at regular intervals meets the same ones every time.
class Turn {
 public:
  std::vector<Combination> next(std::size_t count) {
    constexpr std::size_t stride = 241;  // a prime that does not divide the number of combinations
    static_assert(combination_count % stride != 0);
    std::vector<Combination> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back({turn_++ * stride % combination_count});
    return result;
  }
  // How often each one came at least.
  [[nodiscard]] std::size_t rounds() const { return turn_ / combination_count; }

 private:
  std::size_t turn_ = 0;
};

struct Tally {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t sizes = 0;  // of witnesses that were compared
  std::size_t families = 0;
  std::size_t divided = 0;  // problems with more than one job
  Turn turn;
};

// Cuts weigh nothing: a witness may have more of them than another and be as good.
std::size_t size_without_cuts(const ExecutionTree& tree) {
  std::size_t size = 0;
  for (NodeId node : tree.nodes())
    if (tree.kind(node) != NodeKind::Cut) ++size;
  return size;
}

// solve() replays each witness, and throws if it does not replay.
std::optional<std::string> difference(const Network& network, const Problem& problem,
                                      const std::vector<Combination>& combinations, WitnessChoice choice,
                                      Tally* tally) {
  const Answer plain =
      solve(network, problem, {.witness = choice, .domain = DomainChoice::Explicit, .reductions = Reductions::none()});
  if (plain.verdict == Verdict::Unknown) return "no verdict with nothing left out";
  for (const Combination& combination : combinations) {
    const Answer answer = solve(network, problem, combination.options(choice));
    if (answer.verdict != plain.verdict) return "another verdict" + combination.text();
    if (answer.witness.has_value() != plain.witness.has_value()) return "no witness" + combination.text();
    const bool comparable = answer.witness && answer.witness->best;
    if (comparable && size_without_cuts(answer.witness->tree) != size_without_cuts(plain.witness->tree))
      return "a witness of another size" + combination.text();
    if (answer.witness && !comparable && answer.domain == DomainChoice::Explicit && combination.domain() == 0)
      return "a witness that need not be the smallest" + combination.text();
    if (tally == nullptr) continue;
    if (comparable) ++tally->sizes;
    if (answer.domain == DomainChoice::Zdd) ++tally->families;
    if (combination.jobs() > 1) ++tally->divided;
  }
  if (tally != nullptr) ++(plain.verdict == Verdict::Reachable ? tally->reachable : tally->unreachable);
  return std::nullopt;
}

void compare(const Network& network, const Problem& problem, std::uint64_t seed, Tally& tally) {
  const auto choice = seed % 3 == 0 ? WitnessChoice::FewestThreads : WitnessChoice::Smallest;
  const std::vector<Combination> combinations = tally.turn.next(8);
  const bool observed =
      std::ranges::any_of(problem.phases, [](const Phase& phase) { return !phase.observers.empty(); });
  if (observed) {
    CAPTURE(to_dpn(network, {}));
    CAPTURE(problem_json(network, problem).dump());
    const auto flaw = difference(network, problem, combinations, choice, &tally);
    REQUIRE_MESSAGE(!flaw, *flaw);
    return;
  }
  bool first = true;
  const auto flaw = shrunk_error(network, problem, [&](const Network& candidate, const Problem& question) {
    return difference(candidate, question, combinations, choice, std::exchange(first, false) ? &tally : nullptr);
  });
  REQUIRE_MESSAGE(!flaw, *flaw);
}

Tally compare_all(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  const auto compare_random = [&](const Network& network, std::uint64_t seed) {
    Problem problem = random_problem(network, seed);
    problem.collect.reset();
    compare(network, problem, seed, tally);
    compare(network, in_three_phases(network, problem, seed), seed, tally);
    if (seed % 4 == 0) compare(network, observed(network, problem, seed), seed, tally);
  };
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    compare(network, problem_of(random_query(network, seed)), seed, tally);
    compare_random(network, seed);
    const Network program = lock_program(seed);
    compare(program, problem_of(lock_query(program, seed)), seed, tally);
    compare_random(program, seed);
  }
  return tally;
}

}  // namespace

TEST_CASE("answers are the same with every combination of reductions, domains and jobs") {
  const Tally tally = compare_all(0, 150);
  CHECK(tally.turn.rounds() > 10);
  CHECK(tally.reachable > 150);
  CHECK(tally.unreachable > 150);
  CHECK(tally.sizes > 750);
  CHECK(tally.families > 1000);
  CHECK(tally.divided > 2000);
}

TEST_CASE("[full] many answers are the same with every combination of reductions, domains and jobs") {
  const Tally tally = compare_all(150, 1000);
  CHECK(tally.turn.rounds() > 60);
}
