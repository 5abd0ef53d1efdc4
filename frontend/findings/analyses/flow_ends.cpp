#include "frontend/findings/analyses/flow_ends.hpp"

#include <algorithm>
#include <iterator>

#include "frontend/findings/analyses/def_use.hpp"
#include "frontend/program/lowering/liveness.hpp"

namespace lockwood::findings {
namespace {

bool belongs_to(const program::LoweredLabel& label, const program::Access& access) {
  return access.procedure == label.procedure && program::contains(label.range, access.range);
}

// Whether some step of the labelled statement is of a kind.
template <class IsOfKind>
bool has_step(const program::Program& program, const program::LoweredLabel& label, IsOfKind is_of_kind) {
  return std::ranges::any_of(program.procedures[label.procedure].points, [&](const program::Node& node) {
    return program::contains(label.range, node.range) && is_of_kind(node.instruction);
  });
}
// What is read or returned for the statement itself, into a local without a name, is not made by it.
bool makes_value(const program::Procedure& procedure, const program::Instruction& instruction) {
  const auto set = program::set_local(instruction);
  const bool sets =
      set && (std::holds_alternative<program::Assign>(instruction) || !procedure.locals[*set].name.empty());
  const auto* call = std::get_if<program::Call>(&instruction);
  const auto* spawn = std::get_if<program::Spawn>(&instruction);
  const auto* ret = std::get_if<program::Return>(&instruction);
  return std::holds_alternative<program::Write>(instruction) || sets || (call != nullptr && !call->arguments.empty()) ||
         (spawn != nullptr && !spawn->arguments.empty()) || (ret != nullptr && ret->value);
}
bool uses_value(const program::Instruction& instruction) {
  const auto* call = std::get_if<program::Call>(&instruction);
  return std::holds_alternative<program::Read>(instruction) || (call != nullptr && call->result) ||
         !program::used_locals(instruction).empty();
}

}  // namespace

std::optional<std::vector<Source>> flow_sources(const program::Program& program, const program::Lowered& lowered,
                                                const program::LoweredLabel& label) {
  const program::Procedure& procedure = program.procedures[label.procedure];
  if (!has_step(program, label, [&](const auto& instruction) { return makes_value(procedure, instruction); }))
    return std::nullopt;
  const auto makers = places_of(program, lowered, label);
  const auto users = ValuePaths{program, lowered}.users(makers);
  std::vector<Source> found;
  for (AccessId id : definitions(lowered)) {
    const program::Access& write = access(lowered, id);
    const auto is_user = [&](dpn::StackSymbol each) { return std::ranges::binary_search(users, each); };
    if (belongs_to(label, write)) {
      found.push_back({id});
    } else if (std::ranges::any_of(write.before, is_user)) {
      found.push_back({id, makers});
    }
  }
  return found;
}

std::optional<std::vector<Sink>> flow_sinks(const program::Program& program, const program::Lowered& lowered,
                                            const program::LoweredLabel& label) {
  if (!has_step(program, label, uses_value)) return std::nullopt;
  const auto places = places_of(program, lowered, label);
  const ValuePaths paths{program, lowered};
  std::vector<Sink> found;
  for (AccessId id : uses(lowered)) {
    Sink sink{id};
    const bool reads = belongs_to(label, access(lowered, id));
    if (!reads)
      std::ranges::set_intersection(paths.users(access(lowered, id).before), places, std::back_inserter(sink.places));
    if (reads || !sink.places.empty()) found.push_back(std::move(sink));
  }
  return found;
}

std::vector<dpn::StackSymbol> places_of(const program::Program& program, const program::Lowered& lowered,
                                        const program::LoweredLabel& label) {
  std::vector<dpn::StackSymbol> found;
  for (dpn::StackSymbol symbol : lowered.symbols.keys()) {
    const program::SymbolOrigin& origin = lowered.symbols[symbol];
    const bool stands = origin.role == program::SymbolRole::Before || origin.role == program::SymbolRole::Returning;
    if (stands && origin.procedure == label.procedure && program::contains(label.range, range_of(program, origin)))
      found.push_back(symbol);
  }
  return found;
}

}  // namespace lockwood::findings
