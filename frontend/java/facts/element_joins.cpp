#include "frontend/java/facts/element_joins.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace lockwood::java {
namespace {

using namespace jvm;

class ElementJoin {
 public:
  ElementJoin(const Procedure& procedure, const CodeShape& shape, const ConstantPool& constants)
      : body_{procedure.code->body}, numbers_{procedure.code->numbers}, shape_{shape}, constants_{constants} {}

  std::optional<LoopExit> find(InstructionId start, InstructionId join, bool interruptible) {
    const auto loaded = element_load(receiver(join));
    if (!loaded) return std::nullopt;
    const auto operands = body_.operands_of(body_.instructions[*loaded]);
    array_ = operands[0];
    if (!is_kept() || !are_elements_written_once() || !is_element(start)) return std::nullopt;
    const auto exit = loop_over_all(operands[1]);
    if (!exit || !joins_each_time(*exit, join, interruptible)) return std::nullopt;
    return exit;
  }

 private:
  [[nodiscard]] const Instruction& definition(Register value) const {
    return body_.instructions[body_.registers[value].definition];
  }
  [[nodiscard]] Register receiver(InstructionId at) const { return body_.operands_of(body_.instructions[at]).front(); }
  [[nodiscard]] bool same(Register a, Register b) const { return numbers_[a] == numbers_[b]; }
  [[nodiscard]] std::optional<std::int32_t> constant(Register value) const {
    const auto* found = std::get_if<Constant>(&definition(value).operation);
    const auto* number = found == nullptr ? nullptr : std::get_if<std::int32_t>(&found->value);
    return number == nullptr ? std::nullopt : std::optional{*number};
  }
  // The load from an array that the value comes from, casts left out.
  [[nodiscard]] std::optional<InstructionId> element_load(Register value) const {
    while (std::holds_alternative<Cast>(definition(value).operation))
      value = body_.operands_of(definition(value)).front();
    if (!std::holds_alternative<ArrayLoad>(definition(value).operation)) return std::nullopt;
    return body_.registers[value].definition;
  }

