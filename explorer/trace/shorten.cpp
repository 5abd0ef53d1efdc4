#include "explorer/trace/shorten.hpp"

#include <algorithm>
#include <cassert>

#include "explorer/trace/trace.hpp"

namespace lockwood::explorer {
namespace {

class ObservationTarget final : public Target {
 public:
  explicit ObservationTarget(ObservationKey key) : key_{std::move(key)} {}
  bool is_reached(const Machine& machine) override {
    const auto found = observations(machine, {});
    return std::ranges::any_of(found, [&](const Observation& observation) { return key_of(observation) == key_; });
  }
  bool allows_reduction() const override { return true; }  // races, deadlocks and failures
  std::optional<std::uint32_t> distance(const Machine&) override { return 0; }

 private:
  ObservationKey key_;
};

// Runs that begin where the machine is, and what they cost.
class Shortening {
 public:
  Shortening(Machine& machine, Target& target, const ShortenOptions& options)
      : machine_{machine}, target_{target}, stop_{options.stop}, steps_left_{options.max_replayed_steps} {}

  Run run(Run best) && {
    Cost cost = cost_of(best);
    bool better = true;
    while (better && !is_over()) better = drop_steps(best, cost) || merge_blocks(best, cost);
    return best;
  }

 private:
  using Cost = std::pair<std::size_t, std::size_t>;  // preemptions, then steps

  [[nodiscard]] bool is_over() const { return steps_left_ == 0 || stop_.stop_requested(); }

  Cost cost_of(const Run& run) { return {preemptions(machine_, run), run.size()}; }

  bool accept(Run candidate, Run& best, Cost& cost) {
    steps_left_ -= std::min(steps_left_, 2 * candidate.size());
    const std::size_t mark = machine_.mark();
    const bool leads_there = replay(machine_, candidate) && target_.is_reached(machine_);
    machine_.undo(mark);
    if (!leads_there) return false;
    const Cost now = cost_of(candidate);
    if (now >= cost) return false;
    best = std::move(candidate);
    cost = now;
    return true;
  }

  // All steps of one thread from some step on: nobody may need them. From the front, where the most can be dropped.
  bool drop_steps(Run& best, Cost& cost) {
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (is_over()) return false;
      Run candidate(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(i));
      std::copy_if(best.begin() + static_cast<std::ptrdiff_t>(i), best.end(), std::back_inserter(candidate),
                   [&](const Step& step) { return step.thread != best[i].thread; });
      if (accept(std::move(candidate), best, cost)) return true;
    }
    return false;
  }

  // The next block of the same thread comes right after this one, or this one right before it.
  bool merge_blocks(Run& best, Cost& cost) {
    std::size_t end = 0;
    for (std::size_t begin = 0; begin < best.size(); begin = end) {
      if (is_over()) return false;
      const ThreadId thread = best[begin].thread;
      for (end = begin; end < best.size() && best[end].thread == thread;) ++end;
      std::size_t next = end;
      while (next < best.size() && best[next].thread != thread) ++next;
      if (next == best.size()) continue;
      std::size_t next_end = next;
      while (next_end < best.size() && best[next_end].thread == thread) ++next_end;
      const auto at = [](Run& run, std::size_t index) { return run.begin() + static_cast<std::ptrdiff_t>(index); };
      Run earlier = best;
      std::rotate(at(earlier, end), at(earlier, next), at(earlier, next_end));
      if (accept(std::move(earlier), best, cost)) return true;
      Run later = best;
      std::rotate(at(later, begin), at(later, end), at(later, next));
      if (accept(std::move(later), best, cost)) return true;
    }
    return false;
  }

  Machine& machine_;
  Target& target_;
  StopToken stop_;
  std::size_t steps_left_;
};

}  // namespace

std::size_t preemptions(Machine& machine, const Run& run) {
  const std::size_t mark = machine.mark();
  std::size_t count = 0;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (i > 0 && run[i].thread != run[i - 1].thread && view(machine, run[i - 1].thread).enabled) ++count;
    const auto bound = machine.step(run[i]);
    assert(!bound);
    static_cast<void>(bound);
  }
  machine.undo(mark);
  return count;
}

Run shortened(Machine& machine, const Run& run, Target& target, const ShortenOptions& options) {
  Run best = run;
  const std::size_t count = preemptions(machine, best);
  if (count > 0 && options.max_states > 0) {
    SearchResult fewer = search(machine, {.order = Order::Preemptions,
                                          .oracles = options.oracles,
                                          .properties = {.races = false, .deadlocks = false, .failures = false},
                                          .target = &target,
                                          .max_states = options.max_states,
                                          .max_preemptions = count - 1,
                                          .stop = options.stop});
    if (fewer.target) best = std::move(*fewer.target);
  }
  return Shortening{machine, target, options}.run(std::move(best));
}

Finding shortened(Machine& machine, const Finding& finding, const ShortenOptions& options) {
  const ObservationKey key = key_of(finding.observation);
  ObservationTarget target{key};
  Finding result{finding.observation, shortened(machine, finding.run, target, options)};
  const std::size_t mark = machine.mark();
  const bool replayed = replay(machine, result.run);
  assert(replayed);
  static_cast<void>(replayed);
  for (Observation& observation : observations(machine, {}))
    if (key_of(observation) == key) result.observation = std::move(observation);
  machine.undo(mark);
  return result;
}

}  // namespace lockwood::explorer
