#include "explorer/search/value_schedules.hpp"

#include <algorithm>
#include <cassert>

#include "explorer/search/expansion.hpp"

namespace lockwood::explorer {
namespace {

constexpr std::uint32_t no_node = std::numeric_limits<std::uint32_t>::max();

using Plan = std::vector<ThreadId>;  // suspended threads, the latest one last

bool is_in(const std::vector<ThreadId>& threads, ThreadId thread) {
  return std::ranges::find(threads, thread) != threads.end();
}

Plan with(Plan plan, ThreadId thread) {
  plan.push_back(thread);
  return plan;
}

PairClass class_of(const Action& action) {
  switch (action.kind) {
    case ActionKind::Read:
    case ActionKind::Write: return PairClass::ReadWrite;
    case ActionKind::Wait:
    case ActionKind::UnheldWait:
    case ActionKind::Notify:
    case ActionKind::NotifyAll:
    case ActionKind::UnheldNotify:
    case ActionKind::UnheldNotifyAll: return PairClass::WaitNotify;
    case ActionKind::Reacquire: return PairClass::WaitMonitor;
    case ActionKind::Acquire: return PairClass::MonitorMonitor;
    default: return PairClass::Other;
  }
}

// Where a path may begin.
struct Point {
  std::uint32_t node;  // that is stored
  Plan plan;
  std::vector<ThreadId> tried;   // have moved here already, and are not suspended
  std::optional<Step> step;      // another outcome of a step that was taken: it comes first
  std::optional<ThreadId> last;  // who moved last
  std::size_t turned = 0;        // pairs on the way
  PairClass pair = PairClass::Other;
  std::size_t number = 0;  // in the order of creation
};

struct Worse {
  bool operator()(const Point& a, const Point& b) const {
    if (a.turned != b.turned) return a.turned > b.turned;
    if (a.pair != b.pair) return a.pair > b.pair;
    return a.number < b.number;
  }
};

class ValueSchedules {
 public:
  ValueSchedules(Machine& machine, const ValueScheduleOptions& options)
      : machine_{machine},
        options_{options},
        search_{.properties = options.properties},
        findings_{search_, result_.search},
        frozen_sets_{options.dependence, options.oracles} {}

  ValueScheduleResult run() && {
    const auto root = machine_.components();
    root_.assign(root.begin(), root.end());
    nodes_.push_back({.parent = no_node, .step = {ThreadId{0}, 0}, .state = {}, .depth = 0});
    look(0);
    if (!ended_) follow({.node = 0, .plan = {}, .tried = {}, .step = {}, .last = {}});
    while (!points_.empty() && !ended_) {
      std::ranges::pop_heap(points_, Worse{});
      Point point = std::move(points_.back());
      points_.pop_back();
      restore(point.node);
      follow(std::move(point));
    }
    for (const auto& [finding, node] : unfinished_) result_.search.findings[finding].run = run_to(node);
    machine_.restore(root_);
    Counters& counters = result_.search.counters;
    counters.store_bytes = store_.bytes() + nodes_.capacity() * sizeof(Node);
    counters.questions = frozen_sets_.questions();
    counters.pruned = result_.dropped;
    return std::move(result_);
  }

 private:
  struct Node {
    std::uint32_t parent;
    Step step;                         // from there
    std::optional<StateNumber> state;  // if it is stored: where there is something to choose, or where a path ends
    std::uint32_t depth;
  };
  // The point where the last choice of a path was made, and what is possible there instead: kept when the path has got
  // to the next stored node.
  struct Choice {
    Point point;
    ThreadId moved;
    enum class Then {
      Suspend,  // the thread that has moved, if it came to something new; else it could be postponed for ever
      Others,   // have their turn: it pauses
      IfOld     // nobody can wake it, so that others matter only if it came to nothing new
    } then;
  };

  void keep(Point point) {
    point.number = kept_++;
    points_.push_back(std::move(point));
    std::ranges::push_heap(points_, Worse{});
  }

  void look(std::uint32_t node) {
    Counters& counters = result_.search.counters;
    counters.max_depth = std::max<std::size_t>(counters.max_depth, nodes_[node].depth);
    const std::size_t added = findings_.add(machine_);
    for (std::size_t i = result_.search.findings.size() - added; i < result_.search.findings.size(); ++i)
      unfinished_.emplace_back(i, node);
    if (added > 0 && options_.first_finding_only) {
      result_.search.omissions.finding = true;
      ended_ = true;
    }
  }

