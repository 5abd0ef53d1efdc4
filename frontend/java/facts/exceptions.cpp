#include "frontend/java/facts/exceptions.hpp"

#include <algorithm>
#include <set>

#include "frontend/java/pointsto/handlers.hpp"

namespace lockwood::java {

using namespace jvm;

namespace {

const ObjectSet nothing;
constexpr std::size_t max_phis = 8;  // of exceptions that are looked through

}  // namespace

Exceptions::Exceptions(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes,
                       const Nullness& nullness, const ImplicitFacts& implicit, const ThreadFacts& threads,
                       const HeldReceivers& held, StopToken stop)
    : flow_{flow},
      calls_{calls},
      shapes_{shapes},
      nullness_{nullness},
      implicit_{implicit},
      threads_{threads},
      held_{held},
      thrown_(flow.copies().size()),
      caught_(flow.copies().size()) {
  std::set<CopyId> waiting;
  for (CopyId copy : flow.copies().keys()) waiting.insert(copy);
  while (!waiting.empty()) {
    stop.check();
    // Callees are mostly made after their callers.
    const CopyId copy = *waiting.rbegin();
    waiting.erase(copy);
    if (!update(copy)) continue;
    for (const CallEdge& edge : flow.callers(copy))
      if (flow.call(edge).flavor != CallFlavor::Spawn) waiting.insert(edge.caller);
  }
}

const ObjectSet& Exceptions::caught(CopyId copy, Block handler) const {
  const auto found = caught_[copy].find(handler);
  return found == caught_[copy].end() ? nothing : found->second;
}

// Whether the exceptions of the copy have become more.
bool Exceptions::update(CopyId copy) {
  const Procedure& procedure = flow_.procedure(copy);
  ObjectSet leaving;
  if (!procedure.code) {
    leaving = thrown_by_library(copy);
  } else {
    // What a handler catches may be thrown again by a later or an earlier block.
    for (bool changed = true; changed;) {
      changed = false;
      leaving = {};
      for (Block block : procedure.code->body.blocks.keys()) {
        ObjectSet raised;
        for (InstructionId at : procedure.code->body.instructions_of(block)) raised.unite(thrown_at(copy, at));
        if (!raised.empty()) leaving.unite(pass_handlers(copy, block, std::move(raised), changed));
      }
    }
  }
  ObjectSet news;
  thrown_[copy].unite(leaving, news);
  return !news.empty();
}

ObjectSet Exceptions::filtered(const TypeFilter& filter, const ObjectSet& objects) const {
  if (!filter.wanted && filter.not_wanted.empty()) return objects;
  const FilterId id = flow_.universe().filter(filter);
  ObjectSet result;
  objects.for_each([&](ObjectId object) {
    if (const auto passed = flow_.universe().passed(id, object)) result.insert(*passed);
  });
  return result;
}

ObjectSet Exceptions::pass_handlers(CopyId copy, Block block, ObjectSet raised, bool& changed) {
  const Procedure& procedure = flow_.procedure(copy);
  const MethodBody& body = procedure.code->body;
  Universe& universe = flow_.universe();
  const auto& constants = universe.hierarchy().file(procedure.owner)->constants;
  TypeFilter rest;
  for (Block handler : body.blocks[block].handlers) {
    const auto& caught = std::get<Catch>(catch_of(body, handler).operation);
    TypeFilter filter = rest;
    if (caught.type) filter.wanted = universe.hierarchy().load(constants.class_name(*caught.type));
    ObjectSet news;
    caught_[copy][handler].unite(filtered(filter, raised), news);
    changed = changed || !news.empty();
    if (!caught.type) return {};
    rest.not_wanted.push_back(*filter.wanted);
  }
  return filtered(rest, raised);
}

// An exception that code throws: what a handler has caught is known better than by points-to.
ObjectSet Exceptions::value(CopyId copy, Register exception, std::size_t depth) const {
  const MethodBody& body = flow_.procedure(copy).code->body;
  const InstructionId at = body.registers[exception].definition;
  const Instruction& definition = body.instructions[at];
  if (std::holds_alternative<Catch>(definition.operation))
    return caught(copy, shapes_[flow_.copies()[copy].procedure].block_of(at));
  if (std::holds_alternative<Phi>(definition.operation) && depth < max_phis) {
    ObjectSet all;
    for (Register operand : body.operands_of(definition))
      if (operand != exception) all.unite(value(copy, operand, depth + 1));
    return all;
  }
  return flow_.objects(copy, exception);
}

ObjectSet Exceptions::thrown_at(CopyId copy, InstructionId at) const {
  const Procedure& procedure = flow_.procedure(copy);
  const ProcedureId id = flow_.copies()[copy].procedure;
  const Instruction& instruction = procedure.code->body.instructions[at];
  ObjectSet raised;
  implicit_.possible[id.index()][at].for_each(
      [&](ImplicitThrow kind) { raised.insert(flow_.universe().implicit(kind)); });
  if (std::holds_alternative<Throw>(instruction.operation))
    raised.unite(value(copy, procedure.code->body.operands_of(instruction)[0], 0));
  if (std::holds_alternative<Invoke>(instruction.operation) ||
      std::holds_alternative<InvokeDynamic>(instruction.operation))
    for (const CallEdge& edge : flow_.callees_at(copy, at)) raised.unite(thrown_[edge.callee]);
  return raised;
}

bool Exceptions::is_possible(CopyId copy, const ModelEvent& event) const {
  using library::MayThrow;
  const auto& exception = std::get<MayThrow>(event.effect->kind);
  const Procedure& procedure = flow_.procedure(copy);
  const ProcedureId id = flow_.copies()[copy].procedure;
  const auto parameter = std::ranges::find(procedure.parameters, event.object);
  const auto number = static_cast<std::size_t>(parameter - procedure.parameters.begin());
  switch (exception.when) {
    case MayThrow::When::Possible: return true;
    case MayThrow::When::Interrupted: return threads_.interruptible[copy];
    case MayThrow::When::IsNull:
      return !event.object || number == procedure.parameters.size() || !nullness_.is_parameter_not_null(id, number);
    case MayThrow::When::NotHeld: return !event.object || number != 0 || procedure.is_static || !held_.is_this_held(id);
  }
  return true;
}

ObjectSet Exceptions::thrown_by_library(CopyId copy) const {
  const Procedure& procedure = flow_.procedure(copy);
  Universe& universe = flow_.universe();
  ObjectSet raised;
  const bool is_model = std::holds_alternative<ModelOrigin>(procedure.origin);
  for (const ModelEvent& event : procedure.events)
    if (const auto* exception = std::get_if<library::MayThrow>(&event.effect->kind);
        exception != nullptr && is_possible(copy, event))
      raised.insert(universe.unknown(universe.hierarchy().load(exception->type.internal_name())));
  for (const Statement& statement : procedure.statements) {
    if (const auto* add = std::get_if<AddObject>(&statement);
        add != nullptr && !is_model && add->to == procedure.thrown)
      raised.insert(add->object);
    if (const auto* copied = std::get_if<CopyLocal>(&statement); copied != nullptr && copied->to == procedure.thrown)
      raised.unite(flow_.objects(copy, copied->from));
  }
  for (const CallEdge& edge : flow_.calls_of(copy)) {
    const Call& call = procedure.calls[edge.call];
    if (call.flavor != CallFlavor::Spawn && call.raised == procedure.thrown) raised.unite(thrown_[edge.callee]);
  }
  return raised;
}

}  // namespace lockwood::java
