#include <fmt/format.h>

#include <algorithm>

#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::program {

std::string place_name(const Program& program, const SymbolOrigin& origin) {
  const Procedure& procedure = program.procedures[origin.procedure];
  const std::uint32_t line = procedure.points[origin.point].range.begin.line;
  const std::string name = unique_name(procedure);
  switch (origin.role) {
    case SymbolRole::Before: return fmt::format("{}:{}", name, line);
    case SymbolRole::Returning: return fmt::format("{}:{} (returning)", name, line);
    case SymbolRole::Waiting: return fmt::format("{}:{} (waiting)", name, line);
    case SymbolRole::Failed: return fmt::format("{}:{} (failed)", name, line);
    case SymbolRole::Start: return fmt::format("{} (start)", name);
    case SymbolRole::Ending: return fmt::format("{} (ending)", name);
    case SymbolRole::Uncaught: return fmt::format("{} (uncaught exception)", name);
    case SymbolRole::Joined: return fmt::format("{}:{} (joined)", name, line);
  }
  return {};
}

std::string bools_text(const Program& program, const SymbolOrigin& origin) {
  std::string values;
  for (const auto& [local, value] : origin.bools) {
    const std::string& written = program.procedures[origin.procedure].locals[local].name;
    values += fmt::format("{}{}{}", values.empty() ? " [" : ",", value ? "" : "!",
                          written.empty() ? fmt::format("t{}", local.index()) : written);
  }
  return values.empty() ? values : values + ']';
}

std::string procedure_title(const Program& program, const SymbolOrigin& origin) {
  const Procedure& procedure = program.procedures[origin.procedure];
  const std::string name = unique_name(procedure);
  if (origin.role == SymbolRole::Start) return "thread " + name;
  const std::optional<Region> region = procedure.points[origin.point].region;
  if (!region || procedure.regions[*region].body != origin.point) return name + bools_text(program, origin);
  return fmt::format("{} in {}:{}{}", region_text(program, procedure.regions[*region]), name,
                     procedure.regions[*region].range.begin.line, bools_text(program, origin));
}

const SourceRange& range_of(const Program& program, const SymbolOrigin& origin) {
  const Procedure& procedure = program.procedures[origin.procedure];
  const bool in_procedure =
      origin.role == SymbolRole::Start || origin.role == SymbolRole::Ending || origin.role == SymbolRole::Uncaught;
  return in_procedure ? procedure.range : procedure.points[origin.point].range;
}

const SourceRange& range_of(const Program& program, const RuleOrigin& origin) {
  return program.procedures[origin.procedure].points[origin.point].range;
}

std::vector<dpn::StackSymbol> symbols_on_line(const Program& program, const Lowered& lowered, SourceFile file,
                                              std::uint32_t line) {
  std::vector<dpn::StackSymbol> found;
  for (dpn::StackSymbol symbol : lowered.symbols.keys()) {
    const SymbolOrigin& origin = lowered.symbols[symbol];
    if (origin.role != SymbolRole::Before) continue;
    const SourceRange& range = range_of(program, origin);
    if (range.file == file && range.begin.line == line) found.push_back(symbol);
  }
  return found;
}

}  // namespace lockwood::program
