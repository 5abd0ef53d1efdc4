#include "frontend/java/facts/ownership.hpp"

#include <algorithm>
#include <set>

namespace lockwood::java {

using namespace jvm;

namespace {

bool makes_object(const Operation& operation) {
  return std::holds_alternative<New>(operation) || std::holds_alternative<NewPrimitiveArray>(operation) ||
         std::holds_alternative<NewReferenceArray>(operation) || std::holds_alternative<NewMultiArray>(operation);
}

// Of a model: whether a parameter is more than the object that the model works on.
bool model_lets_escape(const Procedure& procedure, std::size_t number) {
  const auto parameter = procedure.parameters[number];
  if (!parameter) return false;
  if (!std::holds_alternative<ModelOrigin>(procedure.origin)) return true;
  for (const Statement& statement : procedure.statements) {
    if (const auto* store = std::get_if<StoreField>(&statement); store != nullptr && store->from == *parameter)
      return true;
    if (const auto* store = std::get_if<StoreStatic>(&statement); store != nullptr && store->from == *parameter)
      return true;
    if (const auto* copied = std::get_if<CopyLocal>(&statement); copied != nullptr && copied->from == *parameter)
      return true;
  }
  return std::ranges::any_of(procedure.calls, [&](const Call& call) {
    return std::ranges::find(call.arguments, parameter) != call.arguments.end() || call.spread == parameter ||
           std::ranges::find(call.handles, *parameter) != call.handles.end();
  });
}

}  // namespace

Ownership::Ownership(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes, StopToken stop)
    : flow_{flow}, calls_{calls}, shapes_{shapes} {
  find_escapes();
  stop.check();
  find_owned();
}

// Least fixed point: nothing escapes until a way out is found.
void Ownership::find_escapes() {
  const auto& procedures = flow_.universe().procedures();
  escapes_.resize(procedures.size());
  for (std::size_t i = 0; i < procedures.size(); ++i) {
    escapes_[i].resize(procedures[i].parameters.size());
    if (procedures[i].code) continue;
    for (std::size_t number = 0; number < escapes_[i].size(); ++number)
      escapes_[i][number] = model_lets_escape(procedures[i], number);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (ProcedureId id : calls_.reached) {
      const Procedure& procedure = procedures[id.index()];
      if (!procedure.code) continue;
      for (InstructionId at : procedure.code->body.instructions_of(Block{0})) {
        const Instruction& instruction = procedure.code->body.instructions[at];
        const auto* parameter = std::get_if<Parameter>(&instruction.operation);
        if (parameter == nullptr || escapes_[id.index()][parameter->number]) continue;
        if (procedure.code->body.registers[*instruction.result].type != ValueType::Reference) continue;
        const Tracked found = track(id, *instruction.result);
        if (found.exits.empty() && found.returns.empty()) continue;
        escapes_[id.index()][parameter->number] = true;
        changed = true;
      }
    }
  }
}

Ownership::Tracked Ownership::track(ProcedureId id, Register root) const {
  const MethodCode& code = *flow_.universe().procedure(id).code;
  const MethodBody& body = code.body;
  std::set<Register> aliases;
  for (Register value : body.registers.keys())
    if (body.registers[value].type == ValueType::Reference && code.numbers[value] == code.numbers[root])
      aliases.insert(value);
  // Phis may be the value, casts are.
  for (bool grown = true; grown;) {
    grown = false;
    for (InstructionId at : body.instructions.keys()) {
      const Instruction& instruction = body.instructions[at];
      if (!std::holds_alternative<Phi>(instruction.operation) && !std::holds_alternative<Cast>(instruction.operation))
        continue;
      const auto operands = body.operands_of(instruction);
      if (std::ranges::any_of(operands, [&](Register operand) { return aliases.contains(operand); }))
        grown = aliases.insert(*instruction.result).second || grown;
    }
  }
  Tracked result{.root = root, .exits = {}, .returns = {}};
  for (InstructionId at : body.instructions.keys()) {
    const Instruction& instruction = body.instructions[at];
    const auto operands = body.operands_of(instruction);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!aliases.contains(operands[i])) continue;
      if (std::holds_alternative<Return>(instruction.operation))
        result.returns.push_back(at);
      else if (gets_out(id, at, i))
        result.exits.push_back(at);
    }
  }
  return result;
}

