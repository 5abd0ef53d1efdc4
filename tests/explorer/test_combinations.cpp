#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <set>

#include "explorer/search/search.hpp"
#include "explorer/search/value_schedules.hpp"
#include "explorer/search/wakeup_trees.hpp"
#include "explorer/trace/trace.hpp"
#include "tests/explorer/tiny_machine.hpp"

// Every complete way to search against brute force.
namespace lockwood::explorer::tiny {
namespace {

class Collected final : public Listener {
 public:
  explicit Collected(const TinyMachine& machine) : machine_{machine} {}
  void visit(const Machine& machine) override {
    if (is_final(machine)) finals.insert(machine_.state());
  }
  std::set<State> finals;

 private:
  const TinyMachine& machine_;
};

// Everything in any order, for a guide that knows nothing.
class AnyGuide final : public Guide {
 public:
  std::uint64_t priority(const Machine& /*machine*/, std::size_t node, ThreadId thread) override {
    return (node * 7 + thread.index() * 3) % 5;
  }
  void reached(std::size_t /*from*/, ThreadId /*thread*/, std::size_t /*to*/) override {}
};

class Combinations {
 public:
  Combinations(const Program& program, const Truth& truth)
      : program_{program}, truth_{truth}, control_{program}, knowledge_{{}, {&control_}, {&control_, &exact_}} {
    if (truth.states > 400) knowledge_.pop_back();
  }

  // Searches that agree.
  std::size_t run() {
    for (const std::vector<Oracle*>& oracles : knowledge_) {
      for (Order order : {Order::DepthFirst, Order::BreadthFirst, Order::Preemptions, Order::Guided})
        for (Reduction reduction : {Reduction::None, Reduction::Frozen})
          for (StoreKind store : {StoreKind::Exact, StoreKind::Hash128}) stateful(oracles, order, reduction, store);
      for (bool match : {true, false}) by_values(oracles, match);
    }
    by_runs(source_set_search);
    by_runs(wakeup_tree_search);
    return searches_;
  }

 private:
  void stateful(const std::vector<Oracle*>& oracles, Order order, Reduction reduction, StoreKind store) {
    TinyMachine machine{program_};
    Collected collected{machine};
    AnyGuide guide;
    SearchOptions options{.order = order,
                          .reduction = reduction,
                          .store = {.kind = store},
                          .listener = &collected,
                          .guide = order == Order::Guided ? &guide : nullptr,
                          .max_unstored = 7};
    options.oracles = oracles;
    const SearchResult result = search(machine, options);
    REQUIRE(result.is_complete() == (store == StoreKind::Exact));
    check(result, collected);
  }
  void by_values(const std::vector<Oracle*>& oracles, bool match) {
    TinyMachine machine{program_};
    Collected collected{machine};
    ValueScheduleOptions options{.listener = &collected,
                                 .match = match,
                                 .max_states = match ? 1'000'000U : 5'000U,
                                 .max_depth = match ? std::numeric_limits<std::size_t>::max() : 60,
                                 .max_path = 7};
    options.oracles = oracles;
    const SearchResult result = value_schedule_search(machine, options).search;
    if (!match && !result.is_complete()) return;  // runs that do not end
    REQUIRE(result.is_complete());
    check(result, collected);
  }
  template <class Search>
  void by_runs(Search search) {
    TinyMachine machine{program_};
    Collected collected{machine};
    const SearchResult result =
        search(machine, {.listener = &collected, .max_depth = 60, .max_executions = 1000}).search;
    if (result.is_complete()) check(result, collected);
  }
  void check(const SearchResult& result, const Collected& collected) {
    ++searches_;
    std::set<ObservationKey> observations;
    for (const Finding& finding : result.findings) {
      observations.insert(key_of(finding.observation));
      TinyMachine again{program_};
      REQUIRE(replay(again, finding.run));
    }
    REQUIRE(collected.finals == truth_.finals);
    REQUIRE(observations == truth_.observations);
  }

  const Program& program_;
  const Truth& truth_;
  ControlOracle control_;
  ExactOracle exact_;
  std::vector<std::vector<Oracle*>> knowledge_;
  std::size_t searches_ = 0;
};

struct Reached {
  std::size_t programs = 0;
  std::size_t searches = 0;
};

// Until so many programs were compared, or the time is over.
Reached compare_all(std::uint64_t first, std::size_t programs, std::chrono::seconds time) {
  const auto begin = std::chrono::steady_clock::now();
  Reached reached;
  for (std::uint64_t seed = first; reached.programs < programs; ++seed) {
    if (std::chrono::steady_clock::now() - begin > time) break;
    const Program program = random_program(seed, {.instructions = 3 + seed % 7});
    const Truth truth = brute_force(program, 1000);
    if (!truth.complete) continue;
    CAPTURE(seed);
    CAPTURE(to_text(program));
    reached.searches += Combinations{program, truth}.run();
    ++reached.programs;
  }
  return reached;
}

}  // namespace

TEST_CASE("all combinations find what brute force finds") {
  const Reached reached = compare_all(0, 150, std::chrono::hours{1});
  CHECK(reached.programs == 150);
  CHECK(reached.searches > 150 * 40);
}

// For as long as it takes, or for LOCKWOOD_SECONDS.
TEST_CASE("all combinations find what brute force finds, on many programs [full]") {
  const char* seconds = std::getenv("LOCKWOOD_SECONDS");
  const std::chrono::seconds time{seconds != nullptr ? std::atol(seconds) : 24 * 3600L};
  const Reached reached = compare_all(5'000'000, 100'000, time);
  MESSAGE("programs ", reached.programs, ", searches ", reached.searches);
}

}  // namespace lockwood::explorer::tiny
