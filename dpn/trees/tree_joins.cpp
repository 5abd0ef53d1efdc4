#include "dpn/trees/tree_joins.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace lockwood::dpn {
namespace {

// Follows one thread along its path with the groups of its frames, as the small-step semantics keeps them.
class Groups {
 public:
  void enter(std::span<const Group> opening) {
    ++depth_;
    for (const Group group : opening) open_.push_back({depth_, group, {}});
  }
  void leave() {
    while (!open_.empty() && open_.back().frame == depth_) open_.pop_back();
    --depth_;
  }
  void empty(Group group) {
    if (Opened* open = find(group)) open->members.clear();
  }
  void add(Group group, const AwaitedThreads& member) {
    Opened* open = find(group);
    if (open == nullptr) open = &*open_.insert(open_.begin(), {0, group, {}});  // the bottom frame opens every group
    open->members.push_back(member);
  }
  [[nodiscard]] std::vector<AwaitedThreads> take(Group group) {
    Opened* open = find(group);
    return open == nullptr ? std::vector<AwaitedThreads>{} : std::exchange(open->members, {});
  }

 private:
  struct Opened {
    std::size_t frame;
    Group group;
    std::vector<AwaitedThreads> members;
  };
  Opened* find(Group group) {
    const auto open = std::ranges::find(open_.rbegin(), open_.rend(), group, &Opened::group);
    return open == open_.rend() ? nullptr : &*open;
  }

  std::size_t depth_ = 0;
  std::vector<Opened> open_;  // by frame
};

class Following {
 public:
  Following(const Network& network, const ExecutionTree& tree, const TreeThreads& threads, TreeJoins& result)
      : network_{network}, tree_{tree}, threads_{threads}, result_{result} {}

  void follow(ThreadId thread) {
    Groups groups;
    const auto path = threads_.path(thread);
    for (std::uint32_t index = 0; index < path.size(); ++index) {
      const NodeId node = path[index];
      if (has_head(tree_.kind(node))) continue;
      const Rule& rule = network_.rule(tree_.rule(node));
      if (const auto entry = entry_of(rule)) groups.enter(entry->opening);
      if (rule.kind() == RuleKind::Return) groups.leave();
      if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) fork(groups, *spawn, node, index);
      if (const auto* forget = std::get_if<Forget>(&rule.effect))
        for (const Group group : forget->groups) groups.empty(group);
      if (const auto* join = std::get_if<Join>(&rule.effect)) {
        TreeJoin found{node, {}};
        for (const Group group : join->groups) {
          const std::vector<AwaitedThreads> members = groups.take(group);
          found.awaited.insert(found.awaited.end(), members.begin(), members.end());
        }
        result_.joins.push_back(std::move(found));
      }
    }
  }

 private:
  void fork(Groups& groups, const Spawn& spawn, NodeId node, std::uint32_t index) const {
    const ThreadId child = threads_.thread[tree_.first_child(node)];
    for (const Membership& membership : spawn.memberships) {
      if (membership.replace) groups.empty(membership.group);
      const ThreadId end = membership.all ? result_.offspring_end[child] : ThreadId{child.index() + 1};
      groups.add(membership.group, {child, end, index});
    }
  }

  const Network& network_;
  const ExecutionTree& tree_;
  const TreeThreads& threads_;
  TreeJoins& result_;
};

}  // namespace

TreeJoins joins_of(const Network& network, const ExecutionTree& tree, const TreeThreads& threads) {
  TreeJoins result;
  for (ThreadId thread : threads.starts.keys()) {
    result.offspring_end.push_back(ThreadId{thread.index() + 1});
    const NodeId last = threads.path(thread).back();
    result.end.push_back(tree.kind(last) == NodeKind::Ret ? std::optional{threads.phase[last]} : std::nullopt);
  }
  result.all_end = result.end;
  for (std::size_t index = threads.starts.size(); index-- > 1;) {  // children come behind their parents
    const ThreadId thread{index};
    const ThreadId parent = *threads.starts[thread].parent;
    result.offspring_end[parent] = std::max(result.offspring_end[parent], result.offspring_end[thread]);
    auto& ends = result.all_end[parent];
    ends = ends && result.all_end[thread] ? std::optional{std::max(*ends, *result.all_end[thread])} : std::nullopt;
  }
  if (!network.uses_groups()) return result;
  Following following{network, tree, threads, result};
  for (ThreadId thread : threads.starts.keys()) following.follow(thread);
  std::ranges::sort(result.joins, {}, &TreeJoin::node);
  return result;
}

bool has_joins(const ExecutionTree& tree) {
  return std::ranges::any_of(tree.nodes(), [&](NodeId node) { return tree.kind(node) == NodeKind::Join; });
}

}  // namespace lockwood::dpn