  // Stores the node, at which the machine is. False if another one stands for it.
  bool store(std::uint32_t node, const Plan& plan) {
    const Inserted inserted = store_.insert(machine_.components());
    nodes_[node].state = inserted.number;
    if (inserted.is_new) {
      plans_.emplace_back();
      if (options_.listener != nullptr) options_.listener->visit(machine_);
    }
    if (options_.match) {
      Plan sorted = plan;
      std::ranges::sort(sorted);
      std::vector<Plan>& known = plans_[inserted.number.index()];
      if (std::ranges::any_of(known, [&](const Plan& other) { return std::ranges::includes(sorted, other); })) {
        ++result_.search.counters.matched;
        return false;
      }
      std::erase_if(known, [&](const Plan& other) { return std::ranges::includes(other, sorted); });
      known.push_back(std::move(sorted));
    }
    ++result_.search.counters.states;
    return true;
  }

  // Goes on from a point, at which the machine is, until the path ends, is dropped, or comes to a node that another one
  // stands for.
  void follow(Point point) {
    std::optional<Choice> choice;
    const bool is_new = walk(point, choice);
    if (choice) decide(*std::move(choice), is_new);
  }

  void decide(Choice choice, bool is_new) {
    if (is_new && choice.then == Choice::Then::IfOld) return;
    if (is_new && choice.then == Choice::Then::Suspend)
      choice.point.plan.push_back(choice.moved);
    else
      choice.point.tried.push_back(choice.moved);
    ++result_.search.counters.choices;
    keep(std::move(choice.point));
  }

  // False if the path has ended at a node that another one stands for. `choice` is the last one on it that is not
  // decided.
  bool walk(Point& point, std::optional<Choice>& choice) {
    std::optional<ThreadId> forced;  // who has been woken goes next
    for (std::size_t steps = 0; !ended_; ++steps) {
      if (const auto reason = options_.stop.reason()) {
        result_.search.omissions.stopped = reason;
        ended_ = true;
        break;
      }
      if (result_.search.counters.states >= options_.max_states || nodes_.size() >= no_node - 1) {
        result_.search.omissions.states = true;
        ended_ = true;
        break;
      }
      if ((++rounds_ & 255U) == 0) options_.stop.report_progress({result_.search.counters.states, points_.size()});
      const bool is_kept = nodes_[point.node].state.has_value();  // it was decided before
      find_candidates(point);
      if (is_final(machine_)) {
        if (!is_kept && !arrive(point, choice)) return false;
        ++result_.schedules;
        if (std::ranges::any_of(machine_.threads(), &ThreadView::is_blocked)) ++result_.deadlocked;
        break;
      }
      if (nodes_[point.node].depth >= options_.max_depth) {
        result_.search.omissions.depth = true;
        break;
      }
      if (!point.plan.empty() && (candidates_.empty() || !frozen_sets_.can_wake_all(machine_, point.plan))) {
        if (point.tried.empty()) ++result_.dropped;
        break;
      }
      if (candidates_.empty()) break;
      const bool tired = steps >= options_.max_path;
      const bool is_known = point.step.has_value();  // what is possible instead is kept already
      const Step step = is_known ? *point.step : Step{first_of(point, forced), 0};
      const ThreadView moving = view(machine_, step.thread);
      const bool pauses = tired || moving.next.kind == ActionKind::Pause;
      const bool has_others = !is_known && candidates_.size() > 1;
      const bool suspends = has_others && !pauses && frozen_sets_.can_wake_all(machine_, with(point.plan, step.thread));
      const bool chooses = (has_others && (suspends || pauses)) || (!is_known && moving.outcomes > 1) || tired;
      if (chooses && !is_kept && !arrive(point, choice)) return false;
      if (is_known) {
        assert(is_kept);
      } else if (has_others && (suspends || pauses || is_kept)) {
        Point others = point;
        others.turned += 1;
        others.pair = class_of(moving.next);
        using enum Choice::Then;
        choice = Choice{
            .point = std::move(others), .moved = step.thread, .then = suspends ? Suspend : (pauses ? Others : IfOld)};
      }
      if (!is_known)
        for (std::uint32_t outcome = 1; outcome < moving.outcomes; ++outcome) {
          Point other = point;
          other.step = Step{step.thread, outcome};
          other.turned += 1;
          other.pair = class_of(moving.next);
          keep(std::move(other));
        }
      if (tired) {
        ++point.turned;
        keep(std::move(point));
        break;
      }
      if (!advance(point, step, forced)) break;
    }
    return true;
  }

