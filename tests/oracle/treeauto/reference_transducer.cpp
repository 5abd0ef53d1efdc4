#include "tests/oracle/treeauto/reference_transducer.hpp"

#include <cstddef>
#include <functional>
#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::treeauto::reference {

Automaton singleton(const Tree& tree) {
  AutomatonBuilder builder{tree.alphabet()};
  builder.add_states(tree.size());
  const auto sizes = subtree_sizes(tree);
  for (std::size_t node = 0; node < tree.size(); ++node) {
    std::vector<State> children;
    std::size_t next = node + 1;
    for (std::size_t child = 0; child < tree.alphabet().rank(tree.preorder()[node]); ++child) {
      children.emplace_back(next);
      next += sizes[next];
    }
    builder.add(tree.preorder()[node], children, State{node});
  }
  builder.set_final(State{0});
  return std::move(builder).build();
}

std::set<std::string> outputs(const Transducer& transducer, const Tree& tree) {
  using Outputs = std::set<std::pair<TransducerState, std::string>>;
  const Tree input = with_alphabet(tree, transducer.input());
  const Outputs all = evaluated<Outputs>(input, [&](Symbol symbol, std::span<const Outputs> below) {
    Outputs result;
    for (const Transducer::Rule& rule : transducer.rules()) {
      if (rule.symbol != symbol) continue;
      std::vector<std::string> values;
      const std::function<void()> choose = [&] {
        if (values.size() == below.size()) {
          std::size_t node = 0;
          const std::function<std::string()> substituted = [&]() -> std::string {
            const Term::Node& here = rule.output.nodes()[node++];
            if (const Variable* variable = std::get_if<Variable>(&here)) return values[variable->index()];
            const Symbol put_out = std::get<Symbol>(here);
            std::string text{transducer.output().name(put_out)};
            for (std::size_t i = 0; i < transducer.output().rank(put_out); ++i)
              text += (i == 0 ? "(" : ",") + substituted();
            return transducer.output().rank(put_out) > 0 ? text + ")" : text;
          };
          result.emplace(rule.target, substituted());
          return;
        }
        for (const auto& [state, text] : below[values.size()]) {
          if (state != rule.children[values.size()]) continue;
          values.push_back(text);
          choose();
          values.pop_back();
        }
      };
      choose();
    }
    return result;
  });
  std::set<std::string> accepted;
  for (const auto& [state, text] : all)
    if (transducer.is_final(state)) accepted.insert(text);
  return accepted;
}

}  // namespace lockwood::treeauto::reference
