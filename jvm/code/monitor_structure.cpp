#include "jvm/code/monitor_structure.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace lockwood::jvm {
namespace {

using Action = MonitorFlow::Action;
using NodeSet = std::vector<std::uint32_t>;  // sorted
using StackId = std::optional<std::uint32_t>;

bool contains(const NodeSet& set, std::uint32_t node) { return std::ranges::binary_search(set, node); }

NodeSet with(NodeSet set, std::uint32_t node) {
  set.insert(std::ranges::lower_bound(set, node), node);
  return set;
}

// Where the monitors are not structured, and why.
struct Conflict {
  std::uint32_t node;
  std::string reason;
};

// The data-flow analysis with a given set of ignored enters. A node has one stack, which the first way to it decides;
// another way with another stack is a conflict.
class Attempt {
 public:
  Attempt(const MonitorFlow& flow, const std::vector<NodeSet>& reaching, const NodeSet& ignored)
      : flow_{flow}, reaching_{reaching}, ignored_{ignored} {
    held_.resize(flow.nodes.size());
    seen_.resize(flow.nodes.size());
    enter_of_.resize(flow.nodes.size());
  }

  std::optional<Conflict> run() {
    arrive(0, std::nullopt);
    while (!worklist_.empty() && !conflict_) {
      const std::uint32_t node = worklist_.back();
      worklist_.pop_back();
      ++visits_;
      visit(node);
    }
    return conflict_;
  }
  [[nodiscard]] std::size_t visits() const { return visits_; }

  [[nodiscard]] MonitorStructure result() && {
    assert(!conflict_);
    std::ranges::sort(ignored_exits_);
    return {.ignored_enters = ignored_,
            .ignored_exits = std::move(ignored_exits_),
            .stacks = std::move(stacks_),
            .held = std::move(held_),
            .enter_of = std::move(enter_of_),
            .reason = {}};
  }

 private:
  void visit(std::uint32_t number) {
    const MonitorFlow::Node& node = flow_.nodes[number];
    const StackId before = held_[number];
    // Exceptions leave from before the action. A monitorexit of the innermost monitor does not throw, so whoever made
    // the graph has left out its edges.
    for (std::uint32_t handler : node.handlers) arrive(handler, before);
    if (node.leaves_by_exception && before)
      return conflict(number, "an exception leaves the method while a monitor is held");
    const StackId after = after_action(number, before);
    if (conflict_) return;
    if (node.leaves && after) return conflict(number, "the method ends while a monitor is held");
    for (std::uint32_t successor : node.successors) arrive(successor, after);
  }

  StackId after_action(std::uint32_t number, StackId before) {
    const MonitorFlow::Node& node = flow_.nodes[number];
    switch (node.action) {
      case Action::None: return before;
      case Action::Enter: return contains(ignored_, number) ? before : pushed(number, before);
      case Action::Exit: break;
    }
    if (before && flow_.nodes[stacks_[*before].enter].object == node.object) {
      enter_of_[number] = stacks_[*before].enter;
      return stacks_[*before].around;
    }
    if (!may_ignore_exit(number)) {
      conflict(number, "a monitor is exited that is not the innermost one");
      return before;
    }
    ignored_exits_.push_back(number);
    return before;
  }

  [[nodiscard]] bool may_ignore_exit(std::uint32_t exit) const {
    bool entered_before = false;
    for (std::uint32_t enter : reaching_[exit]) {
      if (flow_.nodes[enter].object != flow_.nodes[exit].object) continue;
      if (contains(ignored_, enter)) return true;
      entered_before = true;
    }
    return !entered_before;
  }

  // Equal stacks have equal ids.
  StackId pushed(std::uint32_t enter, StackId around) {
    const auto key = std::pair{enter, around ? *around + 1 : 0};
    const auto [known, is_new] = ids_.try_emplace(key, stacks_.size());
    if (is_new) stacks_.push_back({enter, around});
    return known->second;
  }

  void arrive(std::uint32_t node, StackId stack) {
    if (!seen_[node]) {
      seen_[node] = true;
      held_[node] = stack;
      worklist_.push_back(node);
    } else if (held_[node] != stack) {
      conflict(node, "ways that meet hold different monitors");
    }
  }

  void conflict(std::uint32_t node, std::string reason) {
    if (!conflict_) conflict_ = Conflict{node, std::move(reason)};
  }

