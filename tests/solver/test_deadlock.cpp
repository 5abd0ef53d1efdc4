#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "solver/analyses/deadlock.hpp"
#include "tests/oracle/solver/all_configurations.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

// Cycles by the definition: in some configuration, follow who holds what whom wants.
class Cycles {
 public:
  explicit Cycles(const Network& network) : network_{network} {}

  void look(const Configuration& configuration) {
    for (ThreadId thread : configuration.threads.keys())
      for (Lock lock : held_locks(configuration.threads[thread])) follow(configuration, {thread}, {lock});
  }
  [[nodiscard]] const std::set<std::vector<Lock>>& found() const { return found_; }

 private:
  void follow(const Configuration& configuration, const std::vector<ThreadId>& threads,
              const std::vector<Lock>& locks) {
    for (Lock wanted : wanted_by(configuration.threads[threads.back()])) {
      if (wanted == locks.front()) {
        std::vector<Lock> cycle = locks;
        std::rotate(cycle.begin(), std::ranges::min_element(cycle), cycle.end());
        found_.insert(cycle);
      }
      for (ThreadId other : configuration.threads.keys())
        if (!std::ranges::count(threads, other) && !std::ranges::count(locks, wanted) &&
            hold_count(configuration.threads[other], wanted) > 0) {
          auto more_threads = threads;
          auto more_locks = locks;
          more_threads.push_back(other);
          more_locks.push_back(wanted);
          follow(configuration, more_threads, more_locks);
        }
    }
  }
  [[nodiscard]] std::vector<Lock> wanted_by(const Thread& thread) const {
    std::vector<Lock> wanted;
    if (thread.ended()) return wanted;
    for (RuleId rule : network_.rules_from(thread.head()))
      if (const auto* monitor = std::get_if<Monitor>(&network_.rule(rule).effect))
        if (hold_count(thread, monitor->lock) == 0) wanted.push_back(monitor->lock);
    return wanted;
  }

  const Network& network_;
  std::set<std::vector<Lock>> found_;
};

}  // namespace

TEST_CASE("the cycles found are those of all configurations") {
  std::size_t compared = 0;
  std::size_t cycles = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Network network = lock_program(seed);
    const auto configurations = reference::all_configurations(network, Semantics::LockSensitive, 3000);
    if (!configurations) continue;
    Cycles expected{network};
    for (const Configuration& configuration : *configurations) expected.look(configuration);
    std::set<std::vector<Lock>> found;
    for (const LockCycle& cycle : find_deadlocks(network).cycles) {
      if (cycle.answer.verdict == Verdict::Reachable) found.insert(cycle.shape.locks);
      if (cycle.answer.verdict == Verdict::Unreachable) ++refuted;
    }
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {}));
    REQUIRE(found == expected.found());
    ++compared;
    cycles += found.size();
  }
  MESSAGE(compared << " networks, " << cycles << " cycles, " << refuted << " refuted");
  CHECK(compared > 60);
  CHECK(cycles > 5);
  CHECK(refuted > 2);
}

TEST_CASE("a place at which threads are in several control states is one place") {
  const ModelFile file = parse_dpn(R"(dpn { initial (p, a) rules {
      (p, a) -- s --> (p, b :> p, t)  (p, b) -- get - x --> (p, c, e)  (p, b) -- get - x --> (q, c, e)
      (p, c) -- step --> (p, d)  (q, c) -- step --> (q, d)  (p, c) -- step --> (p, f)
      (p, d) -- get - y --> (p, g, h)  (q, d) -- get - y --> (p, g, h)  (p, f) -- get - y --> (p, g, h)
      (p, t) -- get - y --> (p, u, e)  (p, u) -- get - x --> (p, g, h) } })",
                                   "text");
  const Deadlocks found =
      find_deadlocks(file.network, {.place_of = [](StackSymbol) { return std::size_t{0}; }, .solving = {}});
  REQUIRE(found.cycles.size() == 1);
  CHECK(found.cycles.front().answer.verdict == Verdict::Reachable);
  std::vector<std::size_t> sizes;
  for (const auto& place : found.cycles.front().places) {
    CHECK(std::ranges::is_sorted(place));
    CHECK(std::set<StackSymbol>(place.begin(), place.end()).size() == place.size());
    sizes.push_back(place.size());
  }
  std::ranges::sort(sizes);
  CHECK(sizes == std::vector<std::size_t>{1, 2});
}
