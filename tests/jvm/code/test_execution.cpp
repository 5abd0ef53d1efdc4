// The code that we make of a method does what its bytecode does: random methods are run in both forms.
#include <doctest/doctest.h>

#include <algorithm>
#include <variant>

#include "base/ids/random.hpp"
#include "jvm/classfile/code_attribute.hpp"
#include "jvm/code/body_text.hpp"
#include "jvm/code/code_reader.hpp"
#include "jvm/code/listing.hpp"
#include "tests/jvm/class_assembler.hpp"

using namespace lockwood::jvm;
using namespace lockwood::jvm::test;
using lockwood::Random;

namespace {

constexpr std::size_t max_trace = 60;

// What a run shows: the values written to the static field, then how it ended.
struct Run {
  std::vector<std::int64_t> trace;
  std::string end = "cut";
  friend bool operator==(const Run&, const Run&) = default;
};

constexpr const char* thrown_class = "java/lang/ArithmeticException";

std::int32_t wrapped(std::int64_t value) { return static_cast<std::int32_t>(static_cast<std::uint64_t>(value)); }

// Nothing: division by zero.
std::optional<std::int64_t> computed(Opcode opcode, std::int64_t a, std::int64_t b) {
  switch (opcode) {
    case Opcode::Iadd: return wrapped(a + b);
    case Opcode::Isub: return wrapped(a - b);
    case Opcode::Imul: return wrapped(a * b);
    case Opcode::Iand: return a & b;
    case Opcode::Ixor: return a ^ b;
    case Opcode::Idiv: return b == 0 ? std::nullopt : std::optional<std::int64_t>{wrapped(a / b)};
    case Opcode::Ladd: return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    default: FAIL("unexpected arithmetic"); return 0;
  }
}

bool holds(Opcode opcode, std::int64_t a, std::int64_t b) {
  switch (opcode) {
    case Opcode::Ifeq: return a == 0;
    case Opcode::Iflt: return a < 0;
    case Opcode::IfIcmplt: return a < b;
    default: FAIL("unexpected branch"); return false;
  }
}

// A plain stack machine on the bytes.
Run run_bytecode(const ClassFile& file, const CodeAttribute& code, std::vector<std::int64_t> locals) {
  Run run;
  locals.resize(code.max_locals);
  std::vector<std::int64_t> stack;
  const auto pop = [&] {
    REQUIRE(!stack.empty());
    const std::int64_t top = stack.back();
    stack.pop_back();
    return top;
  };
  std::size_t at = 0;
  while (run.trace.size() < max_trace) {
    const BytecodeInstruction instruction = decode_instruction(code.code, at);
    std::size_t next = instruction.end();
    bool throws = false;
    switch (instruction.opcode) {
      case Opcode::Bipush: stack.push_back(instruction.value); break;
      case Opcode::Iload: stack.push_back(locals[instruction.local]); break;
      case Opcode::Istore:
      case Opcode::Astore: locals[instruction.local] = pop(); break;
      case Opcode::Iinc: locals[instruction.local] = wrapped(locals[instruction.local] + instruction.value); break;
      case Opcode::Dup: stack.push_back(stack.back()); break;
      case Opcode::Dup2: stack.push_back(stack.back()); break;  // of a long, which is one entry here
      case Opcode::Swap: std::swap(stack[stack.size() - 1], stack[stack.size() - 2]); break;
      case Opcode::DupX1: {
        const std::int64_t top = pop();
        const std::int64_t under = pop();
        stack.insert(stack.end(), {top, under, top});
        break;
      }
      case Opcode::Pop: pop(); break;
      case Opcode::I2l: break;
      case Opcode::L2i: stack.back() = wrapped(stack.back()); break;
      case Opcode::Putstatic: run.trace.push_back(pop()); break;
      case Opcode::Goto: next = instruction.target(); break;
      case Opcode::Jsr:
        stack.push_back(static_cast<std::int64_t>(next));
        next = instruction.target();
        break;
      case Opcode::Ret: next = static_cast<std::size_t>(locals[instruction.local]); break;
      case Opcode::Ifeq:
      case Opcode::Iflt:
        if (holds(instruction.opcode, pop(), 0)) next = instruction.target();
        break;
      case Opcode::IfIcmplt: {
        const std::int64_t b = pop();
        if (holds(instruction.opcode, pop(), b)) next = instruction.target();
        break;
      }
      case Opcode::Tableswitch: {
        const SwitchTable table = decode_switch(code.code, instruction);
        const std::int64_t value = pop();
        next = table.otherwise;
        for (const auto& one : table.cases)
          if (one.match == value) next = one.target;
        break;
      }
      case Opcode::Ireturn: run.end = "returns " + std::to_string(pop()); return run;
      default: {
        const std::int64_t b = pop();
        const auto result = computed(instruction.opcode, pop(), b);
        throws = !result;
        if (result) stack.push_back(*result);
      }
    }
    if (throws) {
      const auto handler = std::ranges::find_if(code.handlers, [&](const ExceptionHandler& row) {
        return row.begin <= at && at < row.end && (!row.type || file.constants.class_name(*row.type) == thrown_class);
      });
      if (handler == code.handlers.end()) {
        run.end = "throws";
        return run;
      }
      stack = {0};
      next = handler->target;
    }
    at = next;
  }
  return run;
}

// The same on registers.
class BodyRunner {
 public:
  BodyRunner(const ClassFile& file, const MethodBody& body, std::vector<std::int64_t> arguments)
      : file_{file}, body_{body}, arguments_{std::move(arguments)}, values_(body.registers.size()) {}

