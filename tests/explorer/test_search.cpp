#include <doctest/doctest.h>

#include <set>

#include "explorer/search/search.hpp"
#include "tests/explorer/tiny_machine.hpp"

namespace lockwood::explorer::tiny {
namespace {

// Collects the final states that a search visits.
class Finals final : public Listener {
 public:
  explicit Finals(const TinyMachine& machine) : machine_{machine} {}
  void visit(const Machine& machine) override {
    if (is_final(machine)) states.insert(machine_.state());
  }
  std::set<State> states;

 private:
  const TinyMachine& machine_;
};

enum class Knowledge { Nothing, Control, Everything };

struct Mode {
  const char* name;
  Order order = Order::DepthFirst;
  Reduction reduction = Reduction::Frozen;
  Knowledge knowledge = Knowledge::Nothing;
  StoreKind store = StoreKind::Exact;
};

const std::vector<Mode> complete_modes{
    {.name = "none dfs", .reduction = Reduction::None},
    {.name = "none bfs", .order = Order::BreadthFirst, .reduction = Reduction::None},
    {.name = "none preemptions", .order = Order::Preemptions, .reduction = Reduction::None},
    {.name = "frozen dfs"},
    {.name = "frozen dfs hash128", .store = StoreKind::Hash128},
    {.name = "frozen bfs", .order = Order::BreadthFirst},
    {.name = "frozen bfs hash64", .order = Order::BreadthFirst, .store = StoreKind::Hash64},
    {.name = "frozen control dfs", .knowledge = Knowledge::Control},
    {.name = "frozen control dfs bits", .knowledge = Knowledge::Control, .store = StoreKind::Bits},
    {.name = "frozen control bfs", .order = Order::BreadthFirst, .knowledge = Knowledge::Control},
    {.name = "frozen control preemptions", .order = Order::Preemptions, .knowledge = Knowledge::Control},
    {.name = "frozen exact dfs", .knowledge = Knowledge::Everything},
    {.name = "frozen exact bfs", .order = Order::BreadthFirst, .knowledge = Knowledge::Everything}};

struct Outcome {
  std::set<State> finals;
  std::set<ObservationKey> observations;
  SearchResult result;
};

Outcome outcome_of(const Program& program, const Mode& mode,
                   const DependenceTable& table = DependenceTable::complete()) {
  TinyMachine machine{program};
  ControlOracle control{program};
  ExactOracle exact;
  Finals finals{machine};
  SearchOptions options{.order = mode.order,
                        .reduction = mode.reduction,
                        .store = {.kind = mode.store, .bits = std::size_t{1} << 20U},
                        .dependence = table,
                        .listener = &finals,
                        .max_unstored = 7};
  if (mode.knowledge == Knowledge::Control) options.oracles = {&control};
  if (mode.knowledge == Knowledge::Everything) options.oracles = {&exact};
  Outcome outcome;
  outcome.result = search(machine, options);
  outcome.finals = finals.states;
  for (const Finding& finding : outcome.result.findings) outcome.observations.insert(key_of(finding.observation));
  return outcome;
}

// The run of each finding leads to a state that has it.
bool replays(const Program& program, const SearchResult& result) {
  for (const Finding& finding : result.findings) {
    TinyMachine machine{program};
    for (const Step& step : finding.run) {
      if (!view(machine, step.thread).enabled) return false;
      machine.step(step);
    }
    bool found = false;
    for (const Observation& observation : observations(machine, {}))
      found = found || key_of(observation) == key_of(finding.observation);
    if (!found) return false;
  }
  return true;
}

bool agrees(const Truth& truth, const Outcome& outcome) {
  return truth.finals == outcome.finals && truth.observations == outcome.observations;
}

constexpr std::size_t max_states = 3000;

struct Shares {
  std::size_t programs = 0, left_out = 0, races = 0, cycles = 0, blocked = 0, assertions = 0, exceptions = 0,
              finals = 0;
  std::size_t states = 0, all = 0, nothing = 0, control = 0, exact = 0;
};

void compare(std::uint64_t first, std::uint64_t last, Shares& shares) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    const Program program = random_program(seed, {.instructions = 4 + seed % 9});
    const Truth truth = brute_force(program, max_states);
    ++shares.programs;
    if (!truth.complete) {
      ++shares.left_out;
      continue;
    }
    std::array<bool, 5> has{};
    for (const ObservationKey& key : truth.observations) has.at(key.property) = true;
    shares.races += has[0] ? 1U : 0U;
    shares.cycles += has[1] ? 1U : 0U;
    shares.blocked += has[2] ? 1U : 0U;
    shares.assertions += has[3] ? 1U : 0U;
    shares.exceptions += has[4] ? 1U : 0U;
    shares.finals += truth.finals.size() > 1 ? 1U : 0U;
    shares.states += truth.states;
    CAPTURE(seed);
    CAPTURE(to_text(program));
    for (const Mode& mode : complete_modes) {
      if (mode.knowledge == Knowledge::Everything && truth.states > 400) continue;
      CAPTURE(mode.name);
      const Outcome outcome = outcome_of(program, mode);
      REQUIRE(truth.finals == outcome.finals);
      REQUIRE(truth.observations == outcome.observations);
      REQUIRE(replays(program, outcome.result));
      REQUIRE(outcome.result.is_complete() == (mode.store == StoreKind::Exact));
      const std::string name = mode.name;
      if (name == "none dfs") shares.all += outcome.result.counters.states;
      if (name == "frozen dfs") shares.nothing += outcome.result.counters.states;
      if (name == "frozen control dfs") shares.control += outcome.result.counters.states;
    }
  }
}

}  // namespace

