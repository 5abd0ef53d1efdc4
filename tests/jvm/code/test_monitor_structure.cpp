#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "base/ids/random.hpp"
#include "jvm/code/monitor_structure.hpp"
#include "jvm/code/surely_held.hpp"

using namespace lockwood::jvm;
using lockwood::Random;

namespace {

using Action = MonitorFlow::Action;
using Held = std::vector<std::uint32_t>;  // enters, from the outside

// All nodes that can be reached after the node.
std::set<std::uint32_t> after(const MonitorFlow& flow, std::uint32_t node) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> worklist = flow.nodes[node].successors;
  while (!worklist.empty()) {
    const std::uint32_t next = worklist.back();
    worklist.pop_back();
    if (!seen.insert(next).second) continue;
    for (std::uint32_t target : flow.nodes[next].successors) worklist.push_back(target);
    for (std::uint32_t target : flow.nodes[next].handlers) worklist.push_back(target);
  }
  return seen;
}

// The definition: walks through all pairs of a node and the monitors held there.
bool is_structured(const MonitorFlow& flow, const std::set<std::uint32_t>& ignored) {
  std::set<std::pair<std::uint32_t, Held>> seen;
  std::vector<std::pair<std::uint32_t, Held>> worklist{{0, {}}};
  while (!worklist.empty()) {
    auto state = worklist.back();
    worklist.pop_back();
    if (!seen.insert(state).second) continue;
    auto [number, held] = state;
    if (held.size() > flow.nodes.size()) return false;  // a loop enters again and again
    const MonitorFlow::Node& node = flow.nodes[number];
    for (std::uint32_t handler : node.handlers) worklist.emplace_back(handler, held);
    if (node.leaves_by_exception && !held.empty()) return false;
    if (node.action == Action::Enter && !ignored.contains(number)) held.push_back(number);
    if (node.action == Action::Exit) {
      if (!held.empty() && flow.nodes[held.back()].object == node.object) {
        held.pop_back();
      } else {
        bool entered = false;
        bool ignorable = false;
        for (std::uint32_t enter = 0; enter < flow.nodes.size(); ++enter) {
          const bool fits = flow.nodes[enter].action == Action::Enter && flow.nodes[enter].object == node.object &&
                            after(flow, enter).contains(number);
          entered = entered || fits;
          ignorable = ignorable || (fits && ignored.contains(enter));
        }
        if (entered && !ignorable) return false;
      }
    }
    if (node.leaves && !held.empty()) return false;
    for (std::uint32_t successor : node.successors) worklist.emplace_back(successor, held);
  }
  // One list of monitors at each node.
  for (auto it = seen.begin(); it != seen.end() && std::next(it) != seen.end(); ++it)
    if (it->first == std::next(it)->first) return false;
  return true;
}

std::size_t fewest_ignored(const MonitorFlow& flow) {
  std::vector<std::uint32_t> enters;
  for (std::uint32_t i = 0; i < flow.nodes.size(); ++i)
    if (flow.nodes[i].action == Action::Enter) enters.push_back(i);
  std::size_t best = enters.size() + 1;
  for (std::uint32_t subset = 0; subset < (1U << enters.size()); ++subset) {
    const auto size = static_cast<std::size_t>(std::popcount(subset));
    if (size >= best) continue;
    std::set<std::uint32_t> ignored;
    for (std::size_t i = 0; i < enters.size(); ++i)
      if ((subset >> i & 1U) != 0) ignored.insert(enters[i]);
    if (is_structured(flow, ignored)) best = size;
  }
  return best;
}

MonitorFlow random_flow(Random& random) {
  MonitorFlow flow;
  const std::size_t size = 3 + random.below(8);
  flow.nodes.resize(size);
  const auto any = [&] { return static_cast<std::uint32_t>(1 + random.below(size - 1)); };
  for (std::uint32_t i = 0; i < size; ++i) {
    MonitorFlow::Node& node = flow.nodes[i];
    if (random.percent(60)) node.action = random.percent(50) ? Action::Enter : Action::Exit;
    node.object = static_cast<std::uint32_t>(random.below(2));
    // Mostly straight on, so that some of them are structured.
    if (i + 1 < size) node.successors.push_back(i + 1);
    if (random.percent(15)) node.successors.push_back(any());
    if (random.percent(10)) node.handlers.push_back(any());
    node.leaves = i + 1 == size;
    node.leaves_by_exception = random.percent(5);
  }
  return flow;
}

}  // namespace