  Run run() {
    Block block{0};
    std::optional<Block> from;
    while (run_.trace.size() < max_trace) {
      const auto next = step(block, from);
      if (!next) break;
      from = block;
      block = *next;
    }
    return run_;
  }

 private:
  std::optional<Block> step(Block block, std::optional<Block> from) {
    enter(block, from);
    const BasicBlock& basic = body_.blocks[block];
    for (InstructionId id : body_.instructions_of(block)) {
      const Instruction& instruction = body_.instructions[id];
      const auto operands = body_.operands_of(instruction);
      const auto value = [&](std::size_t i) { return values_[operands[i]]; };
      const auto set = [&](std::int64_t number) { values_[*instruction.result] = number; };
      const Operation& operation = instruction.operation;
      if (const auto* parameter = std::get_if<Parameter>(&operation)) set(arguments_[parameter->number]);
      if (const auto* constant = std::get_if<Constant>(&operation))
        set(std::holds_alternative<std::int32_t>(constant->value) ? std::get<std::int32_t>(constant->value) : 0);
      if (std::holds_alternative<PutStatic>(operation)) {
        run_.trace.push_back(value(0));
        if (run_.trace.size() == max_trace) return std::nullopt;
      }
      if (const auto* arithmetic = std::get_if<Arithmetic>(&operation)) {
        if (arithmetic->opcode == Opcode::I2l) {
          set(value(0));
        } else if (arithmetic->opcode == Opcode::L2i) {
          set(wrapped(value(0)));
        } else if (const auto result = computed(arithmetic->opcode, value(0), value(1))) {
          set(*result);
        } else {
          return caught(basic);
        }
      }
      if (std::holds_alternative<Jump>(operation)) return basic.successors[0];
      if (const auto* branch = std::get_if<Branch>(&operation))
        return basic.successors[holds(branch->opcode, value(0), operands.size() > 1 ? value(1) : 0) ? 0 : 1];
      if (const auto* selection = std::get_if<Switch>(&operation)) {
        const SwitchTargets& targets = body_.switches[selection->targets];
        for (const auto& [match, target] : targets.cases)
          if (match == value(0)) return target;
        return targets.otherwise;
      }
      if (std::holds_alternative<Return>(operation)) {
        run_.end = "returns " + std::to_string(value(0));
        return std::nullopt;
      }
    }
    FAIL("a block without an end");
    return std::nullopt;
  }

