// What compilers never emit: subroutines in odd places, unstructured monitors, odd constants, hostile sizes.
#include <doctest/doctest.h>

#include <algorithm>

#include "jvm/code/body_text.hpp"
#include "jvm/code/code_reader.hpp"
#include "tests/jvm/class_assembler.hpp"
#include "tests/jvm/read_everything.hpp"

using namespace lockwood::jvm;
using namespace lockwood::jvm::test;

namespace {

struct Made {
  ClassFile file;
  MethodCode code;
};

Made made(ClassAssembler& assembler, const CodeAssembler& code, std::string_view descriptor = "()V",
          std::size_t max_stack = 16, std::size_t max_locals = 16) {
  assembler.method(0x8, "f", descriptor, code, max_stack, max_locals);
  ClassFile file = read_class_file(class_bytes(assembler.bytes()));
  auto result = CodeReader{file}.read(file.methods[0]);
  REQUIRE(result);
  return {std::move(file), std::move(*result)};
}

std::string refusal(ClassAssembler& assembler, const CodeAssembler& code, std::string_view descriptor = "()V",
                    std::size_t max_stack = 16, std::size_t max_locals = 16) {
  assembler.method(0x8, "f", descriptor, code, max_stack, max_locals);
  const ClassFile file = read_class_file(class_bytes(assembler.bytes()));
  try {
    static_cast<void>(CodeReader{file}.read(file.methods[0]));
  } catch (const ClassFormatError& error) {
    CHECK(error.location().method == "f" + std::string{descriptor});
    CHECK(error.location().bytecode);
    return error.what();
  }
  return "no error";
}

std::string refusal(const CodeAssembler& code, std::string_view descriptor = "()V", std::size_t max_stack = 16,
                    std::size_t max_locals = 16) {
  ClassAssembler assembler{"C"};
  return refusal(assembler, code, descriptor, max_stack, max_locals);
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("code that is not well-typed is refused in words, with its offset") {
  CHECK(contains(refusal(CodeAssembler{}.op(Opcode::Nop)),
                 "control falls off the end of the code (at bytecode offset 0)"));
  CHECK(contains(refusal(CodeAssembler{}.op(Opcode::Pop).op(Opcode::Return)), "the operand stack is empty"));
  CHECK(contains(refusal(CodeAssembler{}.op(Opcode::Iconst0).op(Opcode::Iconst0).op(Opcode::Return), "()V", 1),
                 "the operand stack is too high"));
  CHECK(contains(refusal(CodeAssembler{}.op(Opcode::AconstNull).op(Opcode::Ineg).op(Opcode::Return)),
                 "wants int, but the operand stack has reference"));
  CHECK(contains(refusal(CodeAssembler{}.op(Opcode::Lconst0).op(Opcode::Pop).op(Opcode::Return)), "half of a long"));
  CHECK(contains(refusal(CodeAssembler{}.op1(Opcode::Iload, 3).op(Opcode::Ireturn)),
                 "local 3 is read as int, but it need not be written"));
  CHECK(contains(refusal(CodeAssembler{}.op1(Opcode::Iload, 30).op(Opcode::Return)), "local 30 does not exist"));
  CHECK(contains(refusal(CodeAssembler{}.op1(Opcode::Ret, 0)), "outside of a subroutine"));
  CHECK(contains(refusal(CodeAssembler{}.op(Opcode::Return), "(JJ)V", 1, 3), "local 2 does not exist"));
  {
    CodeAssembler code;  // the stack differs at the join
    const auto join = code.label();
    code.op(Opcode::Iconst0).branch(Opcode::Ifeq, join).op(Opcode::Iconst1).bind(join).op(Opcode::Return);
    CHECK(contains(refusal(code), "differs between the ways that lead here (at bytecode offset 5)"));
  }
  {
    CodeAssembler code;  // into the middle of an instruction
    code.op(Opcode::Goto).raw({0, 1});
    CHECK(contains(refusal(code), "is inside of an instruction"));
  }
  {
    ClassAssembler assembler{"C"};
    CodeAssembler code;
    code.op1(Opcode::Ldc, assembler.utf8("text")).op(Opcode::Return);
    CHECK(contains(refusal(assembler, code), "cannot be loaded"));
  }
  {
    ClassAssembler assembler{"C"};
    CodeAssembler code;
    code.op2(Opcode::LdcW, assembler.long_integer(5)).op(Opcode::Return);
    CHECK(contains(refusal(assembler, code), "constant of the wrong size"));
  }
  {
    ClassAssembler assembler{"C"};
    CodeAssembler code;
    code.op2(Opcode::Invokestatic, assembler.method_ref("C", "<clinit>", "()V")).op(Opcode::Return);
    CHECK(contains(refusal(assembler, code), "initialisers cannot be called so"));
  }
  {
    ClassAssembler assembler{"C"};
    CodeAssembler code;
    code.op2(Opcode::Invokedynamic, assembler.two(18, 7, assembler.name_and_type("f", "()V"))).raw({0, 0});
    code.op(Opcode::Return);
    CHECK(contains(refusal(assembler, code), "bootstrap method 7 does not exist"));
  }
}

TEST_CASE("a local may have two types, one after the other") {
  ClassAssembler assembler{"C"};
  CodeAssembler code;
  code.op(Opcode::Iconst1).op1(Opcode::Istore, 0).op1(Opcode::Iload, 0).op(Opcode::Pop);
  code.op(Opcode::AconstNull).op1(Opcode::Astore, 0).op1(Opcode::Aload, 0).op(Opcode::Pop).op(Opcode::Return);
  const Made result = made(assembler, code);
  CHECK(result.code.body.registers.size() == 2);
}

TEST_CASE("a structured monitor by hand, without a handler, cannot leave by an exception") {
  ClassAssembler assembler{"C"};
  CodeAssembler code;
  code.op1(Opcode::Aload, 0).op(Opcode::Monitorenter).op1(Opcode::Aload, 0).op(Opcode::Monitorexit).op(Opcode::Return);
  const Made result = made(assembler, code, "(Ljava/lang/Object;)V");
  CHECK(result.code.monitors.structured());
  CHECK(result.code.monitors.regions.size() == 1);
}

TEST_CASE("monitors that cross are ignored, the fewest of them, with a note") {
  ClassAssembler assembler{"C"};
  CodeAssembler code;
  for (std::size_t local : {0U, 1U}) code.op1(Opcode::Aload, local).op(Opcode::Monitorenter);
  for (std::size_t local : {0U, 1U}) code.op1(Opcode::Aload, local).op(Opcode::Monitorexit);
  code.op(Opcode::Return);
  const Made result = made(assembler, code, "(Ljava/lang/Object;Ljava/lang/Object;)V");
  const MonitorRegions& monitors = result.code.monitors;
  CHECK(monitors.regions.size() == 1);
  CHECK(monitors.ignored_enters.size() == 1);
  CHECK(monitors.ignored_exits.size() == 1);
  REQUIRE(monitors.notes.size() == 2);
  CHECK(contains(monitors.notes[0].text, "this monitorenter is ignored: "));
  CHECK(contains(to_text(result.file, result.file.methods[0], result.code), "note at offset "));
}

TEST_CASE("an exception inside of a monitor without a handler makes it unstructured") {
  ClassAssembler assembler{"C"};
  CodeAssembler code;
  code.op1(Opcode::Aload, 0).op(Opcode::Monitorenter);
  code.op2(Opcode::Invokestatic, assembler.method_ref("C", "g", "()V"));
  code.op1(Opcode::Aload, 0).op(Opcode::Monitorexit).op(Opcode::Return);
  const Made result = made(assembler, code, "(Ljava/lang/Object;)V");
  CHECK(result.code.monitors.regions.empty());
  REQUIRE_FALSE(result.code.monitors.notes.empty());
  CHECK(contains(result.code.monitors.notes[0].text, "an exception leaves the method while a monitor is held"));
}

TEST_CASE("an exit that belongs to no region throws") {
  ClassAssembler assembler{"C"};
  CodeAssembler code;
  const auto begin = code.here();
  code.op1(Opcode::Aload, 0).op(Opcode::Monitorexit);
  const auto end = code.here();
  code.op(Opcode::Return);
  const auto target = code.here();
  code.op(Opcode::Pop).op(Opcode::Return);
  code.handler(begin, end, target);
  const Made result = made(assembler, code, "(Ljava/lang/Object;)V");
  CHECK(result.code.monitors.ignored_exits.size() == 1);
  // The handler is reached through it.
  CHECK(contains(to_text(result.file, result.file.methods[0], result.code), "catch any"));
}

TEST_CASE("handlers are tried in order until one surely matches") {
  ClassAssembler assembler{"C"};
  CodeAssembler code;
  const auto begin = code.here();
  code.op1(Opcode::Iload, 0).op1(Opcode::Iload, 0).op(Opcode::Idiv).op(Opcode::Pop);
  const auto end = code.here();
  code.op(Opcode::Return);
  const auto target = code.here();
  code.op(Opcode::Pop).op(Opcode::Return);
  code.handler(begin, end, target, assembler.class_ref("java/io/IOException"));
  code.handler(begin, end, target, assembler.class_ref("java/io/IOException"));
  code.handler(begin, end, target, assembler.class_ref("java/lang/Throwable"));
  code.handler(begin, end, target);  // never reached
  const Made result = made(assembler, code, "(I)V");
  const MethodBody& body = result.code.body;
  std::size_t most = 0;
  for (const BasicBlock& block : body.blocks) {
    most = std::max(most, block.handlers.size());
    CHECK_FALSE(block.leaves_by_exception);
  }
  CHECK(most == 2);
}

TEST_CASE("subroutines are copied for each call, within a limit") {
  // f calls a subroutine twice; each call has its own copy of the code.
  ClassAssembler assembler{"C"};
  CodeAssembler code;
  const auto subroutine = code.label();
  code.branch(Opcode::Jsr, subroutine).branch(Opcode::Jsr, subroutine).op(Opcode::Return);
  code.bind(subroutine).op1(Opcode::Astore, 1);
  code.op2(Opcode::Invokestatic, assembler.method_ref("C", "g", "()V")).op1(Opcode::Ret, 1);
  const Made result = made(assembler, code);
  CHECK(std::ranges::count_if(result.code.body.instructions, [](const Instruction& instruction) {
          return std::holds_alternative<Invoke>(instruction.operation);
        }) == 2);

  // Each calls the next one twice: 2^20 copies.
  ClassAssembler hostile{"C"};
  CodeAssembler exploding;
  std::vector<CodeAssembler::Label> labels;
  for (int i = 0; i < 20; ++i) labels.push_back(exploding.label());
  exploding.branch(Opcode::Jsr, labels[0]).op(Opcode::Return);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    exploding.bind(labels[i]).op1(Opcode::Astore, i);
    if (i + 1 < labels.size()) exploding.branch(Opcode::Jsr, labels[i + 1]).branch(Opcode::Jsr, labels[i + 1]);
    exploding.op1(Opcode::Ret, i);
  }
  CHECK(contains(refusal(hostile, exploding, "()V", 16, 32), "more than 10000 instructions"));
}

TEST_CASE("hostile methods are coded or refused with bounded memory and time") {
  {
    // 65,535 locals, of which few are used.
    ClassAssembler assembler{"C"};
    CodeAssembler code;
    code.op(Opcode::Iconst0).raw({0xC4, 0x36, 0xFF, 0xFE}).raw({0xC4, 0x15, 0xFF, 0xFE}).op(Opcode::Ireturn);
    CHECK(made(assembler, code, "()I", 2, 65535).code.body.registers.size() == 1);
  }
  {
    // Many locals that are live over many joins.
    ClassAssembler assembler{"C"};
    CodeAssembler code;
    constexpr std::size_t locals = 3000;
    const auto wide = [&](std::size_t opcode, std::size_t local) {
      code.raw({0xC4, opcode, local >> 8U, local & 0xFFU});
    };
    for (std::size_t i = 0; i < locals; ++i) {
      code.op(Opcode::Iconst0);
      wide(0x36, i);
    }
    for (std::size_t i = 0; i < 2500; ++i) {
      const auto skip = code.label();
      code.op(Opcode::Iconst0).branch(Opcode::Ifeq, skip).op(Opcode::Iconst1);
      wide(0x36, i);
      code.bind(skip);
    }
    for (std::size_t i = 0; i < locals; ++i) {
      wide(0x15, i);
      code.op(Opcode::Pop);
    }
    code.op(Opcode::Return);
    CHECK(made(assembler, code, "()V", 4, locals).code.body.blocks.size() > 2500);
  }
  {
    // A handler for each instruction, all for all.
    ClassAssembler assembler{"C"};
    CodeAssembler code;
    const auto begin = code.here();
    const auto g = assembler.method_ref("C", "g", "()V");
    for (std::size_t i = 0; i < 9000; ++i) code.op2(Opcode::Invokestatic, g).op(Opcode::Iconst0).op1(Opcode::Istore, 0);
    const auto end = code.here();
    code.op(Opcode::Return);
    const auto target = code.here();
    code.op(Opcode::Pop).op(Opcode::Return);
    for (std::size_t i = 0; i < 5000; ++i)
      code.handler(begin, end, target, assembler.class_ref("E" + std::to_string(i)));
    CHECK(contains(refusal(assembler, code), "too many edges"));
  }
}

TEST_CASE("deep and wide operand stacks are within limits") {
  ClassAssembler assembler{"C"};
  CodeAssembler code;
  for (std::size_t i = 0; i < 30000; ++i) code.op(Opcode::Iconst0);
  for (std::size_t i = 0; i < 8000; ++i) {
    const auto next = code.label();
    code.op(Opcode::Nop).branch(Opcode::Goto, next).bind(next);
  }
  code.op(Opcode::Return);
  CHECK(contains(refusal(assembler, code, "()V", 65535, 1), "operand stacks of the method are too large"));
}
