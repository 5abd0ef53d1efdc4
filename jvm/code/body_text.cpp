#include "jvm/code/body_text.hpp"

#include <array>

#include "jvm/classfile/modified_utf8.hpp"
#include "jvm/code/constant_text.hpp"

namespace lockwood::jvm {
namespace {

constexpr std::size_t max_constant = 80;
constexpr std::size_t longest_operation = 1000;
constexpr std::size_t longest_name = 60;

std::string block_name(Block block) { return 'B' + std::to_string(block.index()); }

std::string register_name(const MethodBody& body, Register reg) {
  const RegisterInfo& info = body.registers[reg];
  std::string text = 'r' + std::to_string(reg.index());
  if (!info.name.empty()) text += '\'' + shown(utf8_of(info.name), longest_name);
  return text;
}

std::string constant_name(const ClassFile& file, ConstantIndex index) {
  return shown(constant_text(file.constants, index), max_constant);
}

std::string member_name(const ClassFile& file, ConstantIndex index) {
  return member_text(file.constants.member(index));
}

std::string class_name(const ClassFile& file, ConstantIndex index) { return utf8_of(file.constants.class_name(index)); }

std::string dynamic_text(const DynamicCall& call) {
  struct Visitor {
    std::string operator()(const LambdaCall& lambda) const {
      return "lambda " + utf8_of(lambda.interface) + '.' + utf8_of(lambda.method) + utf8_of(lambda.descriptor) +
             " by " + std::string{jvm::to_string(lambda.implementation.kind)} + ' ' +
             member_text(lambda.implementation.member);
    }
    std::string operator()(const StringConcatenation&) const { return "concatenation"; }
    std::string operator()(const RecordMethod& method) const {
      return "record method of " + utf8_of(method.record) + " with " + std::to_string(method.fields.size()) + " fields";
    }
    std::string operator()(const PatternSwitch&) const { return "pattern switch"; }
    std::string operator()(const UnknownDynamicCall& unknown) const {
      return "unknown dynamic call by " + member_text(unknown.bootstrap);
    }
  };
  return std::visit(Visitor{}, call.effect);
}

// What comes between the name of an operation and its operands.
struct OperationText {
  const ClassFile& file;
  const MethodBody& body;