  // All phis at once, by the edge that was taken.
  void enter(Block block, std::optional<Block> from) {
    std::vector<std::pair<Register, std::int64_t>> news;
    const auto& predecessors = body_.blocks[block].predecessors;
    for (InstructionId id : body_.instructions_of(block)) {
      const Instruction& instruction = body_.instructions[id];
      if (!std::holds_alternative<Phi>(instruction.operation)) break;
      const auto edge = std::ranges::find(predecessors, *from) - predecessors.begin();
      news.emplace_back(*instruction.result, values_[body_.operands_of(instruction)[static_cast<std::size_t>(edge)]]);
    }
    for (const auto& [reg, number] : news) values_[reg] = number;
  }

  std::optional<Block> caught(const BasicBlock& basic) {
    for (Block handler : basic.handlers)
      for (InstructionId id : body_.instructions_of(handler))
        if (const auto* one = std::get_if<Catch>(&body_.instructions[id].operation))
          if (!one->type || file_.constants.class_name(*one->type) == thrown_class) return handler;
    run_.end = "throws";
    CHECK(basic.leaves_by_exception);
    return std::nullopt;
  }

  const ClassFile& file_;
  const MethodBody& body_;
  std::vector<std::int64_t> arguments_;
  lockwood::IdVector<Register, std::int64_t> values_;
  Run run_;
};

// A random method: blocks that begin with an empty stack or an int on it, handlers, subroutines, a switch.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_{seed} {
    field_ = assembler_.field_ref("C", "s", "I");
    const std::size_t blocks = 2 + random_.below(7);
    for (std::size_t i = 0; i < blocks; ++i) labels_.push_back({code_.label(), i > 0 && random_.percent(30)});
    for (std::size_t i = random_.below(3); i > 0; --i) subroutines_.push_back(code_.label());
  }

  std::vector<std::uint8_t> run() {
    for (std::size_t local = 2; local < 4; ++local) code_.op1(Opcode::Bipush, local).op1(Opcode::Istore, local);
    std::vector<CodeAssembler::Label> places;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      places.push_back(code_.here());
      block(i);
    }
    places.push_back(code_.here());
    handlers(places);
    for (std::size_t i = 0; i < subroutines_.size(); ++i) subroutine(i);
    assembler_.method(0x8, "f", "(II)I", code_, 8, 12);
    return assembler_.bytes();
  }

 private:
  struct BlockLabel {
    CodeAssembler::Label label;
    bool with_int;
  };

  void push_int() {
    if (random_.percent(50)) {
      code_.op1(Opcode::Bipush, random_.below(5));
    } else {
      code_.op1(Opcode::Iload, random_.below(4));
    }
  }
  void trace() { code_.op2(Opcode::Putstatic, field_); }

  void statement() {
    switch (random_.below(8)) {
      case 0:
        push_int();
        trace();
        break;
      case 1: code_.raw({static_cast<std::size_t>(Opcode::Iinc), random_.below(4), random_.below(3)}); break;
      case 2:  // copies between locals, so that phis of equal values arise
        code_.op1(Opcode::Iload, random_.below(4)).op1(Opcode::Istore, random_.below(4));
        break;
      case 3:
        push_int();
        code_.op(Opcode::I2l).op(Opcode::Dup2).op(Opcode::Ladd).op(Opcode::L2i).op1(Opcode::Istore, random_.below(4));
        break;
      case 4:
        push_int();
        push_int();
        code_.op(Opcode::DupX1)
            .op(Opcode::Swap)
            .op(Opcode::Isub)
            .op(Opcode::Iadd)
            .op1(Opcode::Istore, random_.below(4));
        break;
      default: {
        push_int();
        push_int();
        constexpr Opcode choices[] = {Opcode::Iadd, Opcode::Isub, Opcode::Imul, Opcode::Iand,
                                      Opcode::Ixor, Opcode::Idiv, Opcode::Idiv, Opcode::Idiv};
        code_.op(choices[random_.below(8)]);
        if (random_.percent(30)) {
          trace();
        } else {
          code_.op1(Opcode::Istore, random_.below(4));
        }
      }
    }
  }

  // A jump to a block, with what it wants on the stack.
  void jump_to(std::size_t target) {
    if (labels_[target].with_int) push_int();
    code_.branch(Opcode::Goto, labels_[target].label);
  }
  [[nodiscard]] std::optional<std::size_t> target_without_int() {
    for (int attempt = 0; attempt < 5; ++attempt) {
      const std::size_t target = random_.below(labels_.size());
      if (!labels_[target].with_int) return target;
    }
    return std::nullopt;
  }

  void block(std::size_t index) {
    code_.bind(labels_[index].label);
    if (labels_[index].with_int) code_.op1(Opcode::Istore, random_.below(4));
    code_.op1(Opcode::Bipush, 100 + index);
    trace();
    for (std::size_t i = random_.below(6); i > 0; --i) statement();
    if (!subroutines_.empty() && random_.percent(30))
      code_.branch(Opcode::Jsr, subroutines_[random_.below(subroutines_.size())]);
    const std::size_t how = random_.below(10);
    const auto target = target_without_int();
    if (how < 2) {
      push_int();
      code_.op(Opcode::Ireturn);
    } else if (how < 5 && target) {
      push_int();
      code_.branch(random_.percent(50) ? Opcode::Ifeq : Opcode::Iflt, labels_[*target].label);
      jump_to(random_.below(labels_.size()));
    } else if (how < 6 && target) {
      switch_to(*target);
    } else if (how < 8 && target) {
      push_int();
      push_int();
      code_.branch(Opcode::IfIcmplt, labels_[*target].label);
      jump_to(random_.below(labels_.size()));
    } else {
      jump_to(random_.below(labels_.size()));
    }
  }

  // tableswitch over 0 … 1 whose targets are jumps right behind it.
  void switch_to(std::size_t target) {
    push_int();
    const std::size_t at = code_.size();
    code_.op(Opcode::Tableswitch);
    while (code_.size() % 4 != 0) code_.raw({0});
    const std::size_t end = code_.size() + 20;
    const auto number = [&](std::size_t value) { code_.raw({0, 0, value >> 8U, value & 0xFFU}); };
    number(end - at);
    number(0);
    number(1);
    number(end - at + 3);
    number(end - at);
    code_.branch(Opcode::Goto, labels_[target].label);
    const auto other = target_without_int();
    code_.branch(Opcode::Goto, labels_[other.value_or(target)].label);
  }

  void handlers(const std::vector<CodeAssembler::Label>& places) {
    for (std::size_t i = random_.below(4); i > 0; --i) {
      const std::size_t begin = random_.below(places.size() - 1);
      const std::size_t end = begin + 1 + random_.below(places.size() - 1 - begin);
      const auto target = code_.here();
      code_.op(Opcode::Pop);
      code_.op1(Opcode::Bipush, 50 + i);
      trace();
      jump_to(random_.below(labels_.size()));
      constexpr const char* types[] = {thrown_class, "java/lang/NullPointerException", thrown_class};
      const std::size_t type = random_.below(4);
      code_.handler(places[begin], places[end], target, type == 3 ? 0 : assembler_.class_ref(types[type]));
    }
  }

  void subroutine(std::size_t index) {
    code_.bind(subroutines_[index]);
    code_.op1(Opcode::Astore, 6 + index);
    code_.op1(Opcode::Bipush, 80 + index);
    trace();
    statement();
    // A subroutine may call later ones, and may be left by a jump.
    if (index + 1 < subroutines_.size() && random_.percent(50)) code_.branch(Opcode::Jsr, subroutines_[index + 1]);
    const auto out = target_without_int();
    if (out && random_.percent(30)) {
      push_int();
      code_.branch(Opcode::Ifeq, labels_[*out].label);
    }
    code_.op1(Opcode::Ret, 6 + index);
  }

  Random random_;
  ClassAssembler assembler_{"C"};
  CodeAssembler code_;
  std::size_t field_ = 0;
  std::vector<BlockLabel> labels_;
  std::vector<CodeAssembler::Label> subroutines_;
};

}  // namespace

