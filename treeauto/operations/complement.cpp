#include "treeauto/operations/complement.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/automaton/tuples.hpp"
#include "treeauto/operations/deterministic.hpp"
#include "treeauto/operations/trim.hpp"

namespace lockwood::treeauto {
namespace {

// From the minimal deterministic automaton: its states with finality turned round, the sink being final now, and `any`,
// which every tree reaches.
class ComplementConstruction {
 public:
  ComplementConstruction(const DeterministicAutomaton& minimal, StopToken stop)
      : minimal_{minimal}, stop_{stop}, builder_{minimal.alphabet} {
    for (State state : minimal.states()) builder_.set_final(builder_.add_state(), !minimal.final[state]);
    any_.push_back(builder_.add_state());
  }

  [[nodiscard]] Automaton result() {
    for (Symbol symbol : minimal_.alphabet.symbols()) {
      const std::size_t rank = minimal_.alphabet.rank(symbol);
      const std::vector<State> whatever(rank, any_.front());
      builder_.add(symbol, whatever, any_.front());
      if (minimal_.tables[symbol].targets.empty()) {
        builder_.add(symbol, whatever, minimal_.sink);
      } else {
        add_transitions(symbol, rank);
      }
    }
    return trimmed(std::move(builder_).build());
  }

 private:
  void add_transitions(Symbol symbol, std::size_t rank) {
    const auto& table = minimal_.tables[symbol];
    members_.assign(rank, {});
    for (std::size_t i = 0; i < rank; ++i) {
      const auto highest = *std::ranges::max_element(table.class_of[i]);
      members_[i].resize(highest + 1);
      for (State state : minimal_.states()) members_[i][table.class_of[i][state]].push_back(state);
    }
    choices_.assign(rank, any_);
    for (std::uint32_t row = 0; row < table.targets.size(); ++row) {
      for (std::size_t i = 0; i < rank; ++i) choices_[i] = members_[i][table.rows[row][i]];
      add_chosen(symbol, table.targets[row]);
    }
    choices_.assign(rank, any_);
    for (std::size_t i = 0; i < rank; ++i) {
      choices_[i] = members_[i][0];
      add_chosen(symbol, minimal_.sink);
      choices_[i] = any_;
    }
    if (rank > 0) add_tuples_without_row(symbol, rank);
  }

  // Walks through the rows as a trie. Where no row goes on with some class, the sink is certain, whatever follows.
  void add_tuples_without_row(Symbol symbol, std::size_t rank) {
    const auto& table = minimal_.tables[symbol];
    std::vector<std::uint32_t> rows(table.targets.size());
    std::iota(rows.begin(), rows.end(), 0U);
    std::ranges::sort(rows, [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(table.rows[a], table.rows[b]);
    });
    struct Branch {
      std::size_t depth;
      std::size_t begin;  // rows that agree in the first `depth` classes
      std::size_t end;
    };
    std::vector<Branch> pending{{0, 0, rows.size()}};
    while (!pending.empty()) {
      const auto [depth, begin, end] = pending.back();
      pending.pop_back();
      choices_.assign(rank, any_);
      for (std::size_t i = 0; i < depth; ++i) choices_[i] = members_[i][table.rows[rows[begin]][i]];
      std::size_t row = begin;
      for (std::uint32_t number = 1; number < members_[depth].size(); ++number) {
        const std::size_t first = row;
        while (row < end && table.rows[rows[row]][depth] == number) ++row;
        if (row == first) {
          choices_[depth] = members_[depth][number];
          add_chosen(symbol, minimal_.sink);
        } else if (depth + 1 < rank) {
          pending.push_back({depth + 1, first, row});
        }
      }
    }
  }

  void add_chosen(Symbol symbol, State target) {
    each_tuple<State>(choices_, [&](std::span<const State> children) {
      stop_.check();
      builder_.add(symbol, children, target);
    });
  }

  const DeterministicAutomaton& minimal_;
  StopToken stop_;
  AutomatonBuilder builder_;
  std::vector<State> any_;                                // one state
  std::vector<std::vector<std::vector<State>>> members_;  // of the symbol at hand, by position and class
  std::vector<std::span<const State>> choices_;
};

}  // namespace

Automaton complement(const Automaton& automaton, StopToken stop) {
  return ComplementConstruction{minimal_deterministic(automaton, stop), stop}.result();
}

}  // namespace lockwood::treeauto