bool Ownership::gets_out(ProcedureId id, InstructionId at, std::size_t operand) const {
  const Procedure& procedure = flow_.universe().procedure(id);
  const Operation& operation = procedure.code->body.instructions[at].operation;
  if (std::holds_alternative<PutField>(operation)) return operand == 1;
  if (std::holds_alternative<ArrayStore>(operation)) return operand == 2;
  if (std::holds_alternative<PutStatic>(operation) || std::holds_alternative<Throw>(operation)) return true;
  const bool is_call = std::holds_alternative<Invoke>(operation);
  if (!is_call && !std::holds_alternative<InvokeDynamic>(operation)) return false;
  if (const auto* dynamic = std::get_if<InvokeDynamic>(&operation))
    if (std::holds_alternative<LambdaCall>(procedure.code->body.dynamic_calls[dynamic->call].effect)) return true;
  return std::ranges::any_of(calls_.calls_at(flow_.universe(), id, at), [&](const ProcedureCall& edge) {
    const auto& escapes = escapes_[edge.callee.index()];
    return !is_call || operand >= escapes.size() || escapes[operand];
  });
}

const Ownership::Tracked& Ownership::tracked(ProcedureId id, Register root) const {
  const auto key = std::pair{id, root};
  if (const auto known = tracked_.find(key); known != tracked_.end()) return known->second;
  return tracked_.emplace(key, track(id, root)).first->second;
}

// The object may have got out on a way to the instruction that does not come by the allocation again.
bool Ownership::has_left_before(ProcedureId id, const Tracked& tracked, InstructionId at) const {
  const MethodBody& body = flow_.universe().procedure(id).code->body;
  const CodeShape& shape = shapes_[id];
  const InstructionId made = body.registers[tracked.root].definition;
  const Block made_in = shape.block_of(made);
  const Block to = shape.block_of(at);
  for (InstructionId exit : tracked.exits) {
    const Block from = shape.block_of(exit);
    if (from == to && exit < at && !(from == made_in && exit < made && made < at)) return true;
    std::vector<bool> seen(body.blocks.size());
    std::vector<Block> stack;
    // Leaving the block of the exit comes by the allocation if that stands behind it.
    const auto push = [&](Block next) {
      if (!seen[next.index()]) {
        seen[next.index()] = true;
        stack.push_back(next);
      }
    };
    if (!(from == made_in && exit < made))
      for (Block next : body.blocks[from].successors) push(next);
    for (Block next : body.blocks[from].handlers) push(next);
    while (!stack.empty()) {
      const Block block = stack.back();
      stack.pop_back();
      if (block == to && !(block == made_in && made < at)) return true;
      if (block == made_in) continue;
      for (Block next : body.blocks[block].successors) push(next);
      for (Block next : body.blocks[block].handlers) push(next);
    }
  }
  return false;
}

// Where the value comes from, if it is one place.
std::optional<Register> Ownership::root_of(ProcedureId id, Register value) const {
  const MethodCode& code = *flow_.universe().procedure(id).code;
  if (roots_.size() <= id.index()) roots_.resize(flow_.universe().procedures().size());
  auto& roots = roots_[id.index()];
  if (roots.empty()) {
    roots.resize(code.body.registers.size());  // there are no more numbers than registers
    std::vector<bool> several(roots.size());
    for (Register candidate : code.body.registers.keys()) {
      const Operation& operation = code.body.instructions[code.body.registers[candidate].definition].operation;
      if (!makes_object(operation) && !std::holds_alternative<Parameter>(operation) &&
          !std::holds_alternative<Invoke>(operation))
        continue;
      const std::size_t number = code.numbers[candidate].index();
      several[number] = several[number] || roots[number].has_value();
      roots[number] = candidate;
    }
    for (std::size_t i = 0; i < roots.size(); ++i)
      if (several[i]) roots[i].reset();
  }
  return roots[code.numbers[value].index()];
}