TEST_CASE("random methods do the same as bytecode and as registers") {
  std::size_t returns = 0;
  std::size_t throws = 0;
  std::size_t cut = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const ClassFile file = read_class_file(class_bytes(Generator{seed}.run()));
    const auto attribute = read_code(file, file.methods[0]);
    REQUIRE(attribute);
    CodeReader reader{file};
    const auto code = reader.read(file.methods[0]);
    REQUIRE(code);
    check_invariants(code->body);
    for (std::int64_t argument : {0, 1, -3}) {
      const Run expected = run_bytecode(file, *attribute, {argument, 2});
      const Run found = BodyRunner{file, code->body, {argument, 2}}.run();
      returns += expected.end.starts_with("returns") ? 1U : 0U;
      throws += expected.end == "throws" ? 1U : 0U;
      cut += expected.end == "cut" ? 1U : 0U;
      if (expected == found) continue;
      CAPTURE(seed);
      CAPTURE(listing(file));
      CAPTURE(to_text(file, file.methods[0], *code));
      CHECK(expected.trace == found.trace);
      CHECK(expected.end == found.end);
      return;  // one is enough to look at
    }
  }
  CHECK(returns > 500);
  CHECK(throws > 500);
  CHECK(cut > 500);
}

TEST_CASE("the same method has the same text each time") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const ClassFile one = read_class_file(class_bytes(Generator{seed}.run()));
    const ClassFile two = read_class_file(class_bytes(Generator{seed}.run()));
    CHECK(to_text(one, one.methods[0], *CodeReader{one}.read(one.methods[0])) ==
          to_text(two, two.methods[0], *CodeReader{two}.read(two.methods[0])));
  }
}