  std::string operator()(Parameter parameter) const { return "parameter " + std::to_string(parameter.number); }
  std::string operator()(Phi) const { return "phi"; }
  std::string operator()(const Constant& constant) const {
    struct Visitor {
      const ClassFile& file;
      std::string operator()(NullConstant) const { return "null"; }
      std::string operator()(ReturnAddress) const { return "return address"; }
      std::string operator()(std::int32_t value) const { return "int " + std::to_string(value); }
      std::string operator()(std::int64_t value) const { return "long " + std::to_string(value); }
      std::string operator()(float value) const { return "float " + number_text(value); }
      std::string operator()(double value) const { return "double " + number_text(value); }
      std::string operator()(ConstantIndex index) const { return constant_name(file, index); }
    };
    return "constant " + std::visit(Visitor{file}, constant.value);
  }
  std::string operator()(Arithmetic operation) const { return std::string{mnemonic(operation.opcode)}; }
  std::string operator()(Compare operation) const { return std::string{mnemonic(operation.opcode)}; }
  std::string operator()(Branch operation) const { return std::string{mnemonic(operation.opcode)}; }
  std::string operator()(Jump) const { return "jump"; }
  std::string operator()(Switch) const { return "switch"; }
  std::string operator()(New operation) const { return "new " + class_name(file, operation.type); }
  std::string operator()(NewPrimitiveArray operation) const {
    return "new array of " + std::string{primitive_by_array_code(operation.array_code)->name};
  }
  std::string operator()(NewReferenceArray operation) const {
    return "new array of " + class_name(file, operation.component);
  }
  std::string operator()(NewMultiArray operation) const { return "new array " + class_name(file, operation.type); }
  std::string operator()(GetField operation) const { return "getfield " + member_name(file, operation.field); }
  std::string operator()(PutField operation) const { return "putfield " + member_name(file, operation.field); }
  std::string operator()(GetStatic operation) const { return "getstatic " + member_name(file, operation.field); }
  std::string operator()(PutStatic operation) const { return "putstatic " + member_name(file, operation.field); }
  std::string operator()(ArrayLoad operation) const { return std::string{mnemonic(operation.opcode)}; }
  std::string operator()(ArrayStore operation) const { return std::string{mnemonic(operation.opcode)}; }
  std::string operator()(ArrayLength) const { return "arraylength"; }
  std::string operator()(Cast operation) const { return "cast " + class_name(file, operation.type); }
  std::string operator()(InstanceOf operation) const { return "instanceof " + class_name(file, operation.type); }
  std::string operator()(Invoke operation) const {
    constexpr auto kinds = std::to_array<std::string_view>({"virtual", "special", "static", "interface"});
    return "invoke " + std::string{kinds[static_cast<std::size_t>(operation.kind)]} + ' ' +
           member_name(file, operation.method);
  }
  std::string operator()(InvokeDynamic operation) const {
    return "invoke dynamic " + dynamic_text(body.dynamic_calls[operation.call]);
  }
  std::string operator()(MonitorEnter) const { return "monitorenter"; }
  std::string operator()(MonitorExit) const { return "monitorexit"; }
  std::string operator()(Throw) const { return "throw"; }
  std::string operator()(Catch operation) const {
    return "catch " + (operation.type ? class_name(file, *operation.type) : std::string{"any"});
  }
  std::string operator()(Return) const { return "return"; }
};

std::string targets_text(const MethodBody& body, const BasicBlock& block, const Instruction& last) {
  if (const auto* branch = std::get_if<Switch>(&last.operation)) {
    const SwitchTargets& targets = body.switches[branch->targets];
    std::string text = " {";
    for (const auto& [match, target] : targets.cases) text += std::to_string(match) + ": " + block_name(target) + ", ";
    return text + "default: " + block_name(targets.otherwise) + '}';
  }
  if (std::holds_alternative<Branch>(last.operation))
    return " -> " + block_name(block.successors[0]) + " else " + block_name(block.successors[1]);
  if (std::holds_alternative<Jump>(last.operation)) return " -> " + block_name(block.successors[0]);
  return {};
}

std::string block_header(const MethodCode& code, Block id) {
  const BasicBlock& block = code.body.blocks[id];
  std::string text = block_name(id) + ':';
  const auto list = [&](std::string_view title, const std::vector<Block>& blocks) {
    if (blocks.empty()) return;
    text.append("  ").append(title);
    for (Block other : blocks) text += ' ' + block_name(other);
  };
  list("from", block.predecessors);
  list("handlers", block.handlers);
  if (!code.monitors.held[id].empty()) {
    text += "  holds";
    for (RegionId region : code.monitors.held[id]) text += " M" + std::to_string(region.index());
  }
  return text + '\n';
}

std::string monitors_text(const MethodCode& code) {
  std::string text;
  for (RegionId id : code.monitors.regions.keys()) {
    const MonitorRegion& region = code.monitors.regions[id];
    const Instruction& enter = code.body.instructions[region.enter];
    text += "  M" + std::to_string(id.index()) + " on " + register_name(code.body, region.object) + " at offset " +
            std::to_string(enter.offset) + ", exits at";
    for (InstructionId exit : region.exits) text += ' ' + std::to_string(code.body.instructions[exit].offset);
    text += '\n';
  }
  for (const MonitorNote& note : code.monitors.notes)
    text += "  note at offset " + std::to_string(note.offset) + ": " + note.text + '\n';
  return text;
}

}  // namespace

std::string to_text(const ClassFile& file, const MethodBody& body, const Instruction& instruction) {
  std::string text = shown(std::visit(OperationText{file, body}, instruction.operation), longest_operation);
  std::string_view separator = " ";
  for (Register operand : body.operands_of(instruction)) {
    text.append(separator).append(register_name(body, operand));
    separator = ", ";
  }
  return text;
}

std::string to_text(const ClassFile& file, const Member& method, const MethodCode& code) {
  const MethodBody& body = code.body;
  std::string text =
      words_of(method.access, AccessOf::Method) +
      shown(utf8_of(file.name) + '.' + utf8_of(method.name) + utf8_of(method.descriptor), longest_operation) + '\n';
  if (body.synchronized) text += body.is_static ? "  holds the class object\n" : "  holds this\n";
  text += monitors_text(code);
  std::optional<std::uint16_t> line;
  for (Block id : body.blocks.keys()) {
    text += block_header(code, id);
    for (InstructionId instruction_id : body.instructions_of(id)) {
      const Instruction& instruction = body.instructions[instruction_id];
      if (instruction.line && instruction.line != line) text += "  line " + std::to_string(*instruction.line) + '\n';
      line = instruction.line;
      const std::string offset = std::to_string(instruction.offset);
      text += std::string(offset.size() < 6 ? 6 - offset.size() : 0, ' ') + offset + "  ";
      if (instruction.result)
        text += register_name(body, *instruction.result) + ": " +
                std::string{to_string(body.registers[*instruction.result].type)} + " = ";
      text += to_text(file, body, instruction);
      if (instruction_id.index() + 1 == body.blocks[id].end.index())
        text += targets_text(body, body.blocks[id], instruction);
      text += '\n';
    }
  }
  return text;
}

}  // namespace lockwood::jvm
