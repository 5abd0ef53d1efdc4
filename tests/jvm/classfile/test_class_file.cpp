#include <doctest/doctest.h>

#include "jvm/classfile/annotation.hpp"
#include "jvm/classfile/class_attributes.hpp"
#include "jvm/classfile/class_file.hpp"
#include "jvm/classfile/code_attribute.hpp"
#include "tests/jvm/class_assembler.hpp"

using namespace lockwood::jvm;
using namespace lockwood::jvm::test;

namespace {

// A class with a little of everything.
ClassAssembler sample() {
  ClassAssembler assembler{"pkg/Sample", "pkg/Base", 0x21, 61};
  assembler.interface("java/lang/Runnable");
  assembler.field(0x19, "limit", "J");
  assembler.field(0x02, "m", "Ljava/lang/Object;");
  assembler.method(0x401, "run", "()V");
  CodeAssembler code;
  const auto begin = code.here();
  code.line(7).op(Opcode::Iconst1).op(Opcode::Istore1).line(8).op(Opcode::Return);
  const auto end = code.here();
  code.op(Opcode::Athrow);
  code.handler(begin, end, end, assembler.class_ref("java/lang/Exception"));
  assembler.method(0x08, "f", "(I)V", code, 1, 2);
  assembler.long_integer(77);
  ByteWriter source;
  source.u2(assembler.utf8("Sample.java"));
  assembler.attribute("SourceFile", source.bytes);
  assembler.attribute("Unheard", {1, 2, 3});
  return assembler;
}

std::string error_of(std::vector<std::uint8_t> bytes) {
  try {
    static_cast<void>(read_class_file(class_bytes(std::move(bytes), "a.jar")));
  } catch (const ClassFormatError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a class file has the tables that were written") {
  const ClassFile file = read_class_file(class_bytes(sample().bytes()));
  CHECK(file.name == "pkg/Sample");
  CHECK(file.super_name == "pkg/Base");
  CHECK(file.major_version == 61);
  REQUIRE(file.interfaces.size() == 1);
  CHECK(file.interfaces[0] == "java/lang/Runnable");
  REQUIRE(file.fields.size() == 2);
  CHECK(file.fields[0].name == "limit");
  CHECK(file.fields[0].access.is_final());
  CHECK_FALSE(file.fields[1].access.is_public());
  REQUIRE(find_method(file, "f", "(I)V") != nullptr);
  CHECK(find_method(file, "f", "(J)V") == nullptr);
  CHECK(source_file(file) == "Sample.java");
  CHECK_FALSE(read_code(file, *find_method(file, "run", "()V")));
  const auto code = read_code(file, *find_method(file, "f", "(I)V"));
  REQUIRE(code);
  CHECK(code->max_locals == 2);
  CHECK(code->code.size() == 4);
  REQUIRE(code->handlers.size() == 1);
  CHECK(code->handlers[0].target == 3);
  REQUIRE(code->lines.size() == 2);
  CHECK(code->lines[1].line == 8);
  CHECK(instructions_of(file, file.methods[1], *code).size() == 4);
  CHECK_FALSE(newer_version(file));
}

TEST_CASE("every truncated class is refused, with a place") {
  const auto bytes = sample().bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CAPTURE(length);
    const std::string error = error_of({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)});
    CHECK(error.starts_with("a.jar: error: "));
    CHECK(error.find("(at byte ") != std::string::npos);
  }
  auto longer = bytes;
  longer.push_back(0);
  CHECK(error_of(longer).find("1 bytes are left over at the end of the class") != std::string::npos);
}