TEST_CASE("equal value numbers are equal values in every run") {
  // Registers of one number that are defined in the same visit of a block have equal values: looked at by a runner that
  // keeps the last value of each number as long as no operand can have changed would need a twin of its own. So look at
  // straight code, where each register is written once.
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random{seed};
    ClassAssembler assembler{"C"};
    CodeAssembler code;
    for (std::size_t i = 0; i < 20; ++i) {
      constexpr Opcode choices[] = {Opcode::Iadd, Opcode::Isub, Opcode::Imul};
      code.op1(Opcode::Iload, random.below(4)).op1(Opcode::Iload, random.below(4)).op(choices[random.below(3)]);
      code.op1(Opcode::Istore, random.below(4));
    }
    code.op1(Opcode::Iload, 0).op(Opcode::Ireturn);
    assembler.method(0x8, "f", "(IIII)I", code, 4, 4);
    const ClassFile file = read_class_file(class_bytes(assembler.bytes()));
    const auto result = CodeReader{file}.read(file.methods[0]);
    REQUIRE(result);
    lockwood::IdVector<Register, std::int64_t> values(result->body.registers.size());
    std::map<std::size_t, std::int64_t> by_number;
    std::size_t shared = 0;
    for (const Instruction& instruction : result->body.instructions) {
      if (!instruction.result) continue;
      const auto operands = result->body.operands_of(instruction);
      if (const auto* parameter = std::get_if<Parameter>(&instruction.operation))
        values[*instruction.result] = 3 + parameter->number * 17;
      if (const auto* arithmetic = std::get_if<Arithmetic>(&instruction.operation))
        values[*instruction.result] = *computed(arithmetic->opcode, values[operands[0]], values[operands[1]]);
      const auto [known, is_new] =
          by_number.try_emplace(result->numbers[*instruction.result].index(), values[*instruction.result]);
      CHECK(known->second == values[*instruction.result]);
      shared += is_new ? 0U : 1U;
    }
    CHECK(by_number.size() + shared == result->body.registers.size());
  }
}