  // At a node that is to be stored. What was chosen before is decided.
  bool arrive(const Point& point, std::optional<Choice>& choice) {
    const bool is_new = store(point.node, point.plan);
    std::optional<Choice> made;
    std::swap(made, choice);
    if (made) decide(*std::move(made), is_new);
    return is_new;
  }

  void find_candidates(const Point& point) {
    candidates_.clear();
    for (std::size_t i = 0; i < machine_.threads().size(); ++i)
      if (machine_.threads()[i].enabled && !is_in(point.plan, ThreadId{i}) && !is_in(point.tried, ThreadId{i}))
        candidates_.emplace_back(i);
  }

  // Who goes first: any order is right.
  ThreadId first_of(const Point& point, std::optional<ThreadId> forced) {
    // A thread that pauses would run alone for ever.
    const auto pauses = [&](ThreadId thread) { return view(machine_, thread).next.kind == ActionKind::Pause; };
    const bool all_pause = std::ranges::all_of(candidates_, pauses);
    const auto fits = [&](ThreadId thread) { return all_pause || !pauses(thread); };
    if (forced && is_in(candidates_, *forced) && fits(*forced)) return *forced;
    const bool can_go_on = point.last && is_in(candidates_, *point.last) && fits(*point.last);
    for (auto z = point.plan.rbegin(); z != point.plan.rend(); ++z) {
      const auto wakes = [&](ThreadId thread) {
        return fits(thread) && frozen_sets_.can_wake(machine_, thread, *z, point.plan);
      };
      if (can_go_on && wakes(*point.last)) return *point.last;
      const auto waker = std::ranges::find_if(candidates_, wakes);
      if (waker != candidates_.end()) return *waker;
    }
    return can_go_on ? *point.last : *std::ranges::find_if(candidates_, fits);
  }

  // Takes the step; the point becomes the one behind it. False if a bound was met.
  bool advance(Point& point, Step step, std::optional<ThreadId>& forced) {
    const Action action = view(machine_, step.thread).next;
    Plan still;
    forced.reset();
    for (ThreadId z : point.plan) {
      if (dependent_in_runs(options_.dependence, view(machine_, z).next, action))
        forced = z;
      else
        still.push_back(z);
    }
    ++result_.search.counters.steps;
    if (const auto bound = machine_.step(step)) {
      result_.search.omissions.bounds[static_cast<std::size_t>(*bound)] = true;
      return false;
    }
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({.parent = point.node, .step = step, .state = {}, .depth = nodes_[point.node].depth + 1});
    point = {.node = node,
             .plan = std::move(still),
             .tried = {},
             .step = {},
             .last = step.thread,
             .turned = point.turned,
             .pair = PairClass::Other};
    look(node);
    return true;
  }

  void restore(std::uint32_t node) {
    store_.components_of(*nodes_[node].state, restored_);
    machine_.restore(restored_);
  }

  [[nodiscard]] Run run_to(std::uint32_t node) const {
    Run run;
    for (; nodes_[node].parent != no_node; node = nodes_[node].parent) run.push_back(nodes_[node].step);
    std::ranges::reverse(run);
    return run;
  }

  Machine& machine_;
  const ValueScheduleOptions& options_;
  SearchOptions search_;
  ValueScheduleResult result_;
  FindingList findings_;
  FrozenSets frozen_sets_;
  ExactStore store_;
  std::vector<std::vector<Plan>> plans_;  // by state: with which it was met, ascending, none a subset of another
  std::vector<Node> nodes_;
  std::vector<Point> points_;                                      // a heap
  std::vector<std::pair<std::size_t, std::uint32_t>> unfinished_;  // findings whose runs are not yet known, and nodes
  std::vector<std::uint32_t> root_;
  std::vector<std::uint32_t> restored_;
  std::vector<ThreadId> candidates_;
  std::size_t kept_ = 0;
  std::size_t rounds_ = 0;
  bool ended_ = false;
};

}  // namespace

ValueScheduleResult value_schedule_search(Machine& machine, const ValueScheduleOptions& options) {
  return ValueSchedules{machine, options}.run();
}

}  // namespace lockwood::explorer