TEST_CASE("errors name the class, the method and the offset") {
  ClassAssembler assembler{"pkg/C"};
  CodeAssembler code;
  code.op(Opcode::Nop).raw({0xFE});
  assembler.method(0x08, "f", "()V", code);
  const ClassFile file = read_class_file(class_bytes(assembler.bytes(), "a.jar"));
  const auto attribute = read_code(file, file.methods[0]);
  REQUIRE(attribute);
  try {
    static_cast<void>(instructions_of(file, file.methods[0], *attribute));
    FAIL("no error");
  } catch (const ClassFormatError& error) {
    CHECK(error.location().class_name == "pkg/C");
    CHECK(error.location().method == "f()V");
    CHECK(error.location().bytecode == 1);
    CHECK(std::string{error.what()}.starts_with(
        "a.jar: error: class pkg/C: method f()V: byte 254 is not an instruction (at bytecode offset 1)"));
  }
}

TEST_CASE("wrong tables are refused in words") {
  CHECK(error_of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}).find("does not begin with 0xCAFEBABE") != std::string::npos);
  {
    ClassAssembler assembler{"C", "", 0x21};
    CHECK(error_of(assembler.bytes()).find("has no superclass") != std::string::npos);
  }
  {
    ClassAssembler assembler{"C"};
    assembler.method(1, "f", "()V");
    assembler.method(2, "f", "()V");
    CHECK(error_of(assembler.bytes()).find("is declared twice") != std::string::npos);
  }
  {
    ClassAssembler assembler{"C"};
    assembler.method(1, "f", "(");
    CHECK(error_of(assembler.bytes()).find("'(' is not a descriptor of a method") != std::string::npos);
  }
  {
    ClassAssembler assembler{"C"};
    assembler.method(1, "<odd>", "()V");
    CHECK(error_of(assembler.bytes()).find("'<odd>' is not a name of a method") != std::string::npos);
  }
  {
    ClassAssembler assembler{"C"};
    assembler.two(9, 500, 501);
    CHECK(error_of(assembler.bytes()).find("constant #500 does not exist") != std::string::npos);
  }
  {
    ClassAssembler assembler{"C"};
    assembler.one(8, assembler.integer(3));
    CHECK(error_of(assembler.bytes()).find("should be Utf8, but it is Integer") != std::string::npos);
  }
  {
    ClassAssembler assembler{"C"};
    assembler.handle(5, assembler.field_ref("C", "f", "I"));
    CHECK(error_of(assembler.bytes()).find("fits the kind of the method handle") != std::string::npos);
  }
  {
    ClassAssembler assembler{"C"};
    assembler.one(2, 1);
    CHECK(error_of(assembler.bytes()).find("unknown tag 2") != std::string::npos);
  }
  {
    ClassAssembler assembler{"C", "java/lang/Object", 0x21, 44};
    CHECK(error_of(assembler.bytes()).find("the version is 44") != std::string::npos);
  }
  {
    ClassAssembler assembler{"C", "java/lang/Object", 0x21, 70};
    const ClassFile file = read_class_file(class_bytes(assembler.bytes()));
    REQUIRE(newer_version(file));
    CHECK(newer_version(file)->message.find("has version 70") != std::string::npos);
  }
}

