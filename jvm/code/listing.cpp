#include "jvm/code/listing.hpp"

#include "jvm/classfile/class_attributes.hpp"
#include "jvm/classfile/code_attribute.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/classfile/modified_utf8.hpp"
#include "jvm/code/constant_text.hpp"

namespace lockwood::jvm {
namespace {

std::string number(std::size_t value, std::size_t width) {
  std::string digits = std::to_string(value);
  return digits.size() < width ? std::string(width - digits.size(), ' ') + digits : digits;
}

std::string padded(std::string_view word) {
  constexpr std::size_t width = 16;
  return std::string{word} + std::string(word.size() < width ? width - word.size() : 1, ' ');
}

constexpr std::size_t max_comment = 2000;
constexpr std::size_t max_listed_name = 1000;

// A name of the class file.
std::string name_text(std::string_view name) { return shown(utf8_of(name), max_listed_name); }

std::string with_comment(std::string operands, std::string comment) {
  constexpr std::size_t width = 20;
  if (operands.size() < width) operands.resize(width, ' ');
  return operands + "// " + shown(std::move(comment), max_comment);
}

std::string switch_text(Bytes code, const BytecodeInstruction& instruction) {
  const SwitchTable table = decode_switch(code, instruction);
  std::string text = "{\n";
  for (const SwitchTable::Case& one : table.cases)
    text += "            " + std::to_string(one.match) + ": " + std::to_string(one.target) + '\n';
  return text + "            default: " + std::to_string(table.otherwise) + "\n       }";
}

std::string operands_text(const ClassFile& file, Bytes code, const BytecodeInstruction& instruction) {
  const auto constant = [&] { return '#' + std::to_string(instruction.constant); };
  const auto comment = [&] { return constant_text(file.constants, instruction.constant_index()); };
  switch (layout_of(instruction.opcode).format) {
    case OperandFormat::None:
    case OperandFormat::Wide: return {};
    case OperandFormat::SignedByte:
    case OperandFormat::SignedShort: return std::to_string(instruction.value);
    case OperandFormat::Local: return std::to_string(instruction.local);
    case OperandFormat::Increment: return std::to_string(instruction.local) + ", " + std::to_string(instruction.value);
    case OperandFormat::Constant1:
    case OperandFormat::Constant2: return with_comment(constant(), comment());
    case OperandFormat::Branch2:
    case OperandFormat::Branch4: return std::to_string(instruction.target());
    case OperandFormat::TableSwitch:
    case OperandFormat::LookupSwitch: return switch_text(code, instruction);
    case OperandFormat::InvokeInterface:
    case OperandFormat::MultiArray:
      return with_comment(constant() + ", " + std::to_string(instruction.count), comment());
    case OperandFormat::InvokeDynamic: return with_comment(constant() + ", 0", comment());
    case OperandFormat::ArrayType:
      return std::string{primitive_by_array_code(static_cast<std::uint8_t>(instruction.value))->name};
  }
  return {};
}

std::string tables_text(const ClassFile& file, const CodeAttribute& code) {
  std::string text;
  if (!code.handlers.empty()) text += "    Exception table:\n       from    to  target type\n";
  for (const ExceptionHandler& handler : code.handlers)
    text += "      " + number(handler.begin, 6) + number(handler.end, 6) + number(handler.target, 6) + "   " +
            (handler.type ? "Class " + name_text(file.constants.class_name(*handler.type)) : "any") + '\n';
  if (!code.lines.empty()) text += "    LineNumberTable:\n";
  for (const LineNumber& line : code.lines)
    text += "      line " + std::to_string(line.line) + ": " + std::to_string(line.begin) + '\n';
  if (!code.locals.empty()) text += "    LocalVariableTable:\n      Start  Length  Slot  Name   Signature\n";
  for (const LocalVariable& local : code.locals)
    text += "      " + number(local.begin, 5) + number(local.end - local.begin, 8) + number(local.slot, 6) + "  " +
            name_text(local.name) + "  " + name_text(local.descriptor) + '\n';
  return text;
}

std::string code_text(const ClassFile& file, const Member& method, const CodeAttribute& code) {
  std::string text = "    Code:\n";
  for (const BytecodeInstruction& instruction : instructions_of(file, method, code)) {
    text += number(instruction.offset, 8) + ": ";
    const std::string operands = operands_text(file, code.code, instruction);
    // As javap writes it: iload_w for wide iload.
    const std::string name = std::string{mnemonic(instruction.opcode)} + (instruction.wide ? "_w" : "");
    text += operands.empty() ? name : padded(name) + operands;
    text += '\n';
  }
  return text + tables_text(file, code);
}

std::string header_text(const ClassFile& file) {
  std::string text;
  if (const auto source = source_file(file)) text += "Compiled from \"" + name_text(*source) + "\"\n";
  text += words_of(file.access, AccessOf::Class) + (file.access.is_interface() ? "interface " : "class ") +
          shown(java_class_name(file.name), max_listed_name);
  if (file.super_name) text += " extends " + shown(java_class_name(*file.super_name), max_listed_name);
  for (std::size_t i = 0; i < file.interfaces.size(); ++i)
    text += (i == 0 ? " implements " : ", ") + shown(java_class_name(file.interfaces[i]), max_listed_name);
  return text + " {  // version " + std::to_string(file.major_version) + '.' + std::to_string(file.minor_version) +
         '\n';
}

}  // namespace

std::string listing(const ClassFile& file) {
  return with_location(file, nullptr, [&] {
    std::string text = header_text(file);
    for (const Member& field : file.fields)
      text += "  " + words_of(field.access, AccessOf::Field) + name_text(field.descriptor) + ' ' +
              name_text(field.name) + ";\n";
    for (const Member& method : file.methods) {
      text += "\n  " + words_of(method.access, AccessOf::Method) + name_text(method.name) +
              name_text(method.descriptor) + ";\n";
      if (const auto code = read_code(file, method)) text += code_text(file, method, *code);
    }
    return text + "}\n";
  });
}

}  // namespace lockwood::jvm
