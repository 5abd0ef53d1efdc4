#include "explorer/trace/trace.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::explorer {
namespace {

bool wakes_one(const Action& action) {
  return action.kind == ActionKind::Notify || action.kind == ActionKind::UnheldNotify;
}

bool is_possible(const Machine& machine, const Step& step) {
  if (step.thread.index() >= machine.threads().size()) return false;
  const ThreadView& thread = view(machine, step.thread);
  return thread.enabled && step.outcome < thread.outcomes;
}

std::optional<ThreadId> thread_named(const Machine& machine, const std::string& name) {
  for (std::size_t i = 0; i < machine.threads().size(); ++i)
    if (machine.name(ThreadId{i}) == name) return ThreadId{i};
  return std::nullopt;
}

std::optional<Step> step_of(const Machine& machine, const TraceStep& named) {
  const auto thread = thread_named(machine, named.thread);
  if (!thread) return std::nullopt;
  Step step{*thread, named.outcome};
  const ThreadView& standing = view(machine, *thread);
  if (named.woken) {
    if (!standing.enabled || !wakes_one(standing.next)) return std::nullopt;
    const auto waiting = waiting_for(machine, monitor_of(standing.next));
    const auto woken = thread_named(machine, *named.woken);
    const auto place = woken ? std::ranges::find(waiting, *woken) : waiting.end();
    if (place == waiting.end()) return std::nullopt;
    step.outcome = static_cast<std::uint32_t>(place - waiting.begin());
  }
  return is_possible(machine, step) ? std::optional{step} : std::nullopt;
}

}  // namespace

bool replay(Machine& machine, const Run& run) {
  return std::ranges::all_of(run, [&](const Step& step) { return is_possible(machine, step) && !machine.step(step); });
}

Trace trace_of(Machine& machine, const Run& run) {
  const std::size_t mark = machine.mark();
  Trace trace;
  for (const Step& step : run) {
    assert(is_possible(machine, step));
    TraceStep named{.thread = machine.name(step.thread), .outcome = step.outcome, .woken = {}};
    const Action& action = view(machine, step.thread).next;
    if (wakes_one(action)) {
      const auto waiting = waiting_for(machine, monitor_of(action));
      if (!waiting.empty()) {
        named.woken = machine.name(waiting[step.outcome]);
        named.outcome = 0;
      }
    }
    trace.push_back(std::move(named));
    const auto bound = machine.step(step);
    assert(!bound);
    static_cast<void>(bound);
  }
  machine.undo(mark);
  return trace;
}

std::optional<Run> follow(Machine& machine, const Trace& trace) {
  const std::size_t mark = machine.mark();
  Run run;
  for (const TraceStep& named : trace) {
    const auto step = step_of(machine, named);
    if (!step || machine.step(*step)) {
      machine.undo(mark);
      return std::nullopt;
    }
    run.push_back(*step);
  }
  return run;
}

}  // namespace lockwood::explorer
