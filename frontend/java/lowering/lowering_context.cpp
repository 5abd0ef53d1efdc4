#include "frontend/java/lowering/lowering_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "frontend/java/lowering/carried_values.hpp"
#include "jvm/classfile/class_attributes.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {

LoweringContext::LoweringContext(const Facts& all_facts, program::Program& made, const JavaLoweringOptions& wanted)
    : facts{all_facts},
      flow{all_facts.flow},
      universe{all_facts.flow.universe()},
      options{wanted},
      program{made},
      cells{all_facts, made, wanted},
      locks{all_facts, cells, wanted.purpose},
      exceptions{all_facts.flow},
      isolation{all_facts, locks, wanted.purpose},
      sources{all_facts.flow.universe(), wanted.source_path, wanted.texts} {}

const Signature& LoweringContext::signature(CopyId copy) {
  const auto known = signatures_.find(copy);
  if (known != signatures_.end()) return known->second;
  const ProcedureId id = flow.copies()[copy].procedure;
  const Procedure& procedure = universe.procedure(id);
  const TrackedBooleans& booleans = facts.booleans;
  Signature made;
  if (follows_control()) made.parameters.push_back({control_parameter, Tracked::Value});
  for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
    if (follows_values()) {
      const auto& tracked = booleans.parameters[id.index()];
      made.parameters.push_back(
          {i, procedure.code && i < tracked.size() && tracked[i] ? Tracked::Boolean : Tracked::Value});
    } else if (procedure.parameters[i]) {
      if (options.isolation && isolation.is_parameter_wanted(id, i) &&
          cells.may_be_isolated(flow.objects(copy, *procedure.parameters[i])))
        for (std::size_t k = 0; k < isolated_count(options.purpose); ++k)
          made.parameters.push_back({i, Tracked::Isolated, k});
    } else if (procedure.code && i < booleans.parameters[id.index()].size() && booleans.parameters[id.index()][i]) {
      made.parameters.push_back({i, Tracked::Boolean});
    }
  }
  if (follows_values()) {
    if (procedure.code && booleans.results[id.index()])
      made.result = Tracked::Boolean;
    else if (!procedure.descriptor.ends_with(")V"))
      made.result = Tracked::Value;
  } else if (procedure.result) {
    if (options.isolation && isolation.is_result_wanted(id) &&
        cells.may_be_isolated(flow.objects(copy, *procedure.result)))
      made.result = Tracked::Isolated;
  } else if (procedure.code && booleans.results[id.index()]) {
    made.result = Tracked::Boolean;
  }
  return signatures_.emplace(copy, std::move(made)).first->second;
}

program::ProcedureId LoweringContext::procedure_of(CopyId copy) {
  const auto known = procedures_.find(copy);
  if (known != procedures_.end()) return known->second;
  const Procedure& procedure = flow.procedure(copy);
  const Signature& told = signature(copy);
  program::Procedure made;
  made.name = fmt::format("{}.{}", jvm::java_class_name(universe.hierarchy().name(procedure.owner)), procedure.name);
  made.copy = copies_[made.name]++;
  made.parameters = told.parameters.size();
  if (told.result) made.result = type_of(*told.result);
  made.range = sources.range(procedure, std::nullopt);
  for (const Signature::Parameter& parameter : told.parameters)
    if (parameter.number == control_parameter)
      made.locals.push_back({"", program::Type::Int, made.range});
    else
      made.locals.push_back({fmt::format("{}{}",
                                         parameter.tracked != Tracked::Isolated ? "p"
                                         : parameter.isolated == 0              ? "is"
                                                                                : "other",
                                         parameter.number),
                             type_of(parameter.tracked), made.range});
  const program::ProcedureId id = program.procedures.push_back(std::move(made));
  procedures_.emplace(copy, id);
  worklist_.push_back(copy);
  return id;
}

std::optional<CopyId> LoweringContext::next_copy() {
  if (worklist_.empty()) return std::nullopt;
  const CopyId next = worklist_.back();
  worklist_.pop_back();
  return next;
}

bool LoweringContext::runs_outside(jvm::ClassId type, CopyId copy) {
  auto known = outside_.find(type);
  if (known == outside_.end()) {
    known = outside_.emplace(type, std::set<CopyId>{}).first;
    std::vector<CopyId> stack = flow.entries();
    for (const auto& [other, initialiser] : flow.initialisers())
      if (other != type) stack.push_back(initialiser);
    while (!stack.empty()) {
      const CopyId next = stack.back();
      stack.pop_back();
      if (!known->second.insert(next).second) continue;
      for (const CallEdge& edge : flow.calls_of(next)) stack.push_back(edge.callee);
    }
  }
  return known->second.contains(copy);
}

program::Variable LoweringContext::thrown_value() {
  if (!thrown_value_)
    thrown_value_ = program.variables.push_back(
        {.name = "the thrown exception", .initial = 0, .range = {}, .races = false, .one_place = false});
  return *thrown_value_;
}

std::uint32_t LoweringContext::mark(std::size_t row, ValueRole role, ProcedureId procedure, jvm::InstructionId at,
                                    const program::SourceRange& range) {
  const auto [known, is_new] =
      marks_.emplace(std::tuple{row, role, procedure, at}, static_cast<std::uint32_t>(marks.size()));
  if (is_new) marks.push_back({row, role, universe.place(universe.procedure(procedure), at), range});
  return known->second;
}

std::uint32_t LoweringContext::guess(const std::string& text) {
  const auto [row, is_new] = guesses_.emplace(text, static_cast<std::uint32_t>(program.guesses.size()));
  if (is_new) program.guesses.push_back(text);
  return row->second;
}

