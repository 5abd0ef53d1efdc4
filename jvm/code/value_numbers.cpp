#include "jvm/code/value_numbers.hpp"

#include <bit>
#include <cassert>
#include <unordered_map>

namespace lockwood::jvm {
namespace {

// What decides the value of a pure operation, besides its operands: a kind and a few words.
struct PureKey {
  std::uint64_t kind = 0;
  std::uint64_t detail = 0;
  std::vector<std::uint32_t> operands;  // value numbers
  friend bool operator==(const PureKey&, const PureKey&) = default;
};

struct PureKeyHash {
  std::size_t operator()(const PureKey& key) const {
    std::uint64_t hash = key.kind * 0x9E3779B97F4A7C15ULL ^ key.detail;
    for (std::uint32_t operand : key.operands) hash = (hash ^ operand) * 0x9E3779B97F4A7C15ULL ^ hash >> 29U;
    return hash;
  }
};

std::uint64_t word_of(const Constant& constant) {
  struct Visitor {
    std::uint64_t operator()(NullConstant) const { return 0; }
    std::uint64_t operator()(ReturnAddress) const { return 0; }
    std::uint64_t operator()(std::int32_t value) const { return static_cast<std::uint32_t>(value); }
    std::uint64_t operator()(std::int64_t value) const { return static_cast<std::uint64_t>(value); }
    std::uint64_t operator()(float value) const { return std::bit_cast<std::uint32_t>(value); }
    std::uint64_t operator()(double value) const { return std::bit_cast<std::uint64_t>(value); }
    std::uint64_t operator()(ConstantIndex value) const { return value.index(); }
  };
  return std::visit(Visitor{}, constant.value);
}

class Numbering {
 public:
  Numbering(const MethodBody& body, const ConstantPool& constants, const UnchangingField& is_unchanging)
      : body_{body}, constants_{constants}, is_unchanging_{is_unchanging} {}

  ValueNumbers run() {
    // Each pass computes the numbers of a coarser or equal guess anew: numbers are
    // registers, the first of their class. Guesses only become finer, and real code needs two or three passes.
    constexpr std::size_t max_passes = 12;
    for (std::size_t pass = 0; pass < max_passes; ++pass)
      if (!pass_changes(true)) return dense();
    // Not settled: take values that come along back edges for unknown. One pass, always right.
    numbers_ = IdVector<Register, std::optional<Register>>(body_.registers.size());
    pass_changes(false);
    return dense();
  }

 private:
  bool pass_changes(bool optimistic) {
    if (numbers_.size() != body_.registers.size())
      numbers_ = IdVector<Register, std::optional<Register>>(body_.registers.size());
    known_.clear();
    bool changed = false;
    for (Block block : body_.blocks.keys())
      for (InstructionId id : body_.instructions_of(block)) {
        const Instruction& instruction = body_.instructions[id];
        if (!instruction.result) continue;
        const Register number = number_of(block, instruction, optimistic);
        if (numbers_[*instruction.result] != number) changed = true;
        numbers_[*instruction.result] = number;
      }
    return changed;
  }

  Register number_of(Block block, const Instruction& instruction, bool optimistic) {
    const Register own = *instruction.result;
    if (std::holds_alternative<Phi>(instruction.operation)) return number_of_phi(block, instruction, optimistic);
    const auto operands = body_.operands_of(instruction);
    if (std::holds_alternative<Cast>(instruction.operation)) return number(operands[0]);
    auto key = pure_key(instruction.operation);
    if (!key) return own;
    for (Register operand : operands) key->operands.push_back(static_cast<std::uint32_t>(number(operand).index()));
    return known_.try_emplace(std::move(*key), own).first->second;
  }

  // Dominance: an operand is defined before, so it has a number in this pass.
  [[nodiscard]] Register number(Register reg) const {
    assert(numbers_[reg]);
    return *numbers_[reg];
  }

  Register number_of_phi(Block block, const Instruction& phi, bool optimistic) {
    std::optional<Register> only;
    PureKey key{.kind = 1000, .detail = block.index(), .operands = {}};
    bool all_equal = true;
    for (Register operand : body_.operands_of(phi)) {
      const auto operand_number = numbers_[operand];
      if (!operand_number) {
        // A back edge that no pass has seen yet: equal to the others, or, to be safe, to nothing.
        if (optimistic) continue;
        return *phi.result;
      }
      // In later passes a phi may be among its own operands.
      if (*operand_number == *phi.result && optimistic) {
        key.operands.push_back(0xFFFFFFFF);
        continue;
      }
      all_equal = all_equal && (!only || *only == *operand_number);
      only = operand_number;
      key.operands.push_back(static_cast<std::uint32_t>(operand_number->index()));
    }
    if (all_equal && only) return *only;
    return known_.try_emplace(std::move(key), *phi.result).first->second;
  }

  [[nodiscard]] std::optional<PureKey> pure_key(const Operation& operation) const {
    const std::uint64_t kind = operation.index();
    if (const auto* constant = std::get_if<Constant>(&operation)) {
      // A dynamic constant is computed once, so it is one value, too.
      return PureKey{kind + 100 * constant->value.index(), word_of(*constant), {}};
    }
    if (const auto* arithmetic = std::get_if<Arithmetic>(&operation))
      return PureKey{kind, static_cast<std::uint64_t>(arithmetic->opcode), {}};
    if (const auto* compare = std::get_if<Compare>(&operation))
      return PureKey{kind, static_cast<std::uint64_t>(compare->opcode), {}};
    if (std::holds_alternative<ArrayLength>(operation)) return PureKey{kind, 0, {}};
    if (const auto* test = std::get_if<InstanceOf>(&operation)) return PureKey{kind, test->type.index(), {}};
    if (const auto* load = std::get_if<GetField>(&operation)) return field_key(kind, load->field);
    if (const auto* load = std::get_if<GetStatic>(&operation)) return field_key(kind, load->field);
    return std::nullopt;
  }

  [[nodiscard]] std::optional<PureKey> field_key(std::uint64_t kind, ConstantIndex field) const {
    if (!is_unchanging_ || !is_unchanging_(constants_.member(field))) return std::nullopt;
    return PureKey{kind, field.index(), {}};
  }

  [[nodiscard]] ValueNumbers dense() const {
    ValueNumbers result;
    IdVector<Register, std::optional<ValueNumber>> numbers(body_.registers.size());
    std::size_t next = 0;
    for (Register reg : body_.registers.keys()) {
      auto& known = numbers[number(reg)];
      if (!known) known = ValueNumber{next++};
      result.push_back(*known);
    }
    return result;
  }

  const MethodBody& body_;
  const ConstantPool& constants_;
  const UnchangingField& is_unchanging_;
  IdVector<Register, std::optional<Register>> numbers_;  // the first register of the same value
  std::unordered_map<PureKey, Register, PureKeyHash> known_;
};

}  // namespace

UnchangingField final_fields_of(const ClassFile& file, const Member& method) {
  if (method.name.starts_with('<')) return {};
  return [&file](const MemberRef& ref) {
    if (ref.owner != file.name) return false;
    const Member* field = find_field(file, ref.name, ref.descriptor);
    return field != nullptr && field->access.is_final();
  };
}

ValueNumbers value_numbers(const MethodBody& body, const ConstantPool& constants,
                           const UnchangingField& is_unchanging) {
  return Numbering{body, constants, is_unchanging}.run();
}

}  // namespace lockwood::jvm
