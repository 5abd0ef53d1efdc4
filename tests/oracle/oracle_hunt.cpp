// oracle_hunt [--seed S] [--verdicts N] [--queries Q] [--differences D] [--joins 1]
//
// Compares the solver with brute force on random models, in many ways each, until N verdicts were compared or D
// differences were found. Prints what it compared, and each difference on the smallest model that shows it, as a .dpn
// file with the query. With --joins 1, the models have groups and joins, and what exploration cannot decide is compared
// between ways to solve only. The same seed gives the same models on every platform. Exit status: 0 if there is no
// difference, 1 if there is one, 2 if the arguments are wrong.
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/shrink.hpp"
#include "solver/analyses/mhp.hpp"
#include "solver/query/query_problem.hpp"
#include "tests/oracle/joins.hpp"
#include "tests/oracle/solver/shrunk_error.hpp"
#include "tests/oracle/state_space.hpp"
#include "tests/oracle/ways_to_solve.hpp"
#include "tests/oracle/wide_model.hpp"

using namespace lockwood;

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t verdicts = 30'000;
  std::uint64_t queries = 4;      // about each model
  std::uint64_t differences = 5;  // that are shown before it gives up
  std::uint64_t joins = 0;        // 1: on models with groups
};

std::optional<Options> options_of(int count, char** arguments) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = arguments[i];
    std::uint64_t* number = name == "--seed"          ? &options.seed
                            : name == "--verdicts"    ? &options.verdicts
                            : name == "--queries"     ? &options.queries
                            : name == "--differences" ? &options.differences
                            : name == "--joins"       ? &options.joins
                                                      : nullptr;
    const char* end = arguments[i + 1] + std::strlen(arguments[i + 1]);
    if (number == nullptr || std::from_chars(arguments[i + 1], end, *number).ptr != end) return std::nullopt;
  }
  if (count % 2 == 0 || options.queries == 0) return std::nullopt;
  return options;
}

class Hunt {
 public:
  explicit Hunt(const Options& options) : options_{options} {}

  int run() {
    if (options_.joins != 0) return run_with_joins();
    for (std::uint64_t model = 0; !over(); ++model) {
      const std::uint64_t seed = options_.seed * 1'000'000'000 + model;
      const dpn::Network network = oracle::wide_network(seed);
      ++models_;
      for (std::uint64_t i = 0; i < options_.queries && !over(); ++i) ask(network, seed * options_.queries + i);
      if (model % 4 == 0) compare_pairs(network, seed);
    }
    tell();
    return differences_ == 0 ? 0 : 1;
  }

  int run_with_joins() {
    oracle::JoinTally tally;
    for (std::uint64_t model = 0; !over(); ++model) {
      const std::uint64_t seed = options_.seed * 1'000'000'000 + model;
      const dpn::Network network = oracle::network_with_joins(seed);
      for (std::uint64_t i = 0; i < options_.queries && !over(); ++i) {
        const std::uint64_t question = seed * options_.queries + i;
        const dpn::Query query = oracle::query_with_joins(network, question);
        const auto flaw = oracle::wrong_answer_with_joins(network, query, questions_++, tally);
        verdicts_ = tally.verdicts;
        if (flaw) report(question, *flaw);
      }
      ++models_;
    }
    std::ostringstream text;
    text << tally;
    std::printf("seed %llu, with joins: %zu models, %zu questions, %zu differences\n%s\n",
                static_cast<unsigned long long>(options_.seed), models_, questions_, differences_, text.str().c_str());
    return differences_ == 0 ? 0 : 1;
  }

 private:
  [[nodiscard]] bool over() const { return verdicts_ >= options_.verdicts || differences_ >= options_.differences; }

  void ask(const dpn::Network& network, std::uint64_t seed) {
    const dpn::Query query = oracle::wide_query(network, seed);
    const solver::Problem plain = solver::problem_of(query);
    const std::vector<oracle::Way> ways = oracle::ways_to_solve(questions_++);
    const auto flaw_of = [&](const dpn::Network& candidate, const solver::Problem& problem) {
      const dpn::Verdict truth = decided(candidate, problem);
      return truth == dpn::Verdict::Unknown ? std::nullopt
                                            : oracle::wrong_answer(candidate, problem, truth, ways, verdicts_);
    };
    if (questions_ % 6 == 0) {
      compare(network, oracle::with_lock_goals(network, plain, seed), seed,
              [&](const auto& problem) { return solver::shrunk_error(network, problem, flaw_of); });
      return;
    }
    compare(network, plain, seed, [&](const auto&) {
      return solver::shrunk_error(network, query, [&](const dpn::Network& candidate, const dpn::Query& question) {
        return flaw_of(candidate, solver::problem_of(question));
      });
    });
  }

