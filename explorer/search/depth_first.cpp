#include "explorer/search/depth_first.hpp"

#include <algorithm>
#include <cassert>

#include "explorer/search/expansion.hpp"

namespace lockwood::explorer {
namespace {

// A state on the way from the initial one to the current one. Its steps lie in a stack of their own.
struct DepthFrame {
  std::optional<StateNumber> number;
  std::size_t mark;        // of the machine
  std::size_t run_size;    // steps that lead here
  std::size_t first_step;  // in pending_
  std::size_t next_step;
  std::size_t enough_end;  // steps that are explored at least
  std::size_t all_end;
  bool progress = false;  // the proviso holds: see expand()
};

class DepthFirst {
 public:
  DepthFirst(Machine& machine, const SearchOptions& options)
      : machine_{machine},
        options_{options},
        store_{options.store},
        expansion_{machine, options, result_},
        findings_{options, result_} {}

  SearchResult run() && {
    if (!store_.is_exact()) result_.omissions.hashing = true;
    const std::size_t root = machine_.mark();
    enter(store_.insert(machine_.components()), std::nullopt);
    while (!frames_.empty() && !ended_) advance();
    machine_.undo(root);
    result_.counters.states = store_.size();
    result_.counters.store_bytes = store_.bytes();
    result_.omission_probability = store_.omission_probability();
    return std::move(result_);
  }

 private:
  // The machine is at a new state.
  void enter(const StateStore::Visit& visit, std::optional<ThreadId> current) {
    if (options_.listener != nullptr) options_.listener->visit(machine_);
    result_.counters.max_depth = std::max(result_.counters.max_depth, run_.size());
    const std::size_t added = findings_.add(machine_);
    for (std::size_t i = result_.findings.size() - added; i < result_.findings.size(); ++i)
      result_.findings[i].run = run_;
    if (added > 0 && options_.first_finding_only) return end_at_finding();
    if (options_.target != nullptr) {
      if (options_.target->is_reached(machine_)) return end_at_target();
      if (!options_.target->distance(machine_)) return;
    }
    if (run_.size() >= options_.max_depth) {
      result_.omissions.depth = result_.omissions.depth || !is_final(machine_);
      return;
    }
    if (store_.size() >= options_.max_states) {
      result_.omissions.states = true;
      ended_ = true;
      return;
    }
    expansion_.steps_from_arrival(current, steps_);
    if (visit.number) mark_on_stack(*visit.number, true);
    const std::size_t first = pending_.size();
    pending_.insert(pending_.end(), steps_.steps.begin(), steps_.steps.end());
    frames_.push_back({.number = visit.number,
                       .mark = machine_.mark(),
                       .run_size = run_.size(),
                       .first_step = first,
                       .next_step = first,
                       .enough_end = first + steps_.enough,
                       .all_end = pending_.size()});
    if (steps_.enough > 1) ++result_.counters.choices;
  }

  void advance() {
    DepthFrame& frame = frames_.back();
    if (const auto reason = options_.stop.reason()) {
      result_.omissions.stopped = reason;
      ended_ = true;
      return;
    }
    // The proviso against ignoring: if all steps of a reduced set lead back to the stack, the other threads could be
    // postponed for ever. Then they have their turn here.
    if (frame.next_step == frame.enough_end && !frame.progress && frame.enough_end < frame.all_end) {
      frame.enough_end = frame.all_end;
      ++result_.counters.full_expansions;
    }
    if (frame.next_step == frame.enough_end) {
      if (frame.number) mark_on_stack(*frame.number, false);
      pending_.resize(frame.first_step);
      frames_.pop_back();
      return;
    }
    const Step step = pending_[frame.next_step++];
    machine_.undo(frame.mark);
    run_.resize(frame.run_size);
    const Expansion::Arrival arrival = expansion_.take(step, run_);
    if (arrival.bound) {
      result_.omissions.bounds[static_cast<std::size_t>(*arrival.bound)] = true;
      frame.progress = true;
      return;
    }
    if (arrival.reached_target) return end_at_target();
    const StateStore::Visit visit = store_.insert(machine_.components());
    // A lossy store does not know what is on the stack; that the state is new is enough to know that it is not.
    frame.progress = frame.progress || visit.is_new || (visit.number && !is_on_stack(*visit.number));
    if (visit.is_new)
      enter(visit, arrival.current);
    else
      ++result_.counters.matched;
    if ((++moves_ & 1023U) == 0) options_.stop.report_progress({store_.size(), result_.counters.matched});
  }

  void end_at_finding() {
    result_.omissions.finding = true;
    ended_ = true;
  }
  void end_at_target() {
    result_.target = run_;
    end_at_finding();
  }
  [[nodiscard]] bool is_on_stack(StateNumber state) const {
    return state.index() < on_stack_.size() && on_stack_[state.index()];
  }
  void mark_on_stack(StateNumber state, bool value) {
    if (on_stack_.size() <= state.index()) on_stack_.resize(std::max(state.index() + 1, 2 * on_stack_.size()));
    assert(on_stack_[state.index()] != value);
    on_stack_[state.index()] = value;
  }

  Machine& machine_;
  const SearchOptions& options_;
  SearchResult result_;
  StateStore store_;
  Expansion expansion_;
  FindingList findings_;
  std::vector<DepthFrame> frames_;
  std::vector<Step> pending_;
  Expansion::Steps steps_;
  Run run_;
  std::vector<bool> on_stack_;  // by state
  std::size_t moves_ = 0;
  bool ended_ = false;
};

}  // namespace

SearchResult depth_first_search(Machine& machine, const SearchOptions& options) {
  return DepthFirst{machine, options}.run();
}

}  // namespace lockwood::explorer
