#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/term.hpp"

namespace lockwood::treeauto {

using TransducerState = Id<struct TransducerStateTag>;
using TransducerRule = Id<struct TransducerRuleTag>;

// A nondeterministic bottom-up tree transducer [comon.08.tata, Sect. 6.4.1]: rules f(q₁(x₁), …, qₙ(xₙ)) → q(t), where
// t is a term over the output alphabet and the variables. The states look at the whole of each subtree before t is
// chosen; a variable that t leaves out deletes what was put out for that subtree, but the subtree must still have
// reached its state. Variables are numbered from 0 here: xᵢ stands for the output of child number i.
// Invariant: children and outputs of the rules fit the ranks of the two alphabets.
class Transducer {
 public:
  struct Rule {
    Symbol symbol;  // of the input
    std::vector<TransducerState> children;
    TransducerState target;
    Term output;
  };

  Transducer(Alphabet input, Alphabet output) : input_{std::move(input)}, output_{std::move(output)} {}

  TransducerState add_state(bool is_final = false) { return final_.push_back(is_final); }
  void set_final(TransducerState state, bool is_final = true) { final_[state] = is_final; }
  // Requires as many children as the symbol's rank, and an output with no other variables than these children.
  TransducerRule add(Symbol symbol, std::span<const TransducerState> children, TransducerState target, Term output);
  TransducerRule add(Symbol symbol, std::initializer_list<TransducerState> children, TransducerState target,
                     Term output) {
    return add(symbol, std::span{children.begin(), children.size()}, target, std::move(output));
  }

  [[nodiscard]] const Alphabet& input() const { return input_; }
  [[nodiscard]] const Alphabet& output() const { return output_; }
  [[nodiscard]] std::size_t state_count() const { return final_.size(); }
  [[nodiscard]] IdRange<TransducerState> states() const { return final_.keys(); }
  [[nodiscard]] bool is_final(TransducerState state) const { return final_[state]; }
  [[nodiscard]] const IdVector<TransducerRule, Rule>& rules() const { return rules_; }

 private:
  Alphabet input_;
  Alphabet output_;
  IdVector<TransducerState, bool> final_;
  IdVector<TransducerRule, Rule> rules_;
};

// No rule copies an output: no variable occurs twice in a term.
[[nodiscard]] bool is_linear(const Transducer& transducer);

// The automaton of the input trees for which the transducer has an output. State number i is its state number i.
[[nodiscard]] Automaton domain(const Transducer& transducer);

// The transducer that changes nothing: one state, a copying rule for each symbol.
[[nodiscard]] Transducer identity_transducer(const Alphabet& alphabet);

}  // namespace lockwood::treeauto
