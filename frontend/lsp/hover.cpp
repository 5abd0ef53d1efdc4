#include "frontend/lsp/hover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "frontend/lsp/model_names.hpp"
#include "frontend/lsp/program_names.hpp"
#include "solver/analyses/mhp.hpp"

namespace lockwood::lsp {
namespace {

using Lines = std::set<std::uint32_t>;

// "line 3", "lines 3, 7–9"
std::string lines_text(const Lines& lines) {
  std::vector<std::string> parts;
  for (auto line = lines.begin(); line != lines.end();) {
    const std::uint32_t first = *line;
    std::uint32_t last = first;
    while (++line != lines.end() && *line == last + 1) last = *line;
    parts.push_back(first == last ? std::to_string(first) : fmt::format("{}–{}", first, last));
  }
  return fmt::format("{} {}", lines.size() == 1 ? "line" : "lines", fmt::join(parts, ", "));
}

std::string locks_text(const dpn::Network& network, const std::vector<dpn::Lock>& locks) {
  std::vector<std::string> names;
  for (dpn::Lock lock : locks) names.push_back(fmt::format("`{}`", network.locks().shown(lock)));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string held_text(const dpn::Network& network, const findings::HeldLocks& held) {
  if (!held.visited) return "Never executed.";
  std::string text = held.always.empty() ? "" : "Holds " + locks_text(network, held.always);
  if (!held.sometimes.empty())
    text += fmt::format("{} {}", text.empty() ? "Sometimes holds" : ", sometimes also",
                        locks_text(network, held.sometimes));
  return text.empty() ? "Holds no lock." : text + '.';
}

std::string parallel_text(const program::Program& program, const program::Lowered& lowered,
                          const std::vector<dpn::StackSymbol>& symbols, StopToken stop) {
  const auto answer =
      solver::parallel_pairs(lowered.network, {.left = symbols, .right = {}, .reductions = {}, .stop = stop});
  Lines lines;
  for (const auto& [first, second] : answer.pairs) {
    // One side is at this line, and the other is what others do; both, if two threads can be here.
    const bool first_here = std::ranges::binary_search(symbols, first);
    const bool second_here = std::ranges::binary_search(symbols, second);
    for (const auto& [symbol, told] : {std::pair{first, second_here}, std::pair{second, first_here}})
      if (told && lowered.symbols[symbol].role == program::SymbolRole::Before)
        lines.insert(program::range_of(program, lowered.symbols[symbol]).begin.line);
  }
  if (answer.stopped)
    return lines.empty() ? "" : fmt::format("Runs in parallel with {} and perhaps others.", lines_text(lines));
  return lines.empty() ? "Nothing runs in parallel." : fmt::format("May run in parallel with {}.", lines_text(lines));
}

std::string program_hover(const ProgramFacts& facts, const lw::TextLines& lines, std::size_t offset, StopToken stop) {
  const lw::ProgramText& source = facts.source();
  std::vector<std::string> paragraphs;
  if (const auto name = name_at(source, offset)) paragraphs.push_back(described(source, *name));
  try {
    const program::Lowered& lowered = facts.lowered();
    const std::uint32_t line = lines.position(offset).line;
    const auto symbols = program::symbols_on_line(source.program, lowered, program::SourceFile{0}, line);
    if (!symbols.empty()) {
      paragraphs.push_back(held_text(lowered.network, findings::held_at(facts.held(stop), symbols)));
      if (std::string parallel = parallel_text(source.program, lowered, symbols, stop); !parallel.empty())
        paragraphs.push_back(std::move(parallel));
    }
  } catch (const Interrupted&) {  // what is known so far
  } catch (const InputError&) {   // the analysis says what is wrong with the program
  }
  return fmt::format("{}", fmt::join(paragraphs, "\n\n"));
}

// The symbols at which another thread can stand meanwhile.
std::string parallel_text(const dpn::Network& network, dpn::StackSymbol symbol, StopToken stop) {
  constexpr std::size_t max_named = 30;
  const auto answer =
      solver::parallel_pairs(network, {.left = std::vector{symbol}, .right = {}, .reductions = {}, .stop = stop});
  std::vector<std::string> names;
  for (const auto& [first, second] : answer.pairs)
    names.push_back(fmt::format("`{}`", network.stack_symbols().name(first == symbol ? second : first)));
  if (names.empty()) return answer.stopped ? "" : "No other thread is there meanwhile.";
  const std::size_t more = names.size() - std::min(names.size(), max_named);
  names.resize(names.size() - more);
  return fmt::format("Other threads may be at {}{}{}.", fmt::join(names, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more),
                     answer.stopped ? ", and perhaps elsewhere" : "");
}

std::string model_hover(const dpn::Network& network, std::string_view name, StopToken stop) {
  std::string text = described(network, name);
  const auto symbol = network.stack_symbols().find(name);
  if (!symbol) return text;
  try {
    text += "\n\n" + held_text(network, findings::held_locks(network, stop)[*symbol]);
    if (const std::string parallel = parallel_text(network, *symbol, stop); !parallel.empty())
      text += "\n\n" + parallel;
  } catch (const Interrupted&) {  // what is known so far
  }
  return text;
}

}  // namespace

std::string hover(const Reading& reading, std::size_t offset, StopToken stop) {
  if (reading.program) return program_hover(*reading.program, reading.lines, offset, stop);
  if (!reading.model) return {};
  const auto names = model_names(reading.text.content());
  const ModelName* name = name_at(names, offset);
  return name == nullptr ? std::string{} : model_hover(reading.model->network, name->text, stop);
}

}  // namespace lockwood::lsp
