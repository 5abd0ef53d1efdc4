#include "explorer/search/frontier_search.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <queue>

#include "explorer/search/expansion.hpp"

namespace lockwood::explorer {
namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

// A state that waits for its turn. Nodes are numbered in the order of insertion, as the states of an exact store are.
struct Waiting {
  std::uint64_t priority;  // the least one first
  std::uint32_t node;
  std::uint32_t current;  // the thread that moved last, or nobody
  bool expand_all;
  std::vector<std::uint32_t> components;  // only if the store does not have them
};

// Among equals, the oldest first: then equal priorities make it a breadth-first search.
struct Later {
  bool operator()(const Waiting& a, const Waiting& b) const {
    return a.priority != b.priority ? a.priority > b.priority : a.node > b.node;
  }
};

class FrontierSearch {
 public:
  FrontierSearch(Machine& machine, const SearchOptions& options)
      : machine_{machine},
        options_{options},
        store_{options.store},
        expansion_{machine, options, result_},
        findings_{options, result_} {}

  SearchResult run() && {
    if (!store_.is_exact()) result_.omissions.hashing = true;
    const auto root = machine_.components();
    root_.assign(root.begin(), root.end());
    arrive({.parent = nobody, .step = {ThreadId{0}, 0}, .depth = 0}, nobody, false, 0);
    while (!waiting_.empty() && !ended_) {
      if (const auto reason = options_.stop.reason()) {
        result_.omissions.stopped = reason;
        break;
      }
      take_share();
      if (waiting_.empty()) break;
      const Waiting next = pop();
      expand(next);
      if ((next.node & 255U) == 0) options_.stop.report_progress({store_.size(), waiting_.size()});
    }
    for (const auto& [finding, node] : unfinished_) result_.findings[finding].run = run_to(node);
    if (target_) result_.target = run_to(*target_, target_step_);
    machine_.restore(root_);
    result_.counters.states = store_.size();
    result_.counters.store_bytes = store_.bytes() + nodes_.capacity() * sizeof(Node);
    result_.omission_probability = store_.omission_probability();
    return std::move(result_);
  }

 private:
  struct Node {
    std::uint32_t parent;
    Step step;  // from there; the unstored steps after it follow from it
    std::uint32_t depth;
  };

  [[nodiscard]] bool has_current_in_key() const { return options_.order == Order::Preemptions; }

  // With fewest preemptions first, what a state costs depends on who moved last: that is a component, too, the first.
  [[nodiscard]] std::span<const std::uint32_t> key(std::uint32_t current) {
    const auto components = machine_.components();
    if (!has_current_in_key()) return components;
    key_.assign(1, current == nobody ? 0 : current + 1);
    key_.insert(key_.end(), components.begin(), components.end());
    return key_;
  }

  // The machine is at a state, maybe a new one. Returns whether it was.
  bool arrive(Node node, std::uint32_t current, bool expand_all, std::uint64_t priority) {
    const auto vector = key(current);
    const StateStore::Visit visit = store_.insert(vector);
    if (!visit.is_new) {
      ++result_.counters.matched;
      if (options_.listener != nullptr && visit.number) options_.listener->edge(node.parent, visit.number->index());
      return false;
    }
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    assert(!visit.number || visit.number->index() == number);
    Waiting waiting{
        .priority = priority, .node = number, .current = current, .expand_all = expand_all, .components = {}};
    if (!visit.number) waiting.components.assign(vector.begin(), vector.end());
    nodes_.push_back(node);
    if (options_.guide != nullptr && node.parent != nobody)
      options_.guide->reached(node.parent, node.step.thread, number);
    if (options_.listener != nullptr) {
      options_.listener->visit(machine_);
      if (node.parent != nobody && visit.number) options_.listener->edge(node.parent, number);
    }
    const std::size_t added = findings_.add(machine_);
    for (std::size_t i = result_.findings.size() - added; i < result_.findings.size(); ++i)
      unfinished_.emplace_back(i, number);
    if (added > 0 && options_.first_finding_only) {
      end_at_finding();
      return true;
    }
    if (options_.target != nullptr) {
      if (options_.target->is_reached(machine_)) {
        target_ = number;
        end_at_finding();
        return true;
      }
      const auto distance = options_.target->distance(machine_);
      if (!distance) return true;
      if (options_.order == Order::Best) waiting.priority = *distance;
    }
    result_.counters.max_depth = std::max<std::size_t>(result_.counters.max_depth, node.depth);
    if (options_.pruner != nullptr && options_.pruner->leaves_out(machine_)) {
      ++result_.counters.pruned;
      return true;
    }
    if (node.depth >= options_.max_depth) {
      result_.omissions.depth = result_.omissions.depth || !is_final(machine_);
      return true;
    }
    if (store_.size() >= options_.max_states) {
      result_.omissions.states = true;
      ended_ = true;
      return true;
    }
    push(std::move(waiting));
    return true;
  }

