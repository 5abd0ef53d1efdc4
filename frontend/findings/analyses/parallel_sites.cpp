#include "frontend/findings/analyses/parallel_sites.hpp"

#include "solver/analyses/mhp.hpp"

namespace lockwood::findings {
namespace {

bool is_visible(const program::Instruction& instruction) {
  return std::holds_alternative<program::Read>(instruction) || std::holds_alternative<program::Write>(instruction) ||
         std::holds_alternative<program::Enter>(instruction) || std::holds_alternative<program::Leave>(instruction) ||
         std::holds_alternative<program::Wait>(instruction) || std::holds_alternative<program::Notify>(instruction);
}

}  // namespace

std::optional<program::ParallelTable> parallel_sites(const program::Program& program, const program::Lowered& lowered,
                                                     std::size_t max_places, StopToken stop) {
  const program::Sites sites{program};
  std::vector<dpn::StackSymbol> symbols;
  for (dpn::StackSymbol symbol : lowered.symbols.keys()) {
    const program::SymbolOrigin& origin = lowered.symbols[symbol];
    // Who waits to have a lock again is at its wait, too.
    if (origin.role != program::SymbolRole::Before && origin.role != program::SymbolRole::Waiting) continue;
    if (is_visible(program.procedures[origin.procedure].points[origin.point].instruction)) symbols.push_back(symbol);
  }
  if (symbols.size() > max_places) return std::nullopt;
  const solver::MhpAnswer answer =
      solver::parallel_pairs(lowered.network, {.left = symbols, .right = symbols, .stop = stop});
  if (answer.stopped) return std::nullopt;
  program::ParallelTable table{sites.size()};
  const auto site = [&](dpn::StackSymbol symbol) {
    return sites[{lowered.symbols[symbol].procedure, lowered.symbols[symbol].point}];
  };
  for (const solver::ParallelPair& pair : answer.pairs) table.insert(site(pair.first), site(pair.second));
  return table;
}

}  // namespace lockwood::findings
