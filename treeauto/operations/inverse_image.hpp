#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids/sequence_table.hpp"
#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/transducer.hpp"
#include "treeauto/lazy/lazy.hpp"

namespace lockwood::treeauto {

// The automaton, over the transducer's input alphabet, of the trees that have an output in the language; symbols of
// the outputs are matched by name and rank. Its accessible part only. For a linear transducer a state is a pair of
// states; one that copies needs sets of the automaton's states, and so perhaps exponentially many.
[[nodiscard]] Automaton inverse_image(const Transducer& transducer, const Automaton& automaton, StopToken stop = {});

// The same as a lazy automaton, for any transducer. A state is (q, P): the transducer reaches q with an output that
// the automaton may label with exactly the states of P. Sets are interned as numbers, so the states belong to this
// object and its copies.
class LazyInverseImage {
 public:
  using State = StatePair<TransducerState, std::uint32_t>;
  LazyInverseImage(const Transducer& transducer, const Automaton& automaton);

  [[nodiscard]] const Alphabet& alphabet() const { return tables_->transducer.input(); }
  [[nodiscard]] bool is_final(const State& state) const;
  template <class Sink>
  void each_target(Symbol symbol, std::span<const State> children, Sink&& sink) const {
    std::vector<std::uint32_t> sets;
    for (const State& child : children) sets.push_back(child.second);
    for (TransducerRule id : tables_->rules_of[symbol]) {
      const Transducer::Rule& rule = tables_->transducer.rules()[id];
      const auto stands = [](const State& child, TransducerState state) { return child.first == state; };
      if (std::ranges::equal(children, rule.children, stands)) sink(State{rule.target, reached(rule.output, sets)});
    }
  }

 private:
  struct Tables {
    Transducer transducer;
    Automaton automaton;  // over the output alphabet
    IdVector<Symbol, std::vector<TransducerRule>> rules_of;
    SequenceTable<> sets;
  };
  // The set of states of the output when the variables have those of `sets`.
  [[nodiscard]] std::uint32_t reached(const Term& output, std::span<const std::uint32_t> sets) const;

  std::shared_ptr<Tables> tables_;
};

}  // namespace lockwood::treeauto
