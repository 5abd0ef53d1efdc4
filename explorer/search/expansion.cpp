#include "explorer/search/expansion.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::explorer {

Expansion::Expansion(Machine& machine, const SearchOptions& options, SearchResult& result)
    : machine_{machine}, options_{options}, result_{result}, frozen_sets_{options.dependence, options.oracles} {}

void Expansion::compute_enough(std::optional<ThreadId> current) {
  if (options_.reduction == Reduction::Frozen && options_.order != Order::Preemptions) {
    const auto chosen = frozen_sets_.choose(machine_, current);
    enough_.assign(chosen.begin(), chosen.end());
    return;
  }
  const auto threads = machine_.threads();
  enough_.clear();
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (threads[i].enabled) enough_.emplace_back(i);
  // Another thread than the current one would cost a preemption, so that only the current one can be enough.
  const bool can_go_on = current && current->index() < threads.size() && threads[current->index()].enabled;
  if (options_.reduction == Reduction::Frozen && can_go_on && enough_.size() > 1 &&
      frozen_sets_.is_valid_alone(machine_, *current))
    enough_.assign(1, *current);
}

void Expansion::steps_from_here(std::optional<ThreadId> current, bool expand_all, Steps& steps) {
  known_ = false;
  compute_enough(current);
  list_steps(current, expand_all, steps);
}

void Expansion::steps_from_arrival(std::optional<ThreadId> current, Steps& steps) {
  if (!known_) {
    compute_enough(current);
    expand_all_ = false;
  }
  known_ = false;
  list_steps(current, expand_all_, steps);
}

void Expansion::list_steps(std::optional<ThreadId> current, bool expand_all, Steps& steps) {
  result_.counters.questions = frozen_sets_.questions();
  steps.steps.clear();
  const auto threads = machine_.threads();
  const auto add = [&](ThreadId thread) {
    for (std::uint32_t outcome = 0; outcome < threads[thread.index()].outcomes; ++outcome)
      steps.steps.push_back({thread, outcome});
  };
  for (ThreadId thread : enough_) add(thread);
  steps.enough = steps.steps.size();
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (threads[i].enabled && std::ranges::find(enough_, ThreadId{i}) == enough_.end()) add(ThreadId{i});
  if (!expand_all) return;
  steps.enough = steps.steps.size();
  // Others first: the current thread has had its turn.
  if (current)
    std::stable_partition(steps.steps.begin(), steps.steps.end(),
                          [&](const Step& step) { return step.thread != *current; });
}

std::optional<Step> Expansion::only_step(ThreadId current) {
  compute_enough(current);
  if (enough_.size() != 1 || view(machine_, enough_.front()).outcomes != 1) return std::nullopt;
  return Step{enough_.front(), 0};
}

Expansion::Arrival Expansion::take(Step step, Run& run) {
  Arrival arrival{.bound = {}, .expand_all = false, .current = step.thread, .reached_target = false};
  known_ = false;
  for (std::size_t unstored = 0;; ++unstored) {
    assert(view(machine_, step.thread).enabled);
    assert(step.outcome < view(machine_, step.thread).outcomes);
    ++result_.counters.steps;
    run.push_back(step);
    arrival.current = step.thread;
    arrival.bound = machine_.step(step);
    if (arrival.bound) return arrival;
    // Without a reduction every state is stored.
    if (options_.reduction == Reduction::None) return arrival;
    if (options_.target != nullptr && options_.target->is_reached(machine_)) {
      arrival.reached_target = true;
      return arrival;
    }
    const ThreadView& moved = view(machine_, step.thread);
    const bool paused = moved.status == ThreadStatus::Standing && moved.next.kind == ActionKind::Pause;
    const std::optional<Step> next = only_step(step.thread);
    known_ = true;
    expand_all_ = arrival.expand_all = paused || (next && unstored >= options_.max_unstored);
    if (!next || arrival.expand_all) return arrival;
    known_ = false;
    step = *next;
  }
}

std::size_t FindingList::add(const Machine& machine) {
  std::size_t added = 0;
  for (Observation& observation : observations(machine, options_.properties)) {
    ObservationKey key = key_of(observation);
    const auto place = std::ranges::lower_bound(keys_, key);
    if (place != keys_.end() && *place == key) continue;
    keys_.insert(place, std::move(key));
    result_.findings.push_back({std::move(observation), {}});
    ++added;
  }
  return added;
}

}  // namespace lockwood::explorer
