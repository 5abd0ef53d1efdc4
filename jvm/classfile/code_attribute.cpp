#include "jvm/classfile/code_attribute.hpp"

#include <cassert>

namespace lockwood::jvm {
namespace {

constexpr std::size_t max_code_length = 65535;  // [lindholm.21.jvm, Sect. 4.7.3]

std::vector<ExceptionHandler> read_handlers(const ClassFile& file, ByteReader& reader, std::size_t code_length) {
  const std::size_t count = reader.count_u2(8, "exception handlers");
  std::vector<ExceptionHandler> handlers;
  handlers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = reader.position();
    ExceptionHandler handler{.begin = reader.u2(), .end = reader.u2(), .target = reader.u2(), .type = {}};
    if (handler.begin >= handler.end || handler.end > code_length || handler.target >= code_length)
      throw MalformedBytes{at, "the range or target of an exception handler is outside of the code"};
    if (const ConstantIndex type{reader.u2()}; type.index() != 0) {
      static_cast<void>(file.constants.class_name(type));
      handler.type = type;
    }
    handlers.push_back(handler);
  }
  return handlers;
}

void read_lines(ByteReader& reader, std::size_t code_length, std::vector<LineNumber>& lines) {
  const std::size_t count = reader.count_u2(4, "line numbers");
  lines.reserve(lines.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = reader.position();
    const LineNumber line{.begin = reader.u2(), .line = reader.u2()};
    if (line.begin >= code_length) throw MalformedBytes{at, "a line number is outside of the code"};
    lines.push_back(line);
  }
}

void read_locals(const ClassFile& file, ByteReader& reader, std::size_t code_length,
                 std::vector<LocalVariable>& locals) {
  const std::size_t count = reader.count_u2(10, "local variables");
  locals.reserve(locals.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = reader.position();
    const std::uint16_t begin = reader.u2();
    const std::uint32_t end = begin + std::uint32_t{reader.u2()};
    if (end > code_length) throw MalformedBytes{at, "a local variable is outside of the code"};
    const std::string_view name = file.constants.utf8(ConstantIndex{reader.u2()});
    const std::string_view descriptor = file.constants.utf8(ConstantIndex{reader.u2()});
    locals.push_back({begin, end, name, descriptor, reader.u2()});
  }
}

CodeAttribute read_code_attribute(const ClassFile& file, const Attribute& attribute) {
  ByteReader reader = reader_of(file, attribute);
  CodeAttribute code;
  code.max_stack = reader.u2();
  code.max_locals = reader.u2();
  const std::size_t length = reader.u4();
  if (length == 0 || length > max_code_length)
    reader.fail("the code has " + std::to_string(length) + " bytes; it needs 1 to " + std::to_string(max_code_length));
  code.begin = reader.position();
  code.code = reader.take(length);
  code.handlers = read_handlers(file, reader, length);
  for (const Attribute& inner : read_attributes(file.constants, reader, AttributeOwner::Code)) {
    ByteReader part = reader_of(file, inner);
    if (inner.kind == AttributeKind::LineNumberTable) {
      read_lines(part, length, code.lines);
    } else {
      assert(inner.kind == AttributeKind::LocalVariableTable);
      read_locals(file, part, length, code.locals);
    }
    part.require_end(layout_of(inner.kind).name);
  }
  reader.require_end("the attribute Code");
  return code;
}

}  // namespace

std::optional<CodeAttribute> read_code(const ClassFile& file, const Member& method) {
  const auto attribute = find_attribute(file, method.attributes, AttributeKind::Code);
  if (!attribute) return std::nullopt;
  return with_location(file, &method, [&] { return std::optional{read_code_attribute(file, *attribute)}; });
}

std::vector<BytecodeInstruction> instructions_of(const ClassFile& file, const Member& method,
                                                 const CodeAttribute& code) {
  try {
    return decode_instructions(code.code);
  } catch (MalformedBytes& malformed) {
    throw ClassFormatError{{.origin = file.bytes.origin,
                            .class_name = std::string{file.name},
                            .method = std::string{method.name} + std::string{method.descriptor},
                            .byte = code.begin + malformed.offset,
                            .bytecode = malformed.offset},
                           malformed.message};
  }
}

}  // namespace lockwood::jvm
