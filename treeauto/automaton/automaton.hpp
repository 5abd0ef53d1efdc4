#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/ids/id.hpp"
#include "base/ids/id_vector.hpp"
#include "base/ids/symbol_table.hpp"
#include "treeauto/automaton/alphabet.hpp"

namespace lockwood::treeauto {

using State = Id<struct StateTag>;
using TransitionId = Id<struct TransitionTag>;

// f(q₁, …, qₙ) → q, looking into the automaton it belongs to.
struct Transition {
  Symbol symbol;
  std::span<const State> children;
  State target;
};

// A place where a state stands as a child.
struct Occurrence {
  TransitionId transition;
  std::uint32_t position;
  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

// A nondeterministic bottom-up tree automaton [comon.08.tata, Sect. 1.1], immutable. Made by an AutomatonBuilder.
// Cheap to copy: copies share their tables; safe to read from several threads.
//
// Transitions are a set, numbered by (symbol, children, target) in lexicographic order: those of a symbol are one
// range, and within it those with the same first children are one range. Children lie in one flat array.
class Automaton {
 public:
  // No symbol, no state.
  Automaton();

  [[nodiscard]] const Alphabet& alphabet() const { return tables_->alphabet; }
  [[nodiscard]] std::size_t state_count() const { return tables_->final.size(); }
  [[nodiscard]] IdRange<State> states() const { return IdRange<State>{state_count()}; }
  [[nodiscard]] bool is_final(State state) const { return tables_->final[state]; }
  // In the order of their numbers.
  [[nodiscard]] std::span<const State> final_states() const { return tables_->final_states; }

  [[nodiscard]] std::size_t transition_count() const { return tables_->targets.size(); }
  [[nodiscard]] IdRange<TransitionId> transitions() const { return IdRange<TransitionId>{transition_count()}; }
  [[nodiscard]] Symbol symbol(TransitionId id) const { return tables_->symbols[id]; }
  [[nodiscard]] std::span<const State> children(TransitionId id) const {
    const std::size_t begin = tables_->child_begins[id.index()];
    return std::span{tables_->children}.subspan(begin, tables_->child_begins[id.index() + 1] - begin);
  }
  [[nodiscard]] State target(TransitionId id) const { return tables_->targets[id]; }
  [[nodiscard]] Transition transition(TransitionId id) const { return {symbol(id), children(id), target(id)}; }
  [[nodiscard]] IdRange<TransitionId> transitions_of(Symbol symbol) const {
    return {tables_->symbol_begins[symbol.index()], tables_->symbol_begins[symbol.index() + 1]};
  }
  // The transitions with this symbol and these children, by binary search. Requires as many children as the rank says.
  [[nodiscard]] IdRange<TransitionId> transitions_of(Symbol symbol, std::span<const State> children) const;

  // The places where the state stands as a child, by transition and position. The index is built at the first call.
  [[nodiscard]] std::span<const Occurrence> occurrences(State child) const;
  // The transitions to the state, by number and so by symbol. The index is built at the first call.
  [[nodiscard]] std::span<const TransitionId> transitions_to(State target) const;

  // May be empty.
  [[nodiscard]] const std::string& name() const { return tables_->name; }
  // Whether the states have names of their own. If so, they are pairwise different.
  [[nodiscard]] bool has_state_names() const {
    return tables_->state_names.size() == state_count() && state_count() > 0;
  }
  // The name of the state; q and its number if it has none of its own.
  [[nodiscard]] std::string state_name(State state) const;

  // Asserts what is promised above: the order of the transitions, and that they stay within the automaton.
  void check_invariants() const;

  // The same numbering of symbols, states and transitions, and the same names.
  friend bool operator==(const Automaton& a, const Automaton& b);

 private:
  friend class AutomatonBuilder;
  // Rows grouped by some key: those of key k are rows[begins[k]], …, rows[begins[k + 1] - 1].
  template <class Row>
  struct Groups {
    std::vector<std::uint32_t> begins;
    std::vector<Row> rows;
    [[nodiscard]] std::span<const Row> of(std::size_t key) const {
      return std::span{rows}.subspan(begins[key], begins[key + 1] - begins[key]);
    }
  };
  struct Tables {
    Alphabet alphabet;
    std::string name;
    SymbolTable<State> state_names;  // of all states, or of none
    IdVector<State, bool> final;
    std::vector<State> final_states;
    IdVector<TransitionId, Symbol> symbols;
    IdVector<TransitionId, State> targets;
    std::vector<State> children;
    std::vector<std::uint32_t> child_begins{0};   // one more than transitions
    std::vector<std::uint32_t> symbol_begins{0};  // one more than symbols
    mutable std::once_flag by_child_once;
    mutable Groups<Occurrence> by_child;
    mutable std::once_flag by_target_once;
    mutable Groups<TransitionId> by_target;
  };
  explicit Automaton(std::shared_ptr<const Tables> tables) : tables_{std::move(tables)} {}
  void index_by_child() const;
  void index_by_target() const;

  std::shared_ptr<const Tables> tables_;
};

// The same automaton over another alphabet, matched by name and rank; transitions whose symbol it lacks are left out.
[[nodiscard]] Automaton with_alphabet(const Automaton& automaton, const Alphabet& alphabet);

// Σ of the ranks of all transitions plus their number: the size that "linear" refers to.
[[nodiscard]] std::size_t total_size(const Automaton& automaton);

}  // namespace lockwood::treeauto