TEST_CASE("monitors are structured as all walks say, and the fewest enters are ignored") {
  Random random{1};
  std::size_t structured = 0;
  std::size_t several = 0;
  for (int round = 0; round < 4000; ++round) {
    const MonitorFlow flow = random_flow(random);
    const MonitorStructure structure = monitor_structure(flow);
    CAPTURE(round);
    REQUIRE(structure.fewest);
    const std::set<std::uint32_t> ignored(structure.ignored_enters.begin(), structure.ignored_enters.end());
    CHECK(is_structured(flow, ignored));
    CHECK(ignored.size() == fewest_ignored(flow));
    CHECK(structure.reason.empty() == ignored.empty());
    structured += ignored.empty() ? 1U : 0U;
    several += ignored.size() > 1 ? 1U : 0U;
  }
  CHECK(structured > 300);
  CHECK(several > 300);
}

TEST_CASE("exits belong to their enters, and nodes know what is held") {
  // enter a; enter b; exit b; exit a
  MonitorFlow flow;
  flow.nodes.resize(5);
  flow.nodes[0] = {Action::Enter, 1, {1}, {}, false, false};
  flow.nodes[1] = {Action::Enter, 2, {2}, {}, false, false};
  flow.nodes[2] = {Action::Exit, 2, {3}, {}, false, false};
  flow.nodes[3] = {Action::Exit, 1, {4}, {}, false, false};
  flow.nodes[4].leaves = true;
  const MonitorStructure structure = monitor_structure(flow);
  CHECK(structure.ignored_enters.empty());
  CHECK(structure.enter_of[2] == 1);
  CHECK(structure.enter_of[3] == 0);
  REQUIRE(structure.held[2]);
  CHECK(structure.stacks[*structure.held[2]].enter == 1);
  CHECK(structure.stacks[*structure.stacks[*structure.held[2]].around].enter == 0);
  CHECK_FALSE(structure.held[4]);
}

TEST_CASE("hand over hand ignores one of two monitors") {
  // enter a; enter b; exit a; exit b
  MonitorFlow flow;
  flow.nodes.resize(5);
  flow.nodes[0] = {Action::Enter, 1, {1}, {}, false, false};
  flow.nodes[1] = {Action::Enter, 2, {2}, {}, false, false};
  flow.nodes[2] = {Action::Exit, 1, {3}, {}, false, false};
  flow.nodes[3] = {Action::Exit, 2, {4}, {}, false, false};
  flow.nodes[4].leaves = true;
  const MonitorStructure structure = monitor_structure(flow);
  CHECK(structure.ignored_enters.size() == 1);
  CHECK(structure.ignored_exits.size() == 1);
  CHECK(structure.reason == "a monitor is exited that is not the innermost one");
}

TEST_CASE("a search that is too long ignores all monitors, and says so") {
  MonitorFlow flow;
  for (std::uint32_t i = 0; i < 60; ++i)
    flow.nodes.push_back({i % 2 == 0 ? Action::Enter : Action::None, i, {i + 1}, {}, false, false});
  flow.nodes.push_back({Action::Exit, 0, {}, {}, true, false});
  const MonitorStructure structure = monitor_structure(flow, {.tries = 50, .node_visits = 1'000'000});
  CHECK_FALSE(structure.fewest);
  CHECK(structure.ignored_enters.size() == 30);
}

TEST_CASE("an exit is unsure if some walk reaches it without its monitor") {
  Random random{2};
  std::size_t sure = 0;
  std::size_t unsure = 0;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    const MonitorFlow flow = random_flow(random);
    const auto found = unsure_exits(flow);
    // All walks, with how often each of the two objects is surely held; more than three times makes no difference here.
    std::set<std::tuple<std::uint32_t, int, int>> seen;
    std::vector<std::tuple<std::uint32_t, int, int>> worklist{{0, 0, 0}};
    std::set<std::uint32_t> expected;
    while (!worklist.empty()) {
      const auto state = worklist.back();
      worklist.pop_back();
      if (!seen.insert(state).second) continue;
      const auto& node = flow.nodes[std::get<0>(state)];
      int held[2] = {std::get<1>(state), std::get<2>(state)};
      for (std::uint32_t handler : node.handlers) worklist.emplace_back(handler, held[0], held[1]);
      int& mine = held[node.object];
      if (node.action == Action::Enter) mine = std::min(mine + 1, 40);
      if (node.action == Action::Exit && mine == 0) {
        expected.insert(std::get<0>(state));
        held[0] = held[1] = 0;
      } else if (node.action == Action::Exit) {
        --mine;
      }
      for (std::uint32_t successor : node.successors) worklist.emplace_back(successor, held[0], held[1]);
    }
    // The analysis joins ways, so it may be unsure where no single walk is; never the other way round.
    for (std::uint32_t exit : expected) CHECK(std::ranges::binary_search(found, exit));
    unsure += found.size();
    for (const auto& node : flow.nodes) sure += node.action == Action::Exit ? 1U : 0U;
    sure -= found.size();
  }
  CHECK(sure > 1000);
  CHECK(unsure > 1000);
}
