#include "tests/oracle/dpn/naive_explore.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>

namespace lockwood::dpn::reference {
namespace {

// Of a live thread: its state, and if there are groups also who it is, who started it and who its members are. Then
// threads that have ended are listed too, in the order of creation, and few configurations are equal.
struct ThreadLook {
  ControlState control;
  std::vector<Frame> stack;
  std::optional<ThreadId> parent;
  std::vector<OpenGroup> groups;
  friend auto operator<=>(const ThreadLook&, const ThreadLook&) = default;
};
using Canonical = std::vector<ThreadLook>;

Canonical canonical(const Network& network, const Configuration& configuration) {
  Canonical threads;
  for (const Thread& thread : configuration.threads) {
    if (network.uses_groups())
      threads.push_back({thread.control, thread.stack, thread.parent, thread.groups});
    else if (!thread.ended())
      threads.push_back({thread.control, thread.stack, {}, {}});
  }
  if (!network.uses_groups()) std::ranges::sort(threads);
  return threads;
}

std::size_t greatest_depth(const Canonical& threads) {
  std::size_t depth = 0;
  for (const ThreadLook& thread : threads) depth = std::max(depth, thread.stack.size());
  return depth;
}

std::size_t live_threads(const Configuration& configuration) {
  return static_cast<std::size_t>(
      std::ranges::count_if(configuration.threads, [](const Thread& thread) { return !thread.ended(); }));
}

bool contains(const std::vector<Action>& actions, Action action) { return std::ranges::count(actions, action) > 0; }

bool choose(const Configuration& configuration, const QueryStep& step, std::size_t set, std::set<ThreadId>& taken) {
  if (set == step.positions.size()) return true;
  for (ThreadId id : configuration.threads.keys()) {
    const Thread& thread = configuration.threads[id];
    if (thread.ended() || taken.contains(id)) continue;
    if (std::ranges::count(step.positions[set], thread.head().top) == 0) continue;
    taken.insert(id);
    if (choose(configuration, step, set + 1, taken)) return true;
    taken.erase(id);
  }
  return false;
}

// The configuration after the move, unless it is out of bounds.
std::optional<Configuration> bounded_successor(const Network& network, const Configuration& configuration, Move move,
                                               const ExploreBounds& bounds, Omissions& omissions) {
  Configuration next = configuration;
  apply(network, next, move);
  const RuleKind kind = network.rule(move.rule).kind();
  if ((kind == RuleKind::Call || kind == RuleKind::Monitor) &&
      next.threads[move.thread].stack.size() > bounds.stack_depth) {
    omissions.stack_depth = true;
    return std::nullopt;
  }
  if (kind == RuleKind::Spawn && live_threads(next) > bounds.threads) {
    omissions.threads = true;
    return std::nullopt;
  }
  return next;
}

}  // namespace

bool occupied(const Configuration& configuration, const QueryStep& step) {
  std::set<ThreadId> taken;
  return choose(configuration, step, 0, taken);
}

bool deadlocked(const Network& network, const Configuration& configuration) {
  if (!enabled_moves(network, configuration, Semantics::LockSensitive).empty()) return false;
  return std::ranges::any_of(configuration.threads, [&](const Thread& thread) {
    return !thread.ended() && !network.rules_from(thread.head()).empty();
  });
}

NaiveAnswer explore_query(const Network& network, const Query& query, const ExploreBounds& bounds) {
  struct Node {
    Configuration configuration;
    std::size_t step;
    bool fired;
    std::size_t distance;
  };
  NaiveAnswer answer;
  std::set<std::tuple<Canonical, std::size_t, bool>> seen;
  std::deque<Node> queue;
  bool found = false;
  const auto add = [&](Configuration configuration, std::size_t step, bool fired, std::size_t distance) {
    while (!found) {
      const QueryStep& wanted = query.steps[step];
      fired = fired || wanted.requiring.empty();
      const std::tuple key{canonical(network, configuration), step, fired};
      if (seen.contains(key)) return;
      if (seen.size() >= bounds.configurations && !seen.empty()) {
        answer.omissions.configurations = true;
        return;
      }
      seen.insert(key);
      queue.push_back({configuration, step, fired, distance});
      if (!fired || !occupied(configuration, wanted)) return;
      if (step + 1 == query.steps.size()) {
        found = true;
        answer.moves = distance;
      }
      ++step;
      fired = false;
    }
  };

  add(initial_configuration(network), 0, false, 0);
  while (!queue.empty() && !found && !answer.omissions.configurations) {
    const Node node = queue.front();
    queue.pop_front();
    const QueryStep& step = query.steps[node.step];
    for (Move move : enabled_moves(network, node.configuration, query.semantics)) {
      const Action action = network.rule(move.rule).action;
      if (found || contains(step.avoiding, action)) continue;
      auto next = bounded_successor(network, node.configuration, move, bounds, answer.omissions);
      if (next) add(std::move(*next), node.step, node.fired || contains(step.requiring, action), node.distance + 1);
    }
  }
  answer.configurations = seen.size();
  if (found)
    answer.verdict = Verdict::Reachable;
  else
    answer.verdict = answer.omissions.any() ? Verdict::Unknown : Verdict::Unreachable;
  return answer;
}

NaiveExploration explore(const Network& network, Semantics semantics, const ExploreBounds& bounds) {
  NaiveExploration result;
  std::set<Canonical> seen;
  std::deque<std::pair<Configuration, std::size_t>> queue;
  const auto add = [&](const Configuration& configuration, std::size_t distance) {
    const Canonical threads = canonical(network, configuration);
    if (seen.contains(threads)) return;
    if (seen.size() >= bounds.configurations && !seen.empty()) {
      result.omissions.configurations = true;
      return;
    }
    seen.insert(threads);
    result.threads = std::max(result.threads, live_threads(configuration));
    result.stack_depth = std::max(result.stack_depth, greatest_depth(threads));
    queue.emplace_back(configuration, distance);
  };

  add(initial_configuration(network), 0);
  while (!queue.empty() && !result.omissions.configurations) {
    const auto [configuration, distance] = queue.front();
    queue.pop_front();
    for (Move move : enabled_moves(network, configuration, semantics))
      if (auto next = bounded_successor(network, configuration, move, bounds, result.omissions))
        add(*next, distance + 1);
    if (semantics == Semantics::LockInsensitive || !deadlocked(network, configuration)) continue;
    ++result.deadlocked;
    if (!result.deadlock) result.deadlock = distance;
  }
  result.configurations = seen.size();
  return result;
}

}  // namespace lockwood::dpn::reference
