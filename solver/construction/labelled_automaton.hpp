#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/ids/id.hpp"
#include "base/ids/id_vector.hpp"
#include "base/ids/sequence_table.hpp"
#include "solver/query/tree_alphabet.hpp"
#include "treeauto/lazy/lazy.hpp"

namespace lockwood::solver::reference {

// A lazy tree automaton (treeauto/lazy/lazy.hpp) over execution trees, given by a definition in the style of the paper,
// whose states are values:
//   using Value                   a state: regular and ordered by <
//   targets(label, children)      the values of a node with this label above children with these values
//   is_final(value)
//   subsumes(a, b)                if it can promise what treeauto/lazy/lazy.hpp says of an order on states
// Only values that some tree gets are ever made. They are numbered in the order of their appearance, and no question is
// answered twice. The alphabet must outlive the automaton.
template <class Definition>
class LabelledAutomaton {
 public:
  using Value = typename Definition::Value;
  using State = Id<Definition>;

  LabelledAutomaton(const dpn::TreeAlphabet& alphabet, Definition definition)
      : alphabet_{&alphabet}, definition_{std::move(definition)} {}

  [[nodiscard]] const treeauto::Alphabet& alphabet() const { return alphabet_->symbols(); }
  [[nodiscard]] bool is_final(State state) const { return definition_.is_final(values_[state]); }
  [[nodiscard]] const Value& value(State state) const { return values_[state]; }

  [[nodiscard]] bool subsumes(State a, State b) const requires
      requires(const Definition& definition, const Value& value) {
    definition.subsumes(value, value);
  }
  { return a == b || definition_.subsumes(values_[a], values_[b]); }

  template <class Sink>
  void each_target(treeauto::Symbol symbol, std::span<const State> children, Sink&& sink) const {
    question_.assign(1, static_cast<std::uint32_t>(symbol.index()));
    for (State child : children) question_.push_back(static_cast<std::uint32_t>(child.index()));
    const auto [number, is_new] = questions_.intern(question_);
    if (is_new) answers_.push_back(answer(symbol, children));
    // By its number, since the sink may ask the next question.
    for (std::size_t i = 0; i < answers_[number].size(); ++i) sink(answers_[number][i]);
  }

 private:
  std::vector<State> answer(treeauto::Symbol symbol, std::span<const State> children) const {
    std::vector<Value> below;
    for (State child : children) below.push_back(values_[child]);
    std::vector<State> targets;
    for (Value& value : definition_.targets(alphabet_->label(symbol), std::span<const Value>{below}))
      targets.push_back(state_of(std::move(value)));
    return targets;
  }
  State state_of(Value value) const {
    const auto [at, inserted] = numbers_.try_emplace(std::move(value), State{values_.size()});
    if (inserted) values_.push_back(at->first);
    return at->second;
  }

  const dpn::TreeAlphabet* alphabet_;
  Definition definition_;
  mutable std::map<Value, State> numbers_;
  mutable IdVector<State, Value> values_;
  mutable SequenceTable<> questions_;  // symbol, states of the children
  mutable std::vector<std::vector<State>> answers_;
  mutable std::vector<std::uint32_t> question_;
};

}  // namespace lockwood::solver::reference
