#include "frontend/lsp/hover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "frontend/lsp/model_names.hpp"
#include "frontend/lsp/program_names.hpp"

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

// The sentences about locks and other threads. `others_text` says where these may be, and whether that is all.
template <class OthersText>
void add_standing(std::vector<std::string>& paragraphs, const dpn::Network& network, const Standing& standing,
                  const OthersText& others_text) {
  if (standing.held) paragraphs.push_back(held_text(network, *standing.held));
  if (standing.others) paragraphs.push_back(others_text(*standing.others, standing.gave_up.has_value()));
  const char* missing = !standing.held                         ? "the locks held here, and what runs in parallel"
                        : !standing.others || standing.gave_up ? "what runs in parallel"
                                                               : nullptr;
  if (missing == nullptr) return;
  if (standing.gave_up)
    paragraphs.push_back(fmt::format("Not known in full: {} ({}).", missing, to_string(*standing.gave_up)));
  else
    paragraphs.push_back(fmt::format("Still being computed: {}. Ask again in a moment.", missing));
}

// Lines of the program, in which the places of its network are.
std::string parallel_text(const program::Program& program, const program::Lowered& lowered,
                          const std::vector<dpn::StackSymbol>& others, bool gave_up) {
  Lines lines;
  for (dpn::StackSymbol symbol : others)
    if (lowered.symbols[symbol].role == program::SymbolRole::Before)
      lines.insert(program::range_of(program, lowered.symbols[symbol]).begin.line);
  if (gave_up)
    return lines.empty() ? "" : fmt::format("Runs in parallel with {} and perhaps others.", lines_text(lines));
  return lines.empty() ? "Nothing runs in parallel." : fmt::format("May run in parallel with {}.", lines_text(lines));
}

std::vector<dpn::StackSymbol> symbols_at(const ProgramFacts& facts, std::uint32_t line) {
  return program::symbols_on_line(facts.source().program, facts.lowered(), program::SourceFile{0}, line);
}

// Whether the program does something that begins on this line.
bool does_something(const program::Program& program, std::uint32_t line) {
  return std::ranges::any_of(program.procedures, [&](const program::Procedure& procedure) {
    return procedure.range.begin.line <= line && line <= procedure.range.end.line &&
           std::ranges::any_of(procedure.points,
                               [&](const program::Node& node) { return node.range.begin.line == line; });
  });
}

std::string program_hover(const ProgramFacts& facts, const lw::TextLines& lines, std::size_t offset,
                          NetworkFacts::Time deadline, StopToken stop) {
  const lw::ProgramText& source = facts.source();
  std::vector<std::string> paragraphs;
  if (const auto name = name_at(source, offset)) paragraphs.push_back(described(source, *name));
  const std::uint32_t line = lines.position(offset).line;
  try {
    const auto symbols = symbols_at(facts, line);
    if (!symbols.empty())
      add_standing(paragraphs, facts.lowered().network, facts.network_facts()->wait(symbols, deadline, stop),
                   [&](const std::vector<dpn::StackSymbol>& others, bool gave_up) {
                     return parallel_text(source.program, facts.lowered(), others, gave_up);
                   });
    else if (does_something(source.program, line))
      paragraphs.emplace_back("Never executed.");
  } catch (const InputError& error) {
    if (does_something(source.program, line))
      paragraphs.push_back(
          fmt::format("Not known: locks held and what runs in parallel ({}).", error.diagnostics().front().message));
  }
  std::erase(paragraphs, "");
  return fmt::format("{}", fmt::join(paragraphs, "\n\n"));
}

// The symbols at which another thread can stand meanwhile.
std::string parallel_text(const dpn::Network& network, const std::vector<dpn::StackSymbol>& others, bool gave_up) {
  constexpr std::size_t max_named = 30;
  std::vector<std::string> names;
  for (dpn::StackSymbol symbol : others) names.push_back(fmt::format("`{}`", network.stack_symbols().name(symbol)));
  if (names.empty()) return gave_up ? "" : "No other thread is there meanwhile.";
  const std::size_t more = names.size() - std::min(names.size(), max_named);
  names.resize(names.size() - more);
  return fmt::format("Other threads may be at {}{}{}.", fmt::join(names, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more), gave_up ? ", and perhaps elsewhere" : "");
}

std::string model_hover(const Reading& reading, std::string_view name, NetworkFacts::Time deadline, StopToken stop) {
  const dpn::Network& network = reading.model->network;
  std::vector<std::string> paragraphs{described(network, name)};
  if (const auto symbol = network.stack_symbols().find(name))
    add_standing(paragraphs, network, reading.model_facts->wait({*symbol}, deadline, stop),
                 [&](const std::vector<dpn::StackSymbol>& others, bool gave_up) {
                   return parallel_text(network, others, gave_up);
                 });
  std::erase(paragraphs, "");
  return fmt::format("{}", fmt::join(paragraphs, "\n\n"));
}

std::optional<std::string_view> model_name(const Reading& reading, std::size_t offset) {
  const auto names = model_names(reading.text.content());
  const ModelName* name = name_at(names, offset);
  return name == nullptr ? std::nullopt : std::optional{name->text};
}

}  // namespace

void compute_hover(const Reading& reading, std::size_t offset, StopToken stop) {
  if (reading.program) {
    try {
      const auto symbols = symbols_at(*reading.program, reading.lines.position(offset).line);
      if (!symbols.empty()) reading.program->network_facts()->compute(symbols, stop);
    } catch (const InputError&) {  // there is no network; whoever waits for it gets to know that, too
    }
  } else if (reading.model) {
    const auto name = model_name(reading, offset);
    const auto symbol = name ? reading.model->network.stack_symbols().find(*name) : std::nullopt;
    if (symbol) reading.model_facts->compute({*symbol}, stop);
  }
}

std::string hover(const Reading& reading, std::size_t offset, NetworkFacts::Time deadline, StopToken stop) {
  if (reading.program) return program_hover(*reading.program, reading.lines, offset, deadline, stop);
  const auto name = model_name(reading, offset);
  if (!reading.model) return name ? "Nothing is known of a text with errors." : "";
  return name ? model_hover(reading, *name, deadline, stop) : std::string{};
}

}  // namespace lockwood::lsp