TEST_CASE("attributes are read as they were written") {
  ClassAssembler assembler{"Rec", "java/lang/Record", 0x31, 61};
  ByteWriter record;
  record.u2(1);
  record.u2(assembler.utf8("x"));
  record.u2(assembler.utf8("I"));
  record.u2(0);
  assembler.attribute("Record", record.bytes);
  ByteWriter inner;
  inner.u2(1);
  inner.u2(assembler.class_ref("Rec$1"));
  inner.u2(0);
  inner.u2(0);
  inner.u2(0x8);
  assembler.attribute("InnerClasses", inner.bytes);
  ByteWriter nest;
  nest.u2(2);
  nest.u2(assembler.class_ref("Rec$1"));
  nest.u2(assembler.class_ref("Rec$2"));
  assembler.attribute("NestMembers", nest.bytes);
  ByteWriter annotations_bytes;  // @A(v = {1, B.class}, n = @N)
  annotations_bytes.u2(1);
  annotations_bytes.u2(assembler.utf8("LA;"));
  annotations_bytes.u2(2);
  annotations_bytes.u2(assembler.utf8("v"));
  annotations_bytes.u1('[');
  annotations_bytes.u2(2);
  annotations_bytes.u1('I');
  annotations_bytes.u2(assembler.integer(1));
  annotations_bytes.u1('c');
  annotations_bytes.u2(assembler.utf8("LB;"));
  annotations_bytes.u2(assembler.utf8("n"));
  annotations_bytes.u1('@');
  annotations_bytes.u2(assembler.utf8("LN;"));
  annotations_bytes.u2(0);
  assembler.attribute("RuntimeVisibleAnnotations", annotations_bytes.bytes);
  const ClassFile file = read_class_file(class_bytes(assembler.bytes()));

  const auto components = record_components(file);
  REQUIRE(components);
  REQUIRE(components->size() == 1);
  CHECK(components->front().name == "x");
  const auto classes = inner_classes(file);
  REQUIRE(classes.size() == 1);
  CHECK(classes[0].inner == "Rec$1");
  CHECK_FALSE(classes[0].outer);
  CHECK(nest_members(file) == std::vector<std::string_view>{"Rec$1", "Rec$2"});
  const auto found = annotations(file, file.class_attributes);
  REQUIRE(found.size() == 1);
  CHECK(found[0].type == "LA;");
  CHECK(found[0].visible);
  REQUIRE(found[0].elements.size() == 2);
  CHECK(std::get<std::vector<ElementValue>>(found[0].elements[0].second.value).size() == 2);
  CHECK(std::get<std::vector<Annotation>>(found[0].elements[1].second.value).front().type == "LN;");
  CHECK_FALSE(nest_host(file));
  CHECK_FALSE(module_declaration(file));
}

TEST_CASE("annotations that nest without end are refused") {
  ClassAssembler assembler{"C"};
  ByteWriter bytes;
  bytes.u2(1);
  bytes.u2(assembler.utf8("LA;"));
  bytes.u2(1);
  bytes.u2(assembler.utf8("v"));
  for (int depth = 0; depth < 100000; ++depth) {
    bytes.u1('[');
    bytes.u2(1);
  }
  assembler.attribute("RuntimeVisibleAnnotations", bytes.bytes);
  const ClassFile file = read_class_file(class_bytes(assembler.bytes()));
  CHECK_THROWS_AS(static_cast<void>(annotations(file, file.class_attributes)), ClassFormatError);
}

TEST_CASE("an attribute with a lying length is an error, and no memory") {
  ClassAssembler assembler{"C"};
  assembler.attribute("InnerClasses", {0xFF, 0xFF});
  const ClassFile file = read_class_file(class_bytes(assembler.bytes()));
  CHECK_THROWS_WITH_AS(static_cast<void>(inner_classes(file)),
                       doctest::Contains("there is no room for 65535 inner classes"), ClassFormatError);
}

TEST_CASE("switches are decoded at every alignment, and disordered ones are refused") {
  for (std::size_t padding = 0; padding < 4; ++padding) {
    ByteWriter writer;
    for (std::size_t i = 0; i < padding; ++i) writer.u1(0);
    writer.u1(static_cast<std::size_t>(Opcode::Lookupswitch));
    while (writer.bytes.size() % 4 != 0) writer.u1(0);
    writer.u4(1);
    writer.u4(2);
    writer.u4(0xFFFFFFFF);
    writer.u4(2);
    writer.u4(5);
    writer.u4(3);
    auto code = writer.bytes;
    const BytecodeInstruction instruction = decode_instruction(code, padding);
    CHECK(instruction.end() == code.size());
    const SwitchTable table = decode_switch(code, instruction);
    CHECK(table.otherwise == padding + 1);
    REQUIRE(table.cases.size() == 2);
    CHECK(table.cases[0].match == -1);
    CHECK(table.cases[1].target == padding + 3);
    code[code.size() - 8] = 0x80;  // 5 becomes negative and smaller than -1
    CHECK_THROWS_AS(static_cast<void>(decode_instruction(code, padding)), MalformedBytes);
  }
}
