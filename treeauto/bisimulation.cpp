#include "treeauto/bisimulation.hpp"

#include <algorithm>
#include <vector>

#include "base/sequence_table.hpp"
#include "treeauto/automaton_builder.hpp"
#include "treeauto/word.hpp"

namespace lockwood::treeauto {
namespace {

using Blocks = IdVector<State, std::uint32_t>;

// Splits blocks by what `signature` says of their states, given the present blocks, until nothing is split. A signature
// is the set of its rows, each a number for something that is true of the state.
template <class Rows>
Blocks refined(Blocks blocks, std::size_t block_count, StopToken stop, Rows&& append_rows) {
  while (true) {
    SequenceTable<std::uint32_t> rows;        // what can be true of a state
    SequenceTable<std::uint32_t> signatures;  // a block, and the rows of its states
    Blocks next(blocks.size());
    std::vector<std::uint32_t> signature;
    for (State state : blocks.keys()) {
      stop.check();
      signature.clear();
      append_rows(state, blocks,
                  [&](const std::vector<std::uint32_t>& row) { signature.push_back(rows.intern(row).number); });
      std::ranges::sort(signature);
      signature.erase(std::unique(signature.begin(), signature.end()), signature.end());
      signature.push_back(blocks[state]);
      next[state] = signatures.intern(signature).number;
    }
    if (signatures.size() == block_count) return blocks;
    block_count = signatures.size();
    blocks = std::move(next);
  }
}

}  // namespace

Blocks backward_bisimulation(const Automaton& automaton, StopToken stop) {
  std::vector<std::uint32_t> row;
  return refined(Blocks(automaton.state_count(), 0), automaton.state_count() == 0 ? 0 : 1, stop,
                 [&](State state, const Blocks& blocks, auto&& take) {
                   for (TransitionId id : automaton.transitions_to(state)) {
                     row.assign(1, word(automaton.symbol(id).index()));
                     for (State child : automaton.children(id)) row.push_back(blocks[child]);
                     take(row);
                   }
                 });
}

Blocks forward_bisimulation(const Automaton& automaton, StopToken stop) {
  Blocks blocks(automaton.state_count(), 0);
  bool both = false;
  for (State state : automaton.states()) {
    const bool differs = automaton.is_final(state) != automaton.is_final(State{0});
    blocks[state] = differs ? 1 : 0;
    both = both || differs;
  }
  std::vector<std::uint32_t> row;
  return refined(std::move(blocks),
                 automaton.state_count() == 0 ? 0
                 : both                       ? 2
                                              : 1,
                 stop, [&](State state, const Blocks& present, auto&& take) {
                   for (const Occurrence& occurrence : automaton.occurrences(state)) {
                     row.assign({word(automaton.symbol(occurrence.transition).index()), occurrence.position,
                                 present[automaton.target(occurrence.transition)]});
                     const auto children = automaton.children(occurrence.transition);
                     for (std::size_t i = 0; i < children.size(); ++i)
                       if (i != occurrence.position) row.push_back(word(children[i].index()));
                     take(row);
                   }
                 });
}

Automaton quotient(const Automaton& automaton, const Blocks& blocks) {
  AutomatonBuilder builder{automaton.alphabet()};
  builder.set_name(automaton.name());
  std::size_t count = 0;
  for (std::uint32_t block : blocks) count = std::max<std::size_t>(count, block + 1);
  builder.add_states(count);
  for (State state : automaton.final_states()) builder.set_final(State{blocks[state]});
  std::vector<State> children;
  for (TransitionId id : automaton.transitions()) {
    children.clear();
    for (State child : automaton.children(id)) children.emplace_back(blocks[child]);
    builder.add(automaton.symbol(id), children, State{blocks[automaton.target(id)]});
  }
  return std::move(builder).build();
}

Automaton bisimulation_quotient(const Automaton& automaton, StopToken stop) {
  Automaton result = automaton;
  while (true) {
    const std::size_t before = result.state_count();
    result = quotient(result, backward_bisimulation(result, stop));
    result = quotient(result, forward_bisimulation(result, stop));
    if (result.state_count() == before) return result;
  }
}

}  // namespace lockwood::treeauto
