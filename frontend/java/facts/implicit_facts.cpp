#include "frontend/java/facts/implicit_facts.hpp"

#include <algorithm>

namespace lockwood::java {
namespace {

using namespace jvm;

class Exclusion {
 public:
  Exclusion(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes, const Nullness& nullness,
            ProcedureId id)
      : flow_{flow},
        calls_{calls},
        shape_{shapes[id]},
        nullness_{nullness},
        id_{id},
        code_{*flow.universe().procedure(id).code},
        body_{code_.body} {}

  [[nodiscard]] bool is_excluded(ImplicitThrow kind, InstructionId at) const {
    const Instruction& instruction = body_.instructions[at];
    const auto operands = body_.operands_of(instruction);
    switch (kind) {
      case ImplicitThrow::Null: return nullness_.is_not_null(id_, *dereferenced(body_, instruction), at);
      case ImplicitThrow::Bounds: return in_bounds(operands[0], operands[1], at);
      case ImplicitThrow::ArrayStore: return can_store(operands[0], operands[2]);
      case ImplicitThrow::Cast: return cast_fits(instruction, operands[0]);
      case ImplicitThrow::Division: {
        const auto divisor = constant_number(body_, operands[1]);
        return divisor && *divisor != 0;
      }
      case ImplicitThrow::NegativeSize:
        return std::ranges::all_of(operands, [&](Register size) { return is_never_negative(body_, size); });
      case ImplicitThrow::Monitor: return false;
    }
    return false;
  }

 private:
  // The smallest of the lengths with which the arrays are made, if all are constants.
  [[nodiscard]] std::optional<std::int64_t> least_length(Register array) const {
    const ObjectSet arrays = objects_in_all_copies(flow_, calls_, id_, array);
    if (arrays.empty()) return std::nullopt;
    std::optional<std::int64_t> least;
    bool known = true;
    arrays.for_each([&](ObjectId object) {
      const auto length = length_of(object);
      known = known && length.has_value();
      if (length && (!least || *length < *least)) least = length;
    });
    return known ? least : std::nullopt;
  }
  [[nodiscard]] std::optional<std::int64_t> length_of(ObjectId object) const {
    const AbstractObject& row = flow_.universe().objects()[object];
    if (row.kind != ObjectKind::Allocation) return std::nullopt;
    const AllocationSite& site = flow_.universe().sites()[row.site];
    const Procedure& maker = flow_.universe().procedure(site.procedure);
    if (!site.instruction || !maker.code || site.ordinal != 0) return std::nullopt;
    const MethodBody& body = maker.code->body;
    const Instruction& made = body.instructions[*site.instruction];
    const bool is_array = std::holds_alternative<NewPrimitiveArray>(made.operation) ||
                          std::holds_alternative<NewReferenceArray>(made.operation);
    return is_array ? constant_number(body, body.operands_of(made)[0]) : std::nullopt;
  }

  [[nodiscard]] bool in_bounds(Register array, Register index, InstructionId at) const {
    const auto constant = constant_number(body_, index);
    if (constant && *constant < 0) return false;
    const auto length = least_length(array);
    if (constant && length && *constant < *length) return true;
    if (!constant && !is_never_negative(body_, index)) return false;
    const auto bounds = greater_registers(body_, shape_, index, at);
    return std::ranges::any_of(bounds, [&](Register bound) { return is_at_most_length(bound, array, length); });
  }
  // The register is the length of the array, or the number with which it was made.
  [[nodiscard]] bool is_at_most_length(Register bound, Register array, std::optional<std::int64_t> length) const {
    const Instruction& definition = body_.instructions[body_.registers[bound].definition];
    if (std::holds_alternative<ArrayLength>(definition.operation) &&
        code_.numbers[body_.operands_of(definition)[0]] == code_.numbers[array])
      return true;
    if (const auto number = constant_number(body_, bound)) return length && *number <= *length;
    const Instruction& made = body_.instructions[body_.registers[array].definition];
    const bool is_array = std::holds_alternative<NewPrimitiveArray>(made.operation) ||
                          std::holds_alternative<NewReferenceArray>(made.operation);
    return is_array && code_.numbers[body_.operands_of(made)[0]] == code_.numbers[bound];
  }

  [[nodiscard]] bool can_store(Register array, Register value) const {
    Universe& universe = flow_.universe();
    const auto arrays = objects_in_all_copies(flow_, calls_, id_, array).list();
    const auto values = objects_in_all_copies(flow_, calls_, id_, value).list();
    return std::ranges::all_of(arrays, [&](ObjectId object) {
      const AbstractObject& row = universe.objects()[object];
      if (row.kind != ObjectKind::Allocation) return false;
      std::string_view name = universe.hierarchy().name(row.type);
      name.remove_prefix(1);
      const std::string component{name.starts_with('L') ? name.substr(1, name.size() - 2) : name};
      const ClassId type = universe.hierarchy().load(component);
      return std::ranges::all_of(
          values, [&](ObjectId stored) { return universe.is_subtype(universe.objects()[stored].type, type); });
    });
  }
  [[nodiscard]] bool cast_fits(const Instruction& instruction, Register value) const {
    Universe& universe = flow_.universe();
    const auto& constants = universe.hierarchy().file(universe.procedure(id_).owner)->constants;
    const FilterId filter = universe.filter(
        {.wanted = universe.hierarchy().load(constants.class_name(std::get<Cast>(instruction.operation).type)),
         .not_wanted = {},
         .is_cast = true});
    const auto objects = objects_in_all_copies(flow_, calls_, id_, value).list();
    return std::ranges::all_of(objects, [&](ObjectId object) { return universe.passed(filter, object) == object; });
  }

  const PointsTo& flow_;
  const ProcedureCalls& calls_;
  const CodeShape& shape_;
  const Nullness& nullness_;
  ProcedureId id_;
  const MethodCode& code_;
  const MethodBody& body_;
};

}  // namespace

ImplicitFacts::Count ImplicitFacts::total() const {
  Count sum;
  for (const Count& count : counts) {
    sum.all += count.all;
    sum.excluded += count.excluded;
  }
  return sum;
}

ImplicitFacts implicit_facts(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes,
                             const Nullness& nullness, StopToken stop) {
  ImplicitFacts result;
  result.possible.resize(flow.universe().procedures().size());
  for (ProcedureId id : calls.reached) {
    stop.check();
    const Procedure& procedure = flow.universe().procedure(id);
    if (!procedure.code) continue;
    const Exclusion exclusion{flow, calls, shapes, nullness, id};
    const MethodBody& body = procedure.code->body;
    auto& possible = result.possible[id.index()];
    possible.resize(body.instructions.size());
    for (InstructionId at : body.instructions.keys())
      implicit_throws(*procedure.code, at).for_each([&](ImplicitThrow kind) {
        const bool excluded = exclusion.is_excluded(kind, at);
        if (!excluded) possible[at].insert(kind);
        if (!procedure.reported) return;
        auto& count = result.counts[static_cast<std::size_t>(kind)];
        ++count.all;
        if (excluded) ++count.excluded;
      });
  }
  return result;
}

}  // namespace lockwood::java