  // Shrinks what is wrong. What is compared meanwhile does not count.
  template <class Shrink>
  void compare(const dpn::Network& network, const solver::Problem& problem, std::uint64_t seed, const Shrink& shrink) {
    const dpn::Verdict truth = decided(network, problem);
    if (truth == dpn::Verdict::Unknown) {
      ++skipped_;
      return;
    }
    ++(truth == dpn::Verdict::Reachable ? reachable_ : unreachable_);
    const auto begin = Clock::now();
    const auto flaw = oracle::wrong_answer(network, problem, truth, oracle::ways_to_solve(questions_ - 1), verdicts_);
    solving_ += Clock::now() - begin;
    if (!flaw) return;
    const std::size_t compared = verdicts_;
    const auto small = shrink(problem);
    verdicts_ = compared;
    report(seed, small.value_or(*flaw + ", which is gone when it is asked again"));
  }

  // Pairs are one verdict: what they are made of is the same run.
  void compare_pairs(const dpn::Network& network, std::uint64_t seed) {
    const oracle::Pairs expected = oracle::parallel_pairs(network, dpn::Semantics::LockSensitive);
    if (!expected.complete) return;
    const solver::MhpAnswer answer = solver::parallel_pairs(network);
    std::vector<std::pair<dpn::StackSymbol, dpn::StackSymbol>> pairs;
    for (const solver::ParallelPair& pair : answer.pairs) pairs.emplace_back(pair.first, pair.second);
    ++verdicts_;
    ++pair_tables_;
    if (pairs != expected.pairs) report(seed, "other parallel pairs, on\n" + dpn::to_dpn(network, {}));
  }

  dpn::Verdict decided(const dpn::Network& network, const solver::Problem& problem) {
    const auto begin = Clock::now();
    const oracle::Outcome outcome = oracle::decide(network, problem);
    exploring_ += Clock::now() - begin;
    states_ += outcome.states;
    return outcome.verdict;
  }

  void report(std::uint64_t seed, const std::string& what) {
    ++differences_;
    std::printf("difference %zu, after %zu verdicts, seed of the question %llu: %s\n", differences_, verdicts_,
                static_cast<unsigned long long>(seed), what.c_str());
    std::fflush(stdout);
  }

  void tell() const {
    const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
    const auto rate = [](std::size_t count, double time) { return static_cast<double>(count) / std::max(time, 1e-6); };
    std::printf("seed %llu: %zu models, %zu questions, %zu verdicts, %zu differences\n",
                static_cast<unsigned long long>(options_.seed), models_, questions_, verdicts_, differences_);
    std::printf("questions: %zu reachable, %zu unreachable, %zu skipped as too large; %zu tables of parallel pairs\n",
                reachable_, unreachable_, skipped_, pair_tables_);
    std::printf("brute force: %zu states in %.1f s, %.0f states/s; solver: %.1f s, %.0f verdicts/s\n", states_,
                seconds(exploring_), rate(states_, seconds(exploring_)), seconds(solving_),
                rate(verdicts_, seconds(solving_)));
  }

  Options options_;
  std::size_t models_ = 0;
  std::size_t questions_ = 0;
  std::size_t verdicts_ = 0;
  std::size_t differences_ = 0;
  std::size_t reachable_ = 0;
  std::size_t unreachable_ = 0;
  std::size_t skipped_ = 0;
  std::size_t pair_tables_ = 0;
  std::size_t states_ = 0;
  Clock::duration exploring_{};
  Clock::duration solving_{};
};

}  // namespace

int main(int count, char** arguments) {
  const auto options = options_of(count, arguments);
  if (!options) {
    std::fputs("usage: oracle_hunt [--seed S] [--verdicts N] [--queries Q] [--differences D] [--joins 1]\n", stderr);
    return 2;
  }
  return Hunt{*options}.run();
}
