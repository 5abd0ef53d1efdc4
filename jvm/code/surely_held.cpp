#include "jvm/code/surely_held.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>

namespace lockwood::jvm {
namespace {

using Action = MonitorFlow::Action;
using Counts = std::map<std::uint32_t, std::uint32_t>;  // by object: entered so often at least; no zeros

// Counts of states are kept for each node. A hostile method has thousands of monitors in thousands of blocks.
constexpr std::size_t max_counts = 2'000'000;

// What both ways are sure of.
Counts met(const Counts& one, const Counts& other) {
  Counts both;
  for (const auto& [object, count] : one)
    if (const auto found = other.find(object); found != other.end())
      both.emplace(object, std::min(count, found->second));
  return both;
}

class HeldAnalysis {
 public:
  explicit HeldAnalysis(const MonitorFlow& flow) : flow_{flow}, before_(flow.nodes.size()) {}

  std::vector<std::uint32_t> run() {
    arrive(0, {});
    while (!worklist_.empty()) {
      const std::uint32_t node = worklist_.back();
      worklist_.pop_back();
      const Counts before = *before_[node];
      for (std::uint32_t handler : flow_.nodes[node].handlers) arrive(handler, before);
      const Counts after = after_action(flow_.nodes[node], before);
      for (std::uint32_t successor : flow_.nodes[node].successors) arrive(successor, after);
    }
    std::vector<std::uint32_t> unsure;
    for (std::uint32_t node = 0; node < flow_.nodes.size(); ++node)
      if (flow_.nodes[node].action == Action::Exit && before_[node] &&
          !before_[node]->contains(flow_.nodes[node].object))
        unsure.push_back(node);
    return unsure;
  }

 private:
  static Counts after_action(const MonitorFlow::Node& node, Counts counts) {
    if (node.action == Action::Enter) ++counts[node.object];
    if (node.action != Action::Exit) return counts;
    const auto found = counts.find(node.object);
    if (found == counts.end()) return {};
    if (--found->second == 0) counts.erase(found);
    return counts;
  }

  // States only shrink after the first arrival, so this ends.
  void arrive(std::uint32_t node, const Counts& counts) {
    if (!before_[node]) {
      before_[node] = counts;
      worklist_.push_back(node);
      return;
    }
    Counts both = met(*before_[node], counts);
    if (both == *before_[node]) return;
    before_[node] = std::move(both);
    worklist_.push_back(node);
  }

  const MonitorFlow& flow_;
  std::vector<std::optional<Counts>> before_;
  std::vector<std::uint32_t> worklist_;
};

}  // namespace

std::vector<std::uint32_t> unsure_exits(const MonitorFlow& flow) {
  const auto is = [](Action action) {
    return [action](const MonitorFlow::Node& node) { return node.action == action; };
  };
  const auto enters = static_cast<std::size_t>(std::ranges::count_if(flow.nodes, is(Action::Enter)));
  if (enters * flow.nodes.size() <= max_counts) return HeldAnalysis{flow}.run();
  std::vector<std::uint32_t> exits;
  for (std::uint32_t node = 0; node < flow.nodes.size(); ++node)
    if (is(Action::Exit)(flow.nodes[node])) exits.push_back(node);
  return exits;
}

}  // namespace lockwood::jvm