  void expand(const Waiting& from) {
    restore(from);
    const auto current = from.current == nobody ? std::nullopt : std::optional{ThreadId{from.current}};
    Expansion::Steps steps;
    expansion_.steps_from_here(current, from.expand_all, steps);
    if (steps.enough > 1) ++result_.counters.choices;
    const bool can_go_on = current && view(machine_, *current).enabled;
    // The proviso against ignoring, for any order: one successor of a reduced set must be new. Then the times of
    // insertion grow along a run on which a thread is postponed, so that the run is finite.
    bool progress = false;
    for (std::size_t i = 0; i < steps.steps.size() && !ended_; ++i) {
      if (i == steps.enough) {
        if (progress) break;
        ++result_.counters.full_expansions;
      }
      const bool preempts = can_go_on && steps.steps[i].thread != *current;
      const std::uint64_t preemptions = options_.order == Order::Preemptions ? from.priority + (preempts ? 1 : 0) : 0;
      if (preemptions > options_.max_preemptions) {
        result_.omissions.preemptions = true;
        continue;
      }
      if (i > 0) restore(from);
      const bool guided = options_.order == Order::Guided;
      const std::uint64_t priority =
          guided ? options_.guide->priority(machine_, from.node, steps.steps[i].thread) : preemptions;
      progress = take(from, steps.steps[i], priority) || progress;
    }
  }

  bool take(const Waiting& from, Step step, std::uint64_t priority) {
    Run run;
    const Expansion::Arrival arrival = expansion_.take(step, run);
    if (arrival.bound) {
      result_.omissions.bounds[static_cast<std::size_t>(*arrival.bound)] = true;
      return true;
    }
    if (arrival.reached_target) {
      target_ = from.node;
      target_step_ = step;
      end_at_finding();
      return true;
    }
    const auto depth = static_cast<std::uint32_t>(nodes_[from.node].depth + run.size());
    return arrive({from.node, step, depth}, static_cast<std::uint32_t>(arrival.current.index()), arrival.expand_all,
                  priority);
  }

  void restore(const Waiting& waiting) {
    if (waiting.components.empty())
      store_.exact().components_of(StateNumber{waiting.node}, restored_);
    else
      restored_ = waiting.components;
    machine_.restore(std::span{restored_}.subspan(has_current_in_key() ? 1 : 0));
  }

  // The states before this point are expanded by all shards, those in the queue by one each. A shard that comes to a
  // state of another one's finds it in its store, and leaves it to the other.
  void take_share() {
    constexpr std::size_t states_for_each = 20;
    const std::size_t count = options_.shard.count;
    if (count == 1 || shared_ || waiting_.size() < states_for_each * count) return;
    shared_ = true;
    result_.omissions.shards = true;
    std::erase_if(waiting_, [&](const Waiting& waiting) { return waiting.node % count != options_.shard.index; });
    if (options_.order != Order::BreadthFirst) std::ranges::make_heap(waiting_, Later{});
  }

  void push(Waiting waiting) {
    waiting_.push_back(std::move(waiting));
    if (options_.order != Order::BreadthFirst) std::ranges::push_heap(waiting_, Later{});
  }
  Waiting pop() {
    if (options_.order == Order::BreadthFirst) {
      Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      return next;
    }
    std::ranges::pop_heap(waiting_, Later{});
    Waiting next = std::move(waiting_.back());
    waiting_.pop_back();
    return next;
  }

  void end_at_finding() {
    result_.omissions.finding = true;
    ended_ = true;
  }

  // The steps to a node, and those of one more step that led to the target. Only the first step of each edge was kept;
  // the others follow from it, since what is enough at a state depends on the state and on who moved last.
  Run run_to(std::uint32_t node, std::optional<Step> last = std::nullopt) {
    std::vector<Step> edges;
    if (last) edges.push_back(*last);
    for (; nodes_[node].parent != nobody; node = nodes_[node].parent) edges.push_back(nodes_[node].step);
    std::ranges::reverse(edges);
    machine_.restore(root_);
    Run run;
    const std::size_t steps = result_.counters.steps;  // these are not steps of the search
    for (const Step& step : edges) {
      const Expansion::Arrival arrival = expansion_.take(step, run);
      assert(!arrival.bound);
      static_cast<void>(arrival);
    }
    result_.counters.steps = steps;
    return run;
  }

  Machine& machine_;
  const SearchOptions& options_;
  SearchResult result_;
  StateStore store_;
  Expansion expansion_;
  FindingList findings_;
  std::deque<Waiting> waiting_;
  std::vector<Node> nodes_;
  std::vector<std::pair<std::size_t, std::uint32_t>> unfinished_;  // findings whose runs are not yet known, and nodes
  std::optional<std::uint32_t> target_;                            // the node, or the one before target_step_
  std::optional<Step> target_step_;
  std::vector<std::uint32_t> root_;
  std::vector<std::uint32_t> restored_;
  std::vector<std::uint32_t> key_;
  bool shared_ = false;
  bool ended_ = false;
};

}  // namespace

SearchResult frontier_search(Machine& machine, const SearchOptions& options) {
  return FrontierSearch{machine, options}.run();
}

}  // namespace lockwood::explorer
