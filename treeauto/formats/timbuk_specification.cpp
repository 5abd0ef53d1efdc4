#include "treeauto/formats/timbuk_specification.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace lockwood::treeauto {
namespace {

struct Block {
  std::string_view keyword;
  std::size_t begin;
  std::size_t end;
};

// The text cut where a line begins with a keyword of a section that stands alone. What is before the first is no block.
std::vector<Block> blocks_of(std::string_view text) {
  constexpr std::array<std::string_view, 10> keywords{"Ops",   "Automaton", "Vars",     "Const",  "TRS",
                                                      "Rules", "Equations", "Patterns", "Regexp", "SRegexp"};
  std::vector<Block> blocks;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = std::min(text.find('\n', line), text.size() - 1) + 1;
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r", line), end);
    const std::string_view word =
        text.substr(begin, std::min(text.find_first_of(" \t\r\n", begin), text.size()) - begin);
    if (const auto found = std::ranges::find(keywords, word); found != keywords.end()) {
      if (!blocks.empty()) blocks.back().end = line;
      blocks.push_back({*found, begin, text.size()});
    }
    line = end;
  }
  return blocks;
}

}  // namespace

// Each automaton is read from a copy of the text in which everything but its block and that of the alphabet is blank,
// so that errors are reported at their places.
TimbukSpecification read_timbuk_specification(std::string_view text, std::string_view file, TimbukReading reading,
                                              StopToken stop) {
  const std::vector<Block> blocks = blocks_of(text);
  TimbukSpecification result;
  std::string blank{text};
  std::ranges::replace_if(
      blank, [](char byte) { return byte != '\n'; }, ' ');
  const std::string empty = blank;
  const auto show = [&](const Block& block) {
    blank.replace(block.begin, block.end - block.begin, text.substr(block.begin, block.end - block.begin));
  };
  const auto hide = [&](const Block& block) {
    blank.replace(block.begin, block.end - block.begin, empty, block.begin, block.end - block.begin);
  };
  bool has_alphabet = false;
  for (const Block& block : blocks) {
    if (block.keyword == "Ops") {
      if (has_alphabet)
        throw InputError{{diagnostic_at(file, text, block.begin, block.keyword.size(), "a second section 'Ops'")}};
      has_alphabet = true;
      show(block);
    } else if (block.keyword != "Automaton") {
      result.skipped.push_back(diagnostic_at(file, text, block.begin, block.keyword.size(),
                                             "the section '" + std::string{block.keyword} + "' is skipped"));
      result.skipped.back().severity = Severity::Note;
    }
  }
  for (const Block& block : blocks) {
    if (block.keyword != "Automaton") continue;
    show(block);
    result.automata.push_back(read_timbuk(blank, file, reading, stop));
    hide(block);
  }
  if (result.automata.empty()) throw InputError{{diagnostic_at(file, text, 0, 1, "there is no section 'Automaton'")}};
  return result;
}

}  // namespace lockwood::treeauto
