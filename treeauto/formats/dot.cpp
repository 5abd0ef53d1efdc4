#include "treeauto/formats/dot.hpp"

#include <string_view>
#include <vector>

namespace lockwood::treeauto {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char byte : text) {
    if (byte == '"' || byte == '\\') result += '\\';
    if (byte == '\n') {
      result += "\\n";
    } else {
      result += byte;
    }
  }
  return result + '"';
}

}  // namespace

std::string to_dot(const Automaton& automaton) {
  std::string text = "digraph " + quoted(automaton.name()) + " {\n  rankdir=BT;\n";
  const auto node = [](State state) { return "q" + std::to_string(state.index()); };
  for (State state : automaton.states())
    text += "  " + node(state) + " [label=" + quoted(automaton.state_name(state)) +
            (automaton.is_final(state) ? ", shape=doublecircle];\n" : ", shape=circle];\n");
  for (TransitionId id : automaton.transitions()) {
    const auto [symbol, children, target] = automaton.transition(id);
    const std::string label = " [label=" + quoted(automaton.alphabet().name(symbol));
    if (children.size() == 1) {
      text += "  " + node(children[0]) + " -> " + node(target) + label + "];\n";
      continue;
    }
    const std::string box = "t" + std::to_string(id.index());
    text += "  " + box + label + (children.empty() ? ", shape=plaintext];\n" : ", shape=box];\n");
    for (std::size_t i = 0; i < children.size(); ++i)
      text += "  " + node(children[i]) + " -> " + box + " [label=" + std::to_string(i + 1) + ", dir=none];\n";
    text += "  " + box + " -> " + node(target) + ";\n";
  }
  return text + "}\n";
}

std::string to_dot(const Tree& tree) {
  std::string text = "digraph tree {\n  node [shape=plaintext];\n  edge [dir=none];\n  ordering=out;\n";
  struct Open {
    std::size_t node;
    std::size_t missing;  // children still to come
  };
  std::vector<Open> open;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    const Symbol symbol = tree.preorder()[node];
    text += "  n" + std::to_string(node) + " [label=" + quoted(tree.alphabet().name(symbol)) + "];\n";
    if (!open.empty()) {
      text += "  n" + std::to_string(open.back().node) + " -> n" + std::to_string(node) + ";\n";
      if (--open.back().missing == 0) open.pop_back();
    }
    if (const std::size_t rank = tree.alphabet().rank(symbol); rank > 0) open.push_back({node, rank});
  }
  return text + "}\n";
}

}  // namespace lockwood::treeauto
