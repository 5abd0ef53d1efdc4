#include "dpn/trees/all_schedules.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "dpn/trees/tree_threads.hpp"

namespace lockwood::dpn {
namespace {

// The beginning of a schedule, and how far each thread of the tree has come in it.
struct Partial {
  Configuration configuration;
  std::vector<Move> moves;
  std::vector<std::size_t> next;                // by thread of the tree: its first node not yet made
  std::vector<std::optional<ThreadId>> number;  // by thread of the tree: its number in the configuration, if created
};

// The schedules of a tree by breadth: all beginnings of n moves, then of n + 1 moves, and so on.
class ScheduleSearch {
 public:
  ScheduleSearch(const Network& network, const ExecutionTree& tree, Semantics semantics)
      : network_{network}, tree_{tree}, semantics_{semantics}, threads_{threads_of(tree)}, ends_(threads_.phases) {
    for (ThreadId thread : threads_.starts.keys()) {
      paths_.emplace_back();
      for (NodeId node : threads_.path(thread))
        if (!has_head(tree.kind(node))) paths_.back().push_back(node);
    }
    for (NodeId node : tree.nodes())
      if (!has_head(tree.kind(node)))
        for (std::size_t phase = threads_.phase[node]; phase < ends_.size(); ++phase) ++ends_[phase];
  }

  [[nodiscard]] Partial start() const {
    Partial partial{initial_configuration(network_), {}, {}, {}};
    partial.next.assign(paths_.size(), 0);
    partial.number.assign(paths_.size(), std::nullopt);
    partial.number.front() = main_thread;
    return partial;
  }

  [[nodiscard]] std::size_t moves() const { return ends_.back(); }

  // All that one more move makes of it.
  [[nodiscard]] std::vector<Partial> extensions(const Partial& partial) const {
    std::vector<std::pair<Move, Partial>> found;
    for (std::size_t thread = 0; thread < paths_.size(); ++thread) {
      if (!partial.number[thread] || partial.next[thread] == paths_[thread].size()) continue;
      const NodeId node = paths_[thread][partial.next[thread]];
      const Move move{*partial.number[thread], tree_.rule(node)};
      if (threads_.phase[node] != phase_after(partial.moves.size())) continue;
      if (blocked(network_, partial.configuration, move, semantics_)) continue;
      Partial extended = partial;
      if (tree_.kind(node) == NodeKind::Spawn)
        extended.number[threads_.thread[tree_.first_child(node)].index()] =
            ThreadId{extended.configuration.threads.size()};
      apply(network_, extended.configuration, move);
      extended.moves.push_back(move);
      ++extended.next[thread];
      found.emplace_back(move, std::move(extended));
    }
    std::ranges::sort(found, {}, &std::pair<Move, Partial>::first);
    std::vector<Partial> partials;
    partials.reserve(found.size());
    for (auto& [move, extended] : found) partials.push_back(std::move(extended));
    return partials;
  }

  [[nodiscard]] Schedule schedule(Partial partial) const {
    return {std::move(partial.moves), {ends_.begin(), ends_.end() - 1}};
  }

 private:
  // The phase of the move after the first `count`: all moves of the phases before it are made, since none is skipped.
  [[nodiscard]] std::size_t phase_after(std::size_t count) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(ends_, count) - ends_.begin());
  }

  const Network& network_;
  const ExecutionTree& tree_;
  Semantics semantics_;
  TreeThreads threads_;
  std::vector<std::vector<NodeId>> paths_;  // by thread, without cuts and Nil
  std::vector<std::size_t> ends_;           // the number of moves in the phases up to this one
};

}  // namespace

std::vector<Schedule> all_schedules(const Network& network, const ExecutionTree& tree, Semantics semantics) {
  const ScheduleSearch search{network, tree, semantics};
  std::vector<Partial> level{search.start()};
  for (std::size_t made = 0; made < search.moves(); ++made) {
    std::vector<Partial> longer;
    for (const Partial& partial : level)
      for (Partial& extended : search.extensions(partial)) longer.push_back(std::move(extended));
    level = std::move(longer);
  }
  std::vector<Schedule> schedules;
  schedules.reserve(level.size());
  for (Partial& partial : level) schedules.push_back(search.schedule(std::move(partial)));
  return schedules;
}

bool schedule_exists(const Network& network, const ExecutionTree& tree, Semantics semantics) {
  const ScheduleSearch search{network, tree, semantics};
  std::vector<Partial> level{search.start()};
  for (std::size_t made = 0; made < search.moves() && !level.empty(); ++made) {
    std::set<std::vector<std::size_t>> seen;  // which nodes are done decides what can follow
    std::vector<Partial> longer;
    for (const Partial& partial : level)
      for (Partial& extended : search.extensions(partial))
        if (seen.insert(extended.next).second) longer.push_back(std::move(extended));
    level = std::move(longer);
  }
  return !level.empty();
}

}  // namespace lockwood::dpn
