#include "jvm/code/translation.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace lockwood::jvm {
namespace {

constexpr std::size_t type_count = 5;
constexpr std::string_view type_letters = "ilfda";  // in the order of ValueType

ValueType type_of_letter(char letter) {
  const std::size_t index = type_letters.find(letter);
  assert(index < type_count);
  return static_cast<ValueType>(index);
}

struct Slot {
  Source source;
  ValueType type;
};

// Interprets the blocks of a method one by one, with sources in place of values.
class Translator {
 public:
  explicit Translator(const TranslationInput& input)
      : input_{input},
        local_variables_(input.code.max_locals * type_count, unknown),
        local_now_(input.code.max_locals * type_count) {}

  Translation run() {
    shapes_.resize(input_.order.size());
    shapes_[0] = std::vector<ValueType>{};
    for (std::size_t i = 0; i < input_.order.size(); ++i) {
      TranslatedBlock block{
          .first = static_cast<std::uint32_t>(result_.instructions.size()), .last = 0, .definitions = {}};
      translate_block(Block{i});
      block.last = static_cast<std::uint32_t>(result_.instructions.size());
      block.definitions = finish_block(Block{i});
      result_.blocks.push_back(std::move(block));
    }
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t unknown = 0xFFFFFFFF;

  [[nodiscard]] const ConstantPool& constants() const { return input_.file.constants; }
  [[noreturn]] void fail(std::string message) const { throw MalformedBytes{offset_, std::move(message)}; }

  // ---- variables

  Variable variable(std::vector<std::uint32_t>& table, std::size_t slot, ValueType type,
                    std::optional<std::uint16_t> local) {
    const std::size_t key = slot * type_count + static_cast<std::size_t>(type);
    if (key >= table.size()) table.resize((slot + 1) * type_count, unknown);
    if (table[key] == unknown)
      table[key] = static_cast<std::uint32_t>(result_.variables.push_back({type, local}).index());
    return Variable{table[key]};
  }
  Variable stack_variable(std::size_t depth, ValueType type) {
    return variable(stack_variables_, depth, type, std::nullopt);
  }
  Variable local_variable(std::uint16_t local, ValueType type) {
    if (local + slots_of(type) > input_.code.max_locals)
      fail("local " + std::to_string(local) + " does not exist; the method has " +
           std::to_string(input_.code.max_locals));
    return variable(local_variables_, local, type, local);
  }

  // ---- the operand stack

  void push(Source source, ValueType type) {
    height_ += slots_of(type);
    if (height_ > input_.code.max_stack) fail("the operand stack is too high");
    stack_.push_back({source, type});
  }
  Slot pop() {
    if (stack_.empty()) fail("the operand stack is empty");
    const Slot top = stack_.back();
    stack_.pop_back();
    height_ -= slots_of(top.type);
    return top;
  }
  Source pop(ValueType type) {
    const Slot top = pop();
    if (top.type != type)
      fail("the instruction wants " + std::string{to_string(type)} + ", but the operand stack has " +
           std::string{to_string(top.type)});
    return top.source;
  }
  // The topmost values that take so many words together, from below.
  std::vector<Slot> take(std::size_t words) {
    std::vector<Slot> taken;
    std::size_t found = 0;
    while (found < words) {
      taken.insert(taken.begin(), pop());
      found += slots_of(taken.front().type);
    }
    if (found > words) fail("the instruction would take a half of a long or double");
    return taken;
  }
  void push_all(const std::vector<Slot>& slots) {
    for (const Slot& slot : slots) push(slot.source, slot.type);
  }
  void duplicate(std::size_t words, std::size_t below) {
    const auto top = take(words);
    const auto under = take(below);
    push_all(top);
    push_all(under);
    push_all(top);
  }

  // ---- locals

  Source load(std::uint16_t local, ValueType type) {
    const Variable variable = local_variable(local, type);
    const auto& now = local_now_[key_of(local, type)];
    return now && now->block == block_ ? now->source : Source{variable};
  }
  void store(std::uint16_t local, ValueType type, Source source, std::uint32_t name_offset) {
    const Variable variable = local_variable(local, type);
    auto& now = local_now_[key_of(local, type)];
    if (!now || now->block != block_) changed_.push_back({local, type, variable});
    now = LocalNow{block_, source};
    if (!source.is_variable()) {
      auto& info = result_.temporaries[source.temporary()];
      if (info.name.empty()) info.name = input_.names.name(local, name_offset);
    }
  }
  [[nodiscard]] static std::size_t key_of(std::uint16_t local, ValueType type) {
    return local * type_count + static_cast<std::size_t>(type);
  }

  // ---- instructions

  std::optional<Temporary> emit(Operation operation, std::initializer_list<Source> operands,
                                std::optional<ValueType> type = {}) {
    return emit(operation, std::vector<Source>{operands}, type);
  }
  std::optional<Temporary> emit(Operation operation, const std::vector<Source>& operands,
                                std::optional<ValueType> type = {}) {
    TranslatedInstruction instruction{.operation = operation,
                                      .offset = offset_,
                                      .result = {},
                                      .first_operand = static_cast<std::uint32_t>(result_.operands.size()),
                                      .operand_count = static_cast<std::uint32_t>(operands.size())};
    result_.operands.insert(result_.operands.end(), operands.begin(), operands.end());
    if (type) instruction.result = result_.temporaries.push_back({*type, {}});
    result_.instructions.push_back(instruction);
    return instruction.result;
  }
  void emit_and_push(Operation operation, const std::vector<Source>& operands, ValueType type) {
    push(Source{*emit(operation, operands, type)}, type);
  }
  void push_constant(Constant constant, ValueType type) { emit_and_push(constant, {}, type); }

  // Operands and result as the table of opcodes says.
  std::vector<Source> pop_effect(std::string_view effect) {
    const std::string_view popped = effect.substr(0, effect.find('>'));
    std::vector<Source> operands(popped.size(), Source{Temporary{0}});
    for (std::size_t i = popped.size(); i-- > 0;) operands[i] = pop(type_of_letter(popped[i]));
    return operands;
  }
  void by_table(Operation operation, const BytecodeInstruction& instruction) {
    const std::string_view effect = layout_of(instruction.opcode).effect;
    const auto operands = pop_effect(effect);
    const std::string_view pushed = effect.substr(effect.find('>') + 1);
    assert(pushed.size() <= 1);
    if (pushed.empty()) {
      emit(operation, operands);
    } else {
      emit_and_push(operation, operands, type_of_letter(pushed.front()));
    }
  }

  // ---- blocks

  void translate_block(Block block) {
    const ControlFlow::Node& node = input_.flow.nodes[input_.order[block.index()]];
    block_ = block;
    offset_ = node.offset;
    changed_.clear();
    stack_.clear();
    height_ = 0;
    assert(shapes_[block.index()]);  // some predecessor comes earlier in the order
    for (ValueType type : *shapes_[block.index()]) push(Source{stack_variable(stack_.size(), type)}, type);
    if (block.index() == 0) return translate_entry();
    if (node.is_catch) {
      stack_.clear();
      height_ = 0;
      emit_and_push(Catch{node.catch_type}, {}, ValueType::Reference);
      emit(Jump{}, {});
      return;
    }
    bool ended = false;
    for (CodePoint point : IdRange<CodePoint>{node.begin.index(), node.end.index()}) {
      assert(!ended);
      const BytecodeInstruction& instruction = input_.instructions[input_.flow.points[point].instruction];
      offset_ = instruction.offset;
      try {
        translate_instruction(point, instruction);
      } catch (MalformedBytes& malformed) {
        // The constant pool knows its own offsets only.
        throw MalformedBytes{offset_, std::move(malformed.message)};
      }
      ended = layout_of(instruction.opcode).flow != Flow::Next;
    }
    if (!ended) emit(Jump{}, {});
  }

  void translate_entry() {
    const auto type = parse_method_descriptor(input_.method.descriptor);
    assert(type);  // checked when the class was read
    std::uint32_t number = 0;
    std::uint16_t local = 0;
    const auto add = [&](ValueType parameter) {
      const auto temporary = emit(Parameter{number++}, {}, parameter);
      store(local, parameter, Source{*temporary}, 0);
      local = static_cast<std::uint16_t>(local + slots_of(parameter));
    };
    if (!input_.method.access.is_static()) {
      add(ValueType::Reference);
      result_.temporaries[Temporary{0}].name = "this";
    }
    for (const FieldType& parameter : type->parameters) add(parameter.value_type());
    emit(Jump{}, {});
  }

  // Hands the stack on to the successors, and says which variables have changed.
  std::vector<std::pair<Variable, Source>> finish_block(Block block) {
    const ControlFlow::Node& node = input_.flow.nodes[input_.order[block.index()]];
    std::vector<ValueType> shape;
    shape.reserve(stack_.size());
    for (const Slot& slot : stack_) shape.push_back(slot.type);
    for (FlowNode successor : node.successors) hand_on(successor, shape);
    for (FlowNode handler : node.handlers) hand_on(handler, {});

    std::vector<std::pair<Variable, Source>> definitions;
    if (!node.successors.empty())
      for (std::size_t depth = 0; depth < stack_.size(); ++depth) {
        const Variable variable = stack_variable(depth, stack_[depth].type);
        if (stack_[depth].source != Source{variable}) definitions.emplace_back(variable, stack_[depth].source);
      }
    for (const Changed& change : changed_) {
      const auto& now = local_now_[key_of(change.local, change.type)];
      assert(now && now->block == block_);
      if (now->source != Source{change.variable}) definitions.emplace_back(change.variable, now->source);
    }
    std::ranges::sort(definitions, {}, &std::pair<Variable, Source>::first);
    return definitions;
  }

  void hand_on(FlowNode node, const std::vector<ValueType>& shape) {
    auto& known = shapes_[input_.block_of[node].index()];
    if (known) {
      if (*known != shape)
        throw MalformedBytes{input_.flow.nodes[node].offset,
                             "the operand stack differs between the ways that lead here"};
      return;
    }
    shape_slots_ += shape.size();
    if (shape_slots_ > max_stack_shapes)
      throw MalformedBytes{input_.flow.nodes[node].offset, "the operand stacks of the method are too large"};
    known = shape;
  }

  // ---- one instruction

  void translate_instruction(CodePoint point, const BytecodeInstruction& instruction);
  void translate_constant(const BytecodeInstruction& instruction);
  void translate_loaded_constant(const BytecodeInstruction& instruction);
  void translate_stack(const BytecodeInstruction& instruction);
  void translate_field(const BytecodeInstruction& instruction);
  void translate_invoke(const BytecodeInstruction& instruction);
  void translate_dynamic(const BytecodeInstruction& instruction);
  void translate_switch(CodePoint point, const BytecodeInstruction& instruction);
  void translate_allocation(const BytecodeInstruction& instruction);
  const MethodType& method_type(std::string_view descriptor);
  std::vector<Source> pop_arguments(const MethodType& type, bool has_receiver);
  void push_result(Operation operation, const std::vector<Source>& operands, const MethodType& type);

  struct LocalNow {
    Block block;
    Source source;
  };
  struct Changed {
    std::uint16_t local;
    ValueType type;
    Variable variable;
  };

  const TranslationInput& input_;
  Translation result_;
  std::vector<std::optional<std::vector<ValueType>>> shapes_;  // of the operand stack where a block begins
  std::size_t shape_slots_ = 0;
  std::vector<std::uint32_t> local_variables_;  // by local and type
  std::vector<std::uint32_t> stack_variables_;  // by depth and type
  std::unordered_map<std::string_view, MethodType> method_types_;

  Block block_{0};
  std::uint32_t offset_ = 0;
  std::vector<Slot> stack_;
  std::size_t height_ = 0;                          // of the stack, in slots
  std::vector<std::optional<LocalNow>> local_now_;  // by local and type: as of the block in which it was written
  std::vector<Changed> changed_;                    // in this block
};

void Translator::translate_instruction(CodePoint point, const BytecodeInstruction& instruction) {
  const Opcode opcode = instruction.opcode;
  if (opcode == Opcode::Nop || layout_of(opcode).flow == Flow::Ret) {
    if (opcode != Opcode::Nop) emit(Jump{}, {});
    return;
  }
  if (opcode <= Opcode::Sipush) return translate_constant(instruction);
  if (opcode <= Opcode::Ldc2W) return translate_loaded_constant(instruction);
  if (opcode <= Opcode::Aload3) {
    const auto type = opcode <= Opcode::Aload ? distance(Opcode::Iload, opcode) : distance(Opcode::Iload0, opcode) / 4;
    return push(load(instruction.local, static_cast<ValueType>(type)), static_cast<ValueType>(type));
  }
  if (opcode <= Opcode::Saload) return by_table(ArrayLoad{opcode}, instruction);
  if (opcode <= Opcode::Astore3) {
    const auto type =
        opcode <= Opcode::Astore ? distance(Opcode::Istore, opcode) : distance(Opcode::Istore0, opcode) / 4;
    // The name of a local is in force from the end of the instruction that writes it first.
    return store(instruction.local, static_cast<ValueType>(type), pop(static_cast<ValueType>(type)), instruction.end());
  }
  if (opcode <= Opcode::Sastore) return by_table(ArrayStore{opcode}, instruction);
  if (opcode <= Opcode::Swap) return translate_stack(instruction);
  if (opcode == Opcode::Iinc) {
    const Source before = load(instruction.local, ValueType::Int);
    const auto by = emit(Constant{instruction.value}, {}, ValueType::Int);
    const auto sum = emit(Arithmetic{Opcode::Iadd}, {before, Source{*by}}, ValueType::Int);
    return store(instruction.local, ValueType::Int, Source{*sum}, instruction.end());
  }
  if (opcode <= Opcode::I2s) return by_table(Arithmetic{opcode}, instruction);
  if (opcode <= Opcode::Dcmpg) return by_table(Compare{opcode}, instruction);
  switch (layout_of(opcode).flow) {
    case Flow::Branch: return by_table(Branch{opcode}, instruction);
    case Flow::Goto: emit(Jump{}, {}); return;
    case Flow::Jsr:
      push_constant({ReturnAddress{}}, ValueType::Reference);
      emit(Jump{}, {});
      return;
    case Flow::Switch: return translate_switch(point, instruction);
    case Flow::Return: return by_table(Return{}, instruction);
    case Flow::Throw: return by_table(Throw{}, instruction);
    case Flow::Ret:
    case Flow::Next: break;
  }
  if (opcode <= Opcode::Putfield) return translate_field(instruction);
  if (opcode <= Opcode::Invokeinterface) return translate_invoke(instruction);
  switch (opcode) {
    case Opcode::Invokedynamic: return translate_dynamic(instruction);
    case Opcode::Arraylength: return by_table(ArrayLength{}, instruction);
    case Opcode::Checkcast:
      static_cast<void>(constants().class_name(instruction.constant_index()));
      return by_table(Cast{instruction.constant_index()}, instruction);
    case Opcode::Instanceof:
      static_cast<void>(constants().class_name(instruction.constant_index()));
      return by_table(InstanceOf{instruction.constant_index()}, instruction);
    case Opcode::Monitorenter: return by_table(MonitorEnter{}, instruction);
    case Opcode::Monitorexit: return by_table(MonitorExit{}, instruction);
    default: return translate_allocation(instruction);
  }
}

void Translator::translate_constant(const BytecodeInstruction& instruction) {
  const Opcode opcode = instruction.opcode;
  if (opcode == Opcode::AconstNull) return push_constant({NullConstant{}}, ValueType::Reference);
  if (opcode <= Opcode::Iconst5)
    return push_constant({static_cast<std::int32_t>(distance(Opcode::IconstM1, opcode)) - 1}, ValueType::Int);
  if (opcode <= Opcode::Lconst1)
    return push_constant({static_cast<std::int64_t>(distance(Opcode::Lconst0, opcode))}, ValueType::Long);
  if (opcode <= Opcode::Fconst2)
    return push_constant({static_cast<float>(distance(Opcode::Fconst0, opcode))}, ValueType::Float);
  if (opcode <= Opcode::Dconst1)
    return push_constant({static_cast<double>(distance(Opcode::Dconst0, opcode))}, ValueType::Double);
  assert(opcode == Opcode::Bipush || opcode == Opcode::Sipush);
  push_constant({instruction.value}, ValueType::Int);
}

void Translator::translate_loaded_constant(const BytecodeInstruction& instruction) {
  const ConstantIndex index = instruction.constant_index();
  const auto tag = constants().tag(index);
  const bool wide = instruction.opcode == Opcode::Ldc2W;
  const auto push_checked = [&](Constant constant, ValueType type) {
    if ((slots_of(type) == 2) != wide) fail("the instruction loads a constant of the wrong size");
    push_constant(constant, type);
  };
  if (!tag) fail("constant #" + std::to_string(index.index()) + " does not exist");
  switch (*tag) {
    case ConstantTag::Integer: return push_checked({constants().integer(index)}, ValueType::Int);
    case ConstantTag::Float: return push_checked({constants().float_number(index)}, ValueType::Float);
    case ConstantTag::Long: return push_checked({constants().long_integer(index)}, ValueType::Long);
    case ConstantTag::Double: return push_checked({constants().double_number(index)}, ValueType::Double);
    case ConstantTag::Class:
    case ConstantTag::String:
    case ConstantTag::MethodHandle:
    case ConstantTag::MethodType: return push_checked({index}, ValueType::Reference);
    case ConstantTag::Dynamic: {
      const DynamicRef ref = constants().dynamic(index);
      const auto type = parse_field_descriptor(ref.name_and_type.descriptor);
      if (!type) fail("a dynamic constant has no type");
      if (ref.bootstrap >= input_.bootstraps.size())
        fail("bootstrap method " + std::to_string(ref.bootstrap) + " does not exist");
      return push_checked({index}, type->value_type());
    }
    default: fail("constant #" + std::to_string(index.index()) + " cannot be loaded");
  }
}

void Translator::translate_stack(const BytecodeInstruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::Pop: static_cast<void>(take(1)); return;
    case Opcode::Pop2: static_cast<void>(take(2)); return;
    case Opcode::Dup: return duplicate(1, 0);
    case Opcode::DupX1: return duplicate(1, 1);
    case Opcode::DupX2: return duplicate(1, 2);
    case Opcode::Dup2: return duplicate(2, 0);
    case Opcode::Dup2X1: return duplicate(2, 1);
    case Opcode::Dup2X2: return duplicate(2, 2);
    default: break;
  }
  assert(instruction.opcode == Opcode::Swap);
  const auto top = take(1);
  const auto under = take(1);
  push_all(top);
  push_all(under);
}

void Translator::translate_field(const BytecodeInstruction& instruction) {
  const ConstantIndex index = instruction.constant_index();
  const MemberRef field = constants().member(index);
  const auto type = parse_field_descriptor(field.descriptor);
  if (field.kind != ConstantTag::Field || !type) fail("constant #" + std::to_string(index.index()) + " is not a field");
  switch (instruction.opcode) {
    case Opcode::Getstatic: return emit_and_push(GetStatic{index}, {}, type->value_type());
    case Opcode::Putstatic: emit(PutStatic{index}, {pop(type->value_type())}); return;
    case Opcode::Getfield: {
      const Source object = pop(ValueType::Reference);
      return emit_and_push(GetField{index}, {object}, type->value_type());
    }
    default: break;
  }
  assert(instruction.opcode == Opcode::Putfield);
  const Source value = pop(type->value_type());
  const Source object = pop(ValueType::Reference);
  emit(PutField{index}, {object, value});
}

// Descriptors are parsed once: a method calls the same few methods again and again.
const MethodType& Translator::method_type(std::string_view descriptor) {
  if (const auto known = method_types_.find(descriptor); known != method_types_.end()) return known->second;
  auto type = parse_method_descriptor(descriptor);
  if (!type) fail("'" + std::string{descriptor} + "' is not a descriptor of a method");
  return method_types_.emplace(descriptor, std::move(*type)).first->second;
}

std::vector<Source> Translator::pop_arguments(const MethodType& type, bool has_receiver) {
  std::vector<Source> operands(type.parameters.size() + (has_receiver ? 1 : 0), Source{Temporary{0}});
  std::size_t next = operands.size();
  for (std::size_t i = type.parameters.size(); i-- > 0;) operands[--next] = pop(type.parameters[i].value_type());
  if (has_receiver) operands[--next] = pop(ValueType::Reference);
  assert(next == 0);
  return operands;
}

void Translator::push_result(Operation operation, const std::vector<Source>& operands, const MethodType& type) {
  if (type.result) {
    emit_and_push(operation, operands, type.result->value_type());
  } else {
    emit(operation, operands);
  }
}

void Translator::translate_invoke(const BytecodeInstruction& instruction) {
  const ConstantIndex index = instruction.constant_index();
  const MemberRef method = constants().member(index);
  const auto kind = static_cast<InvokeKind>(distance(Opcode::Invokevirtual, instruction.opcode));
  const bool wants_interface = kind == InvokeKind::Interface;
  const bool fits = wants_interface               ? method.kind == ConstantTag::InterfaceMethod
                    : kind == InvokeKind::Virtual ? method.kind == ConstantTag::Method
                                                  : method.kind != ConstantTag::Field;
  if (!fits) fail("constant #" + std::to_string(index.index()) + " is not a method that can be called so");
  if (method.name.starts_with('<') && (method.name != "<init>" || kind != InvokeKind::Special))
    fail("initialisers cannot be called so");
  const MethodType& type = method_type(method.descriptor);
  const auto operands = pop_arguments(type, kind != InvokeKind::Static);
  push_result(Invoke{kind, index}, operands, type);
}

void Translator::translate_dynamic(const BytecodeInstruction& instruction) {
  DynamicCall call = dynamic_call(input_.file, input_.bootstraps, instruction.constant_index());
  const MethodType& type = method_type(call.descriptor);
  const auto operands = pop_arguments(type, false);
  push_result(InvokeDynamic{result_.dynamic_calls.push_back(std::move(call))}, operands, type);
}

void Translator::translate_switch(CodePoint point, const BytecodeInstruction& instruction) {
  const SwitchTable table = decode_switch(input_.code.code, instruction);
  const auto block = [&](std::uint32_t offset) {
    return input_.block_of[input_.flow.target(point, input_.index_at[offset])];
  };
  SwitchTargets targets{.cases = {}, .otherwise = block(table.otherwise)};
  targets.cases.reserve(table.cases.size());
  for (const SwitchTable::Case& one : table.cases) targets.cases.emplace_back(one.match, block(one.target));
  const Source value = pop(ValueType::Int);
  emit(Switch{result_.switches.push_back(std::move(targets))}, {value});
}

void Translator::translate_allocation(const BytecodeInstruction& instruction) {
  const ConstantIndex index = instruction.constant_index();
  if (instruction.opcode == Opcode::Newarray)
    return by_table(NewPrimitiveArray{static_cast<std::uint8_t>(instruction.value)}, instruction);
  const std::string_view name = constants().class_name(index);
  switch (instruction.opcode) {
    case Opcode::New:
      if (name.starts_with('[')) fail("new makes an array");
      return by_table(New{index}, instruction);
    case Opcode::Anewarray: return by_table(NewReferenceArray{index}, instruction);
    default: break;
  }
  assert(instruction.opcode == Opcode::Multianewarray);
  const auto type = parse_field_descriptor(name);
  if (!type || !type->is_array() || type->dimensions() < instruction.count)
    fail("the array has fewer dimensions than are made");
  std::vector<Source> sizes(instruction.count, Source{Temporary{0}});
  for (std::size_t i = sizes.size(); i-- > 0;) sizes[i] = pop(ValueType::Int);
  emit_and_push(NewMultiArray{index}, sizes, ValueType::Reference);
}

}  // namespace

LocalNames::LocalNames(const CodeAttribute& code) : sorted_{code.locals} {
  std::ranges::sort(sorted_, [](const LocalVariable& a, const LocalVariable& b) {
    return std::pair{a.slot, a.begin} < std::pair{b.slot, b.begin};
  });
}

std::string_view LocalNames::name(std::uint16_t slot, std::uint32_t offset) const {
  // The last one of the slot that has begun: scopes of one slot do not overlap.
  const auto after = std::ranges::upper_bound(sorted_, std::pair<std::uint32_t, std::uint32_t>{slot, offset}, {},
                                              [](const LocalVariable& local) {
                                                return std::pair<std::uint32_t, std::uint32_t>{local.slot, local.begin};
                                              });
  if (after == sorted_.begin()) return {};
  const LocalVariable& last = *std::prev(after);
  return last.slot == slot && offset < last.end ? last.name : std::string_view{};
}

Translation translate(const TranslationInput& input) { return Translator{input}.run(); }

}  // namespace lockwood::jvm