bool Ownership::begins_owned(ProcedureId id, Register root) const {
  const Procedure& procedure = flow_.universe().procedure(id);
  const MethodBody& body = procedure.code->body;
  const InstructionId at = body.registers[root].definition;
  const Operation& operation = body.instructions[at].operation;
  if (makes_object(operation)) return true;
  if (const auto* parameter = std::get_if<Parameter>(&operation)) return owned_[id.index()][parameter->number];
  bool any = false;
  for (const ProcedureCall& edge : calls_.calls_at(flow_.universe(), id, at)) {
    any = true;
    if (!fresh_[edge.callee.index()]) return false;
  }
  return any;
}

bool Ownership::is_owned(ProcedureId id, Register value, InstructionId at) const {
  const auto root = root_of(id, value);
  return root && begins_owned(id, *root) && !has_left_before(id, tracked(id, *root), at);
}

bool Ownership::passes_owned(const ProcedureCall& edge, std::size_t parameter) const {
  const Procedure& caller = flow_.universe().procedure(edge.caller);
  const Call& call = caller.calls[edge.call];
  if (!caller.code || !call.instruction || call.spread || call.flavor == CallFlavor::Spawn) return false;
  const MethodBody& body = caller.code->body;
  const Instruction& instruction = body.instructions[*call.instruction];
  if (!std::holds_alternative<Invoke>(instruction.operation)) return false;
  const auto operands = body.operands_of(instruction);
  if (parameter >= operands.size() || body.registers[operands[parameter]].type != ValueType::Reference) return false;
  // Passed twice, the callee has two names for it.
  if (std::ranges::count_if(operands, [&](Register operand) {
        return caller.code->numbers[operand] == caller.code->numbers[operands[parameter]];
      }) != 1)
    return false;
  return is_owned(edge.caller, operands[parameter], *call.instruction);
}

// Greatest fixed points: parameters are owned and results are new until a reason against it is found.
void Ownership::find_owned() {
  const auto& procedures = flow_.universe().procedures();
  owned_.resize(procedures.size());
  fresh_.resize(procedures.size());
  for (ProcedureId id : calls_.reached) {
    const Procedure& procedure = procedures[id.index()];
    owned_[id.index()].assign(procedure.parameters.size(), procedure.code && !calls_.callers_of(id).empty());
    fresh_[id.index()] = procedure.code && procedure.result;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (ProcedureId id : calls_.reached) {
      const Procedure& procedure = procedures[id.index()];
      if (!procedure.code) continue;
      for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
        if (!owned_[id.index()][i]) continue;
        const bool all = procedure.parameters[i] &&
                         std::ranges::all_of(calls_.callers_of(id),
                                             [&](const ProcedureCall& edge) { return passes_owned(edge, i); });
        if (all) continue;
        owned_[id.index()][i] = false;
        changed = true;
      }
      if (!fresh_[id.index()]) continue;
      const MethodBody& body = procedure.code->body;
      const bool all = std::ranges::all_of(body.instructions.keys(), [&](InstructionId at) {
        const Instruction& instruction = body.instructions[at];
        if (!std::holds_alternative<Return>(instruction.operation)) return true;
        const Register value = body.operands_of(instruction)[0];
        const auto root = root_of(id, value);
        // A parameter that is returned has its name in the caller already.
        return root &&
               !std::holds_alternative<Parameter>(body.instructions[body.registers[*root].definition].operation) &&
               is_owned(id, value, at);
      });
      if (all) continue;
      fresh_[id.index()] = false;
      changed = true;
    }
  }
}

}  // namespace lockwood::java