void LoweringContext::assume(AssumptionKind kind, std::string place, std::string text,
                             const std::optional<CodePlace>& at) {
  AssumptionUse& use = assumptions[{kind, std::move(place), std::move(text)}];
  ++use.times;
  if (!at) return;
  const Procedure& procedure = flow.procedure(at->copy);
  const auto line = procedure.code->body.instructions[at->instruction].line;
  if (!line) return;
  use.lines.emplace(sources.range(procedure, line).file, *line);
}

std::string LoweringContext::line_text(const Procedure& procedure, jvm::InstructionId at) const {
  const jvm::ClassFile* const file = universe.hierarchy().file(procedure.owner);
  const auto line = procedure.code->body.instructions[at].line;
  const std::string source{file == nullptr ? "" : jvm::source_file(*file).value_or("")};
  if (!line || source.empty()) return universe.name(procedure);
  return fmt::format("{}:{}", source, *line);
}

void set_locks(program::MonitorRegion& region, std::vector<program::LockChoice> choices) {
  const bool certain = choices.size() == 1 && choices.front().lock && choices.front().conditions.empty();
  if (certain && choices.front().blocks)
    region.lock = choices.front().lock;
  else
    region.choices = std::move(choices);
}

program::Point enter_region(LoweringContext& context, Graph& graph, program::Region region) {
  const program::Point enter = graph.add(program::Enter{region});
  graph.procedure().regions[region].enter = enter;
  const auto& choices = graph.procedure().regions[region].choices;
  for (std::size_t i = 1; i < choices.size(); ++i)
    if (choices[i].conditions == choices[i - 1].conditions)
      graph.procedure().points[enter].guess = context.guess("which object is locked");
  return enter;
}

program::Point lower_region(LoweringContext& context, Graph& graph, std::vector<program::LockChoice> choices,
                            const RegionBody& body, program::Point next, const ExceptionTargets& targets) {
  const auto outer = graph.region();
  program::MonitorRegion made;
  made.parent = outer;
  made.range = graph.location().range;
  made.exits = {next};
  set_locks(made, std::move(choices));
  const program::Region region = graph.procedure().regions.push_back(std::move(made));
  std::map<program::ExceptionClass, std::size_t> exits;  // by class
  graph.in(region);
  const program::Point leave = graph.add(program::Leave{0});
  const ExceptionTargets inner = [&](program::ExceptionClass thrown) {
    const auto inside = graph.region();
    auto known = exits.find(thrown);
    if (known == exits.end()) {
      graph.in(outer);
      const program::Point outside = targets(thrown);
      known = exits.emplace(thrown, graph.procedure().regions[region].exits.size()).first;
      graph.procedure().regions[region].exits.push_back(outside);
    }
    graph.in(inside);
    assert(inside == region);
    return graph.add(program::Leave{known->second});
  };
  const program::Point entry = body(leave, inner);
  graph.in(outer);
  graph.procedure().regions[region].body = entry;
  return enter_region(context, graph, region);
}

program::Expression argument_for(Graph& graph, const Signature::Parameter& parameter, const PassedValues& passed) {
  const program::Expression value =
      parameter.number < passed.value.size() ? passed.value[parameter.number] : program::constant(0);
  if (parameter.tracked == Tracked::Value) return value;
  if (parameter.tracked == Tracked::Boolean)
    return carrying(parameter.number < passed.boolean.size() ? passed.boolean[parameter.number] : graph.unknown(),
                    {value});
  if (parameter.number >= passed.isolated.size()) return graph.unknown();
  const IsolatedFlags& flags = passed.isolated[parameter.number];
  if (!flags.known) return graph.unknown();
  return flags.never() ? program::constant(0) : program::value_of(flags.is[parameter.isolated]);
}

program::Point decide(LoweringContext& context, Graph& graph, const program::Expression& value,
                      std::vector<program::Point> targets, std::optional<std::uint32_t> guess) {
  if (!context.follows_control()) return graph.choose(std::move(targets), guess);
  std::ranges::sort(targets);
  const auto rest = std::unique(targets.begin(), targets.end());
  targets.erase(rest, targets.end());
  program::Point made = targets.back();
  const program::Expression condition = carrying(graph.unknown(), {value});
  for (std::size_t i = targets.size() - 1; i-- > 0;) {
    made = graph.add(program::Branch{condition, targets[i], made, {}});
    graph.procedure().points[made].guess = guess;
  }
  return made;
}

program::Point lower_access(LoweringContext& context, Graph& graph, const Targets<program::Variable>& targets,
                            bool writes, std::uint32_t ordinal, const IsolatedFlags& isolated, program::Point next,
                            const AccessedValue& value) {
  if (context.options.purpose == Purpose::Deadlocks) return next;
  const auto access = [&](program::Variable variable) {
    const auto target = [&] {
      return value.target ? *value.target : std::get<program::Local>(graph.unknown().postfix.front());
    };
    const program::Point made =
        writes ? graph.add(program::Write{variable, value.written.value_or(program::constant(0)), next})
               : graph.add(program::Read{variable, target(), next});
    graph.procedure().points[made].ordinal = ordinal;
    return made;
  };
  const std::uint32_t which = context.guess("which objects are the same");
  std::vector<program::Point> others;
  for (program::Variable variable : targets.unique) others.push_back(access(variable));
  if (!targets.isolated || isolated.never()) {
    if (targets.isolated || targets.none || others.empty()) others.push_back(next);
    return graph.choose(std::move(others), which);
  }
  others.push_back(next);  // of an object that is not the isolated one
  const program::Point of_isolated = access(*targets.isolated);
  if (isolated.known)
    return graph.add(program::Branch{
        program::value_of(isolated.is.front()), of_isolated, graph.choose(std::move(others), which), {}});
  others.push_back(of_isolated);
  return graph.choose(std::move(others), which);
}

}  // namespace lockwood::java