  // The array is made here once, and used for nothing but its elements and its length.
  [[nodiscard]] bool is_kept() {
    bool made = false;
    for (InstructionId at : body_.instructions.keys()) {
      const Instruction& instruction = body_.instructions[at];
      if (instruction.result && same(*instruction.result, *array_) &&
          std::holds_alternative<NewReferenceArray>(instruction.operation)) {
        if (made || shape_.in_loop(at)) return false;
        made = true;
        length_ = body_.operands_of(instruction).front();
      }
      const auto operands = body_.operands_of(instruction);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!same(operands[i], *array_)) continue;
        const Operation& operation = instruction.operation;
        const bool on_elements =
            std::holds_alternative<ArrayLoad>(operation) || std::holds_alternative<ArrayStore>(operation);
        if ((on_elements && i == 0) || std::holds_alternative<ArrayLength>(operation)) continue;
        if (std::holds_alternative<Phi>(operation) && same(*instruction.result, *array_)) continue;
        return false;
      }
    }
    return made;
  }

  // Either at distinct constant indices outside of loops, or at one place of one loop whose index grows.
  [[nodiscard]] bool are_elements_written_once() {
    std::set<std::int32_t> indices;
    std::vector<InstructionId> others;
    for (InstructionId at : body_.instructions.keys()) {
      const Instruction& instruction = body_.instructions[at];
      if (!std::holds_alternative<ArrayStore>(instruction.operation)) continue;
      const auto operands = body_.operands_of(instruction);
      if (!same(operands[0], *array_)) continue;
      stores_.push_back(at);
      const auto index = constant(operands[1]);
      if (!index || shape_.in_loop(at))
        others.push_back(at);
      else if (!indices.insert(*index).second)
        return false;
    }
    if (others.empty()) return true;
    return others.size() == 1 && indices.empty() && grows_between_visits(others.front());
  }
  // The index of the store is another one each time that control comes by.
  [[nodiscard]] bool grows_between_visits(InstructionId store) const {
    const Register index = body_.operands_of(body_.instructions[store])[1];
    const auto header = induction_header(index, false);
    if (!header) return false;
    // Every way from the store back to it passes the head of the loop.
    const Block from = shape_.block_of(store);
    return from == *header || !reaches_without(from, from, *header, std::nullopt);
  }

  // The head of the only loop around it, if the value is a phi there that grows by one on every way round.
  [[nodiscard]] std::optional<Block> induction_header(Register index, bool from_zero) const {
    const InstructionId at = body_.registers[index].definition;
    if (!std::holds_alternative<Phi>(body_.instructions[at].operation)) return std::nullopt;
    const Block header = shape_.block_of(at);
    const auto operands = body_.operands_of(body_.instructions[at]);
    const auto& predecessors = body_.blocks[header].predecessors;
    for (std::size_t i = 0; i < predecessors.size(); ++i) {
      if (shape_.reaches(header, predecessors[i]) || header == predecessors[i]) {
        const Instruction& step = definition(operands[i]);
        const auto* arithmetic = std::get_if<Arithmetic>(&step.operation);
        const bool adds =
            arithmetic != nullptr && (arithmetic->opcode == Opcode::Iadd || arithmetic->opcode == Opcode::Iinc);
        if (!adds) return std::nullopt;
        const auto terms = body_.operands_of(step);
        const bool by_one = terms.size() == 2 && ((terms[0] == index && constant(terms[1]) == 1) ||
                                                  (terms[1] == index && constant(terms[0]) == 1));
        if (!by_one) return std::nullopt;
      } else if (from_zero && constant(operands[i]) != 0) {
        return std::nullopt;
      }
    }
    return header;
  }

  // What is started was stored before, or loaded.
  [[nodiscard]] bool is_element(InstructionId start) const {
    const Register started = receiver(start);
    if (const auto load = element_load(started)) return same(body_.operands_of(body_.instructions[*load])[0], *array_);
    return std::ranges::any_of(stores_, [&](InstructionId store) {
      return same(body_.operands_of(body_.instructions[store])[2], started) && shape_.passes(store, start);
    });
  }

  // The index runs from 0 to the length: where control goes then.
  [[nodiscard]] std::optional<LoopExit> loop_over_all(Register index) const {
    const auto header = induction_header(index, true);
    if (!header) return std::nullopt;
    const BasicBlock& block = body_.blocks[*header];
    const Instruction& last = body_.instructions[InstructionId{block.end.index() - 1}];
    const auto* branch = std::get_if<Branch>(&last.operation);
    if (branch == nullptr || block.successors.size() != 2) return std::nullopt;
    const auto operands = body_.operands_of(last);
    if (operands.size() != 2 || operands[0] != index || !is_length(operands[1])) return std::nullopt;
    if (branch->opcode == Opcode::IfIcmpge) return LoopExit{*header, block.successors.front()};
    if (branch->opcode == Opcode::IfIcmplt) return LoopExit{*header, block.successors.back()};
    return std::nullopt;
  }
  [[nodiscard]] bool is_length(Register value) const {
    if (std::holds_alternative<ArrayLength>(definition(value).operation))
      return same(body_.operands_of(definition(value)).front(), *array_);
    if (same(value, *length_)) return true;
    const auto number = constant(value);
    return number && number == constant(*length_);
  }

  // No way round the loop goes by the join other than normally.
  [[nodiscard]] bool joins_each_time(const LoopExit& loop, InstructionId join, bool interruptible) {
    const BasicBlock& block = body_.blocks[loop.header];
    if (shape_.block_of(join) == loop.header) return false;
    const Block inside = block.successors.front() == loop.exit ? block.successors.back() : block.successors.front();
    if (inside == loop.exit || inside == loop.header) return false;
    joined_ = Joined{join, interruptible};
    return !reaches_without(inside, loop.header, std::nullopt, shape_.block_of(join));
  }

  // Whether control can get from the block to `to`, by at least one edge, not by way of `without`; and through `join`
  // only by exceptions that the join may throw.
  [[nodiscard]] bool reaches_without(Block from, Block to, std::optional<Block> without,
                                     std::optional<Block> join) const {
    std::vector<bool> seen(body_.blocks.size());
    std::vector<Block> stack{from};
    while (!stack.empty()) {
      const Block next = stack.back();
      stack.pop_back();
      bool found = false;
      const auto go = [&](Block successor) {
        if (successor == to) found = true;
        if (successor == without || seen[successor.index()]) return;
        seen[successor.index()] = true;
        stack.push_back(successor);
      };
      if (next != join)
        for (Block successor : body_.blocks[next].successors) go(successor);
      for (Block handler : body_.blocks[next].handlers)
        if (next != join || may_catch(handler)) go(handler);
      if (found) return true;
    }
    return false;
  }
  [[nodiscard]] bool may_catch(Block handler) const {
    if (joined_->interruptible) return true;
    for (InstructionId at : body_.instructions_of(handler))
      if (const auto* caught = std::get_if<Catch>(&body_.instructions[at].operation))
        return !caught->type || constants_.class_name(*caught->type) != "java/lang/InterruptedException";
    return true;
  }

  struct Joined {
    InstructionId at;
    bool interruptible;
  };
  const MethodBody& body_;
  const ValueNumbers& numbers_;
  const CodeShape& shape_;
  const ConstantPool& constants_;
  std::optional<Register> array_;
  std::optional<Register> length_;
  std::vector<InstructionId> stores_;
  std::optional<Joined> joined_;
};

}  // namespace

std::optional<LoopExit> joined_with_array(const Procedure& procedure, const CodeShape& shape,
                                          const ConstantPool& constants, InstructionId start, InstructionId join,
                                          bool interruptible) {
  return ElementJoin{procedure, shape, constants}.find(start, join, interruptible);
}

}  // namespace lockwood::java
