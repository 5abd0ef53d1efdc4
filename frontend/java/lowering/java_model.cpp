#include "frontend/java/lowering/java_model.hpp"

#include <algorithm>

#include "frontend/java/facts/facts.hpp"
#include "frontend/java/lowering/initialisers.hpp"
#include "frontend/java/lowering/lowering_context.hpp"
#include "frontend/program/lowering/inlining.hpp"
#include "frontend/program/lowering/merging.hpp"

namespace lockwood::java {
namespace {

constexpr std::string_view main_name = "main thread";

// The main thread: initialisers that run before everything else, and then main.
void lower_main(LoweringContext& context, program::ProcedureId id) {
  program::Procedure made = std::move(context.program.procedures[id]);
  Graph graph{made};
  const CopyId main = context.flow.entries().front();
  const auto& instructions = context.flow.procedure(main).code->body.instructions;
  const auto first = std::ranges::find_if(instructions, [](const auto& each) { return each.line.has_value(); });
  graph.at(
      {context.sources.range(context.flow.procedure(main), first == instructions.end() ? std::nullopt : first->line),
       0});
  made.range = graph.location().range;
  const program::Point end = graph.add(program::Return{});
  const ExceptionTargets uncaught = [&](program::ExceptionClass thrown) { return graph.add(program::Raise{thrown}); };
  const auto call = [&](CopyId copy, program::Point next) {
    const Procedure& procedure = context.flow.procedure(copy);
    PassedValues passed;
    passed.isolated.assign(procedure.parameters.size(), IsolatedFlags::unknown());
    passed.boolean.assign(procedure.parameters.size(), graph.unknown());
    return lower_call(context, graph, {copy, std::move(passed), {}, {}}, next, uncaught, {}, 0);
  };
  program::Point next = call(main, end);
  if (context.main_class) next = lower_trigger(context, graph, *context.main_class, std::nullopt, next);
  for (const auto& [type, copy] : context.flow.initialisers())
    if (context.simple_initialisers.contains(type)) {
      const ExceptionTargets ignored = [&](program::ExceptionClass) { return next; };
      next = lower_call(context, graph, {copy, {}, {}, {}}, next, ignored, {}, 0);
    }
  made.entry = next;
  graph.finish();
  context.program.procedures[id] = std::move(made);
}

}  // namespace

const char* to_string(AssumptionKind kind) {
  switch (kind) {
    case AssumptionKind::MoreSchedules: return "more schedules";
    case AssumptionKind::AssumedLibrary: return "assumed library";
    case AssumptionKind::Gap: return "gap";
  }
  return "";
}

JavaModel java_model(const Facts& facts, const JavaLoweringOptions& wanted, StopToken stop) {
  JavaModel model;
  JavaLoweringOptions options = wanted;
  if (options.values != FollowedValues::None) {
    options.accesses = ModelledAccesses::All;
    options.isolation = false;
  }
  model.program.exact = false;
  LoweringContext context{facts, model.program, options};
  context.simple_initialisers = simple_initialisers(facts);
  if (!facts.flow.entries().empty()) context.main_class = facts.flow.procedure(facts.flow.entries().front()).owner;
  program::Procedure main;
  main.name = main_name;
  model.program.main = model.program.procedures.push_back(std::move(main));
  lower_main(context, model.program.main);
  while (const auto copy = context.next_copy()) {
    stop.check();
    lower_copy(context, *copy);
  }
  for (const Gap& gap : facts.flow.gaps()) context.assume(AssumptionKind::Gap, gap.place, gap.text);
  if (options.values == FollowedValues::None) {
    program::inline_waits(model.program);
    if (options.merging) program::merge_copies(model.program);
  }
  model.program.files = context.sources.files();
  model.texts = context.sources.texts();
  model.marks = std::move(context.marks);
  model.assumptions.assign(context.assumptions.begin(), context.assumptions.end());
  check_invariants(model.program);
  return model;
}

}  // namespace lockwood::java
