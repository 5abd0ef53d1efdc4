#include <algorithm>
#include <array>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "treeauto/formats/timbuk.hpp"

namespace lockwood::treeauto {
namespace {

constexpr std::string_view white_space = " \t\r\n";

[[noreturn]] void refuse(const char* kind, std::string_view name) {
  throw InputError{"output",
                   std::string{"the Timbuk format cannot express the "} + kind + " '" + std::string{name} + "'"};
}

bool is_name(std::string_view name) {
  return !name.empty() && name.find_first_of(" \t\r\n(),:") == std::string_view::npos &&
         name.find("->") == std::string_view::npos && !is_timbuk_keyword(name);
}

}  // namespace

bool is_timbuk_keyword(std::string_view word) {
  constexpr std::array<std::string_view, 5> keywords{"Ops", "Automaton", "States", "Final", "Transitions"};
  return std::ranges::find(keywords, word) != keywords.end();
}

std::string to_timbuk(const Automaton& automaton) {
  const Alphabet& alphabet = automaton.alphabet();
  std::vector<std::string> states;
  states.reserve(automaton.state_count());
  for (State state : automaton.states()) {
    states.push_back(automaton.state_name(state));
    if (!is_name(states.back())) refuse("state name", states.back());
  }
  for (Symbol symbol : alphabet.symbols())
    if (!is_name(alphabet.name(symbol))) refuse("symbol name", alphabet.name(symbol));
  if (automaton.name().find_first_of(white_space) != std::string::npos || is_timbuk_keyword(automaton.name()))
    refuse("automaton name", automaton.name());

  std::string text = "Ops";
  for (Symbol symbol : alphabet.symbols())
    text.append(" ").append(alphabet.name(symbol)).append(":").append(std::to_string(alphabet.rank(symbol)));
  text += "\nAutomaton";
  if (!automaton.name().empty()) text.append(" ").append(automaton.name());
  text += "\nStates";
  for (const std::string& state : states) text.append(" ").append(state);
  text += "\nFinal States";
  for (State state : automaton.final_states()) text.append(" ").append(states[state.index()]);
  text += "\nTransitions\n";
  for (TransitionId id : automaton.transitions()) {
    text += alphabet.name(automaton.symbol(id));
    const char* before = "(";
    for (State child : automaton.children(id)) {
      text.append(before).append(states[child.index()]);
      before = ", ";
    }
    if (!automaton.children(id).empty()) text += ')';
    text.append(" -> ").append(states[automaton.target(id).index()]).append("\n");
  }
  return text;
}

}  // namespace lockwood::treeauto
