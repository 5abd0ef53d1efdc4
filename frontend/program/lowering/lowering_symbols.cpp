#include "frontend/program/lowering/lowering_symbols.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace lockwood::program {

LoweringSymbols::LoweringSymbols(const Program& program, const IdVector<ProcedureId, ProcedurePlan>& plans,
                                 std::size_t limit, dpn::NetworkBuilder& builder)
    : program_{program}, plans_{plans}, limit_{limit}, builder_{builder} {
  for (const Procedure& procedure : program.procedures)
    counts_.push_back(IdVector<Point, std::size_t>(procedure.points.size()));
  for (const Label& label : program.labels) labels_[{label.procedure, label.point}] += label.name + ": ";
}

std::vector<Local> LoweringSymbols::known_locals(ProcedureId procedure, Point point, SymbolRole role) const {
  const ProcedurePlan& plan = plans_[procedure];
  if (role == SymbolRole::Before || role == SymbolRole::Start || role == SymbolRole::Joined) return plan.live[point];
  const Instruction& instruction = program_.procedures[procedure].points[point].instruction;
  if (role == SymbolRole::Waiting) return plan.live[std::get<Wait>(instruction).next];
  const auto* call = std::get_if<Call>(&instruction);
  if (role != SymbolRole::Returning || call == nullptr) return {};
  // What the call sets is known only if it throws, and then it is what it was.
  std::vector<Local> kept = plan.live[call->next];
  std::erase_if(kept, [&](Local local) { return call->result == local; });
  std::vector<Point> handlers = call->on_throw_of;
  handlers.push_back(call->on_throw);
  for (Point handler : handlers) {
    std::vector<Local> known;
    std::ranges::set_union(kept, plan.live[handler], std::back_inserter(known));
    kept = std::move(known);
  }
  return kept;
}

dpn::StackSymbol LoweringSymbols::symbol(ProcedureId procedure, Point point, SymbolRole role, Bits bits) {
  const std::array<std::uint32_t, 5> key{static_cast<std::uint32_t>(procedure.index()),
                                         static_cast<std::uint32_t>(point.index()), static_cast<std::uint32_t>(role),
                                         static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
  const auto [number, is_new] = keys_.intern(key);
  if (!is_new) return dpn::StackSymbol{number};
  if (role == SymbolRole::Before && ++counts_[procedure][point] > limit_) explode(procedure, point);

  SymbolOrigin origin{.procedure = procedure, .point = point, .role = role, .bools = {}};
  const std::vector<Local> known = known_locals(procedure, point, role);
  for (std::size_t i = 0; i < known.size(); ++i) origin.bools.emplace_back(known[i], ((bits >> i) & 1U) != 0);
  std::string name = name_of(origin);
  // Two bools of one name, from different blocks, would give two symbols one name.
  if (builder_.symbols().stacks.find(name)) name += fmt::format(" #{}", number);
  [[maybe_unused]] const dpn::StackSymbol made = builder_.stack(name);
  assert(made.index() == number && origins_.size() == number);
  if (role == SymbolRole::Before) {
    const auto label = labels_.find({procedure, point});
    builder_.label(made, fmt::format("{} {}{}", name, label == labels_.end() ? "" : label->second,
                                     describe(program_, procedure, point)));
  }
  return origins_.push_back(std::move(origin));
}

// The place, the number of the step on its line if it is not the first, and the values: `main:12.2 [ok,!done]`.
std::string LoweringSymbols::name_of(const SymbolOrigin& origin) const {
  std::string name = place_name(program_, origin);
  const bool on_line = origin.role == SymbolRole::Before || origin.role == SymbolRole::Returning ||
                       origin.role == SymbolRole::Waiting || origin.role == SymbolRole::Failed ||
                       origin.role == SymbolRole::Joined;
  const std::uint32_t number = plans_[origin.procedure].on_line[origin.point];
  if (on_line && number > 0) name.insert(std::min(name.find(' '), name.size()), fmt::format(".{}", number + 1));
  return name + bools_text(program_, origin);
}

void LoweringSymbols::explode(ProcedureId id, Point point) const {
  const Procedure& procedure = program_.procedures[id];
  const SourceRange& range = procedure.points[point].range;
  std::vector<std::string> bools;
  for (Local local : plans_[id].live[point])
    if (const std::string& name = procedure.locals[local].name; !name.empty()) bools.push_back(name);
  const std::string example = bools.empty() ? "NAME" : bools.back();
  constexpr std::size_t max_named = 16;
  const std::size_t count = bools.size();
  if (count > max_named) bools.resize(max_named);
  throw InputError{{Diagnostic{
      .file = program_.files[range.file],
      .at = range.begin,
      .message = fmt::format("procedure '{}' has more than {} valuations of its {} bools here: {}{}", procedure.name,
                             limit_, count, fmt::join(bools, ", "), count > max_named ? ", …" : ""),
      .hint = fmt::format("let the model forget some of them, such as --abstract={}.{}", procedure.name, example)}}};
}

}  // namespace lockwood::program
