#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// Collects the parts of an automaton in any order. States get their numbers in the order of their creation.
class AutomatonBuilder {
 public:
  // Symbols of the alphabet keep their numbers; more may be added.
  explicit AutomatonBuilder(const Alphabet& alphabet = {}) : alphabet_{alphabet} {}

  void set_name(std::string name) { name_ = std::move(name); }

  // The symbol with this name and rank, a new one if it was not there.
  Symbol symbol(std::string_view name, std::size_t rank);
  [[nodiscard]] std::optional<Symbol> find_symbol(std::string_view name, std::size_t rank) const;
  [[nodiscard]] std::size_t rank(Symbol symbol) const;

  // A new state. It gets a name of its own only if some other state has one.
  State add_state();
  void add_states(std::size_t count) { final_.resize(final_.size() + count); }
  // The state with this name, a new one if it was not there.
  State state(std::string_view name);
  [[nodiscard]] std::optional<State> find_state(std::string_view name) const;
  // States like all those of the automaton, with their names (if not taken) and finality, in their order. Returns the
  // first; the others follow.
  State add_states_of(const Automaton& automaton);
  [[nodiscard]] std::size_t state_count() const { return final_.size(); }
  void set_final(State state, bool is_final = true) { final_[state] = is_final; }

  // Requires as many children as the symbol's rank, of this builder, and a target of it. `children` must not lie in
  // this builder.
  void add(Symbol symbol, std::span<const State> children, State target) {
    transitions_.push_back({symbol, static_cast<std::uint32_t>(children_.size()), target});
    children_.insert(children_.end(), children.begin(), children.end());
  }
  void add(Symbol symbol, std::initializer_list<State> children, State target) {
    add(symbol, std::span{children.begin(), children.size()}, target);
  }
  [[nodiscard]] std::size_t transition_count() const { return transitions_.size(); }  // repeated ones are counted
  void reserve(std::size_t transitions, std::size_t children) {
    transitions_.reserve(transitions);
    children_.reserve(children);
  }

  // Throws std::length_error if the children of all transitions are 2^32 or more.
  [[nodiscard]] Automaton build() &&;

 private:
  struct Row {
    Symbol symbol;
    std::uint32_t child_begin;
    State target;
  };
  struct Ordered;
  [[nodiscard]] std::vector<Row> rows_by_symbol(std::vector<std::uint32_t>& symbol_begins) const;
  void sort_rows(std::span<Row> rows, std::size_t rank) const;
  void sort_rows(std::span<Row> rows, std::size_t rank, std::size_t equal, std::vector<Ordered>& scratch) const;
  [[nodiscard]] SymbolTable<State> state_names() const;

  // The alphabet given, replaced by `more_` as soon as a symbol is added.
  Alphabet alphabet_;
  std::optional<AlphabetBuilder> more_;
  std::string name_;
  IdVector<State, bool> final_;
  NameTable names_;
  std::vector<State> named_;  // by the number of the name
  std::vector<Row> transitions_;
  std::vector<State> children_;
};

}  // namespace lockwood::treeauto