  const MonitorFlow& flow_;
  const std::vector<NodeSet>& reaching_;
  const NodeSet& ignored_;
  std::vector<std::uint32_t> worklist_;
  std::vector<bool> seen_;
  std::vector<StackId> held_;
  std::vector<StackId> enter_of_;
  std::vector<MonitorStack> stacks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> ids_;
  std::vector<std::uint32_t> ignored_exits_;
  std::optional<Conflict> conflict_;
  std::size_t visits_ = 0;
};

NodeSet nodes_with(const MonitorFlow& flow, Action action) {
  NodeSet found;
  for (std::uint32_t i = 0; i < flow.nodes.size(); ++i)
    if (flow.nodes[i].action == action) found.push_back(i);
  return found;
}

// By node: the enters after which the node can be reached.
std::vector<NodeSet> reaching_enters(const MonitorFlow& flow, const NodeSet& enters) {
  std::vector<NodeSet> reaching(flow.nodes.size());
  std::vector<std::uint32_t> mark(flow.nodes.size());
  for (std::uint32_t enter : enters) {
    std::vector<std::uint32_t> worklist = flow.nodes[enter].successors;
    while (!worklist.empty()) {
      const std::uint32_t node = worklist.back();
      worklist.pop_back();
      if (mark[node] == enter + 1) continue;
      mark[node] = enter + 1;
      reaching[node].push_back(enter);  // enters come in order, so the set is sorted
      for (const auto* targets : {&flow.nodes[node].successors, &flow.nodes[node].handlers})
        worklist.insert(worklist.end(), targets->begin(), targets->end());
    }
  }
  return reaching;
}

// Sets of ignored enters in the order of their size. Whatever an attempt computes at a node depends on the enters that
// reach the node only. So a set that makes the rest structured and contains `ignored` has one more of those that reach
// the conflict: these are the branches, and the first size with a solution is the least.
class Search {
 public:
  Search(const MonitorFlow& flow, const MonitorSearchLimits& limits)
      : flow_{flow}, limits_{limits}, enters_{nodes_with(flow, Action::Enter)} {}

  MonitorStructure run() {
    if (enters_.size() * flow_.nodes.size() > limits_.node_visits)
      return ignore_all("the method has too many monitors");
    reaching_ = reaching_enters(flow_, enters_);
    std::string reason;
    for (std::size_t size = 0; size <= enters_.size() && !over(); ++size) {
      tried_.clear();
      if (auto found = extended({}, size, reason)) {
        if (!found->ignored_enters.empty()) found->reason = reason;
        return std::move(*found);
      }
    }
    return ignore_all(reason);
  }

 private:
  [[nodiscard]] bool over() const { return tries_ >= limits_.tries || visits_ >= limits_.node_visits; }

  // A solution that ignores at most `more` enters besides these.
  std::optional<MonitorStructure> extended(const NodeSet& ignored, std::size_t more, std::string& reason) {
    if (over() || !tried_.insert(ignored).second) return std::nullopt;
    ++tries_;
    Attempt attempt{flow_, reaching_, ignored};
    const auto conflict = attempt.run();
    visits_ += attempt.visits();
    if (!conflict) return std::move(attempt).result();
    if (reason.empty()) reason = conflict->reason;
    if (more == 0) return std::nullopt;
    NodeSet branches = reaching_[conflict->node];
    const bool enters_itself = flow_.nodes[conflict->node].action == Action::Enter;
    if (enters_itself && !contains(branches, conflict->node)) branches = with(std::move(branches), conflict->node);
    for (std::uint32_t enter : branches) {
      if (contains(ignored, enter)) continue;
      if (auto found = extended(with(ignored, enter), more - 1, reason)) return found;
    }
    return std::nullopt;
  }

  // Without any enter all stacks are empty, and no exit is of an enter that counts.
  MonitorStructure ignore_all(std::string reason) {
    MonitorStructure structure;
    structure.ignored_enters = enters_;
    structure.ignored_exits = nodes_with(flow_, Action::Exit);
    structure.held.resize(flow_.nodes.size());
    structure.enter_of.resize(flow_.nodes.size());
    structure.reason = std::move(reason);
    structure.fewest = false;
    return structure;
  }

  const MonitorFlow& flow_;
  MonitorSearchLimits limits_;
  NodeSet enters_;
  std::vector<NodeSet> reaching_;
  std::set<NodeSet> tried_;
  std::size_t tries_ = 0;
  std::size_t visits_ = 0;
};

}  // namespace

MonitorStructure monitor_structure(const MonitorFlow& flow, const MonitorSearchLimits& limits) {
  assert(!flow.nodes.empty());
  return Search{flow, limits}.run();
}

}  // namespace lockwood::jvm
