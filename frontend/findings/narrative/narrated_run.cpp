#include "frontend/findings/narrative/narrated_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockwood::findings {
namespace {

using explorer::ActionKind;

SourceStep narrated_step(const SourceTerms& terms, const program::RunStep& step) {
  const program::Program& program = terms.program();
  SourceStep source{.phase = 1,
                    .thread = step.thread,
                    .at = terms.place(step.at.procedure, step.at.point),
                    .what = describe(program, step.at.procedure, step.at.point)};
  if (step.value && step.variable)
    source.what = fmt::format("{} {} = {}", step.kind == ActionKind::Write ? "write" : "read",
                              program.variables[*step.variable].name, *step.value);
  if (step.kind == ActionKind::Acquire || step.kind == ActionKind::Reacquire) source.kind = StepKind::Acquire;
  if (step.kind == ActionKind::Release || step.kind == ActionKind::Wait) source.kind = StepKind::Release;
  if (source.kind != StepKind::Base) source.object = program.locks[*step.lock].name;
  if (step.kind == ActionKind::Start) {
    source.kind = StepKind::Spawn;
    source.object = step.others.front();
  } else if (!step.others.empty()) {
    source.what += fmt::format(", wakes {}", fmt::join(step.others, ", "));
  }
  return source;
}

}  // namespace

std::vector<SourceStep> narrated_steps(const SourceTerms& terms, const program::NarratedRun& run) {
  std::vector<SourceStep> steps;
  for (const program::RunStep& step : run.steps) steps.push_back(narrated_step(terms, step));
  return steps;
}

std::vector<ThreadAtEnd> narrated_threads(const SourceTerms& terms, const program::NarratedRun& run) {
  std::vector<ThreadAtEnd> threads;
  for (const program::RunEnd& end : run.threads) threads.push_back(narrated_thread(terms, end));
  return threads;
}

ThreadAtEnd narrated_thread(const SourceTerms& terms, const program::RunEnd& end) {
  ThreadAtEnd at_end{.thread = end.thread};
  for (const program::Sites::Location& place : end.stack)
    at_end.stack.push_back(
        {at_end.stack.empty() ? describe(terms.program(), place.procedure, place.point) : "called from",
         terms.place(place.procedure, place.point)});
  for (program::Lock lock : end.holds) at_end.holds.push_back(terms.program().locks[lock].name);
  return at_end;
}

}  // namespace lockwood::findings