TEST_CASE("every complete mode finds what brute force finds") {
  Shares shares;
  compare(0, 1500, shares);
  MESSAGE("programs ", shares.programs, ", too large ", shares.left_out, ", with races ", shares.races, ", cycles ",
          shares.cycles, ", blocked ", shares.blocked, ", assertions ", shares.assertions, ", exceptions ",
          shares.exceptions, ", several finals ", shares.finals, "; states by instruction ", shares.states, ", none ",
          shares.all, ", frozen ", shares.nothing, ", with control ", shares.control);
  // The generator is worth its name only if it makes each of these often.
  const std::size_t decided = shares.programs - shares.left_out;
  for (std::size_t share : {shares.races, shares.cycles, shares.blocked, shares.assertions, shares.exceptions})
    CHECK(50 * share >= decided);
  CHECK(10 * shares.left_out <= shares.programs);
}

TEST_CASE("every complete mode finds what brute force finds, on many programs [full]") {
  Shares shares;
  compare(1'000'000, 1'100'000, shares);
  MESSAGE("programs ", shares.programs, ", too large ", shares.left_out);
}

TEST_CASE("shards together visit everything") {
  std::size_t shared = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Program program = random_program(seed, {.threads = 4, .instructions = 10});
    const Truth truth = brute_force(program, max_states);
    if (!truth.complete) continue;
    CAPTURE(seed);
    CAPTURE(to_text(program));
    constexpr std::size_t count = 3;
    std::vector<SearchResult> results;
    std::set<State> ends;
    for (std::size_t index = 0; index < count; ++index) {
      TinyMachine machine{program};
      ControlOracle control{program};
      Finals finals{machine};
      SearchOptions options{.order = seed % 2 == 0 ? Order::BreadthFirst : Order::Preemptions,
                            .reduction = seed % 3 == 0 ? Reduction::Frozen : Reduction::None,
                            .listener = &finals,
                            .shard = {index, count}};
      options.oracles = {&control};
      results.push_back(search(machine, options));
      ends.insert(finals.states.begin(), finals.states.end());
    }
    shared += results[0].omissions.shards ? 1U : 0U;
    const SearchResult all = merged(results, count);
    REQUIRE(all.is_complete());
    std::set<ObservationKey> found;
    for (const Finding& finding : all.findings) found.insert(key_of(finding.observation));
    REQUIRE(ends == truth.finals);
    REQUIRE(found == truth.observations);
    if (!results[0].omissions.shards) continue;
    REQUIRE(!results[0].is_complete());
    results.pop_back();
    REQUIRE(!merged(results, count).is_complete());
  }
  MESSAGE("programs that were shared ", shared);
  CHECK(shared > 20);
}

// Two threads wait and are notified together: who takes the monitor first decides.
Program two_notified() {
  const std::vector<Instruction> waiter{{Op::Enter, 0},     {Op::Wait, 0},     {Op::Read, 0, 0},
                                        {Op::Add, 0, 0, 1}, {Op::Write, 0, 0}, {Op::Exit, 0}};
  std::vector<Instruction> other = waiter;
  other[3] = {Op::Set, 0, 0, 2};
  return {
      .variables = 1,
      .monitors = 1,
      .threads = {{{Op::Start, 1}, {Op::Start, 2}, {Op::Enter, 0}, {Op::NotifyAll, 0}, {Op::Exit, 0}}, waiter, other}};
}

bool is_noticed(const Program& program, const DependenceTable& table) {
  const Truth truth = brute_force(program, 400);
  if (!truth.complete) return false;
  return !agrees(truth, outcome_of(program, {.name = "", .knowledge = Knowledge::Control}, table)) ||
         !agrees(truth, outcome_of(program, {.name = "", .knowledge = Knowledge::Everything}, table));
}

TEST_CASE("a dependence table without one of its entries is noticed") {
  const DependenceTable complete = DependenceTable::complete();
  for (std::size_t i = 0; i < action_kinds; ++i) {
    for (std::size_t j = 0; j < action_kinds; ++j) {
      const auto kind = static_cast<ActionKind>(i);
      const auto other = static_cast<ActionKind>(j);
      if (!complete[kind].contains(other)) continue;
      const DependenceTable table = complete.without(kind, other);
      bool noticed = is_noticed(two_notified(), table);
      std::uint64_t seed = 0;
      while (!noticed && seed < 10'000)
        noticed =
            is_noticed(random_program(seed++, {.threads = 3, .instructions = 5, .variables = 1, .monitors = 1}), table);
      MESSAGE(std::string{to_string(kind)}, " without ", std::string{to_string(other)}, ": programs ", seed);
      CHECK(noticed);
    }
  }
}

}  // namespace lockwood::explorer::tiny
