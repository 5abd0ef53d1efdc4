#include "treeauto/operations/difference.hpp"

#include <cstddef>
#include <span>

#include "treeauto/lazy/lazy_complement.hpp"
#include "treeauto/lazy/lazy_exploration.hpp"
#include "treeauto/operations/trim.hpp"
#include "treeauto/simulation/reduction.hpp"

namespace lockwood::treeauto {
namespace {

struct TooManySteps {};

// The complement of an automaton that may be asked only so often.
class BoundedComplement {
 public:
  using State = LazyComplement::State;
  BoundedComplement(const Automaton& automaton, std::size_t steps) : complement_{automaton}, steps_left_{steps} {}
  [[nodiscard]] const Alphabet& alphabet() const { return complement_.alphabet(); }
  [[nodiscard]] bool is_final(State set) const { return complement_.is_final(set); }
  template <class Sink>
  void each_target(Symbol symbol, std::span<const State> children, Sink&& sink) const {
    if (steps_left_-- == 0) throw TooManySteps{};
    complement_.each_target(symbol, children, sink);
  }

 private:
  LazyComplement complement_;
  mutable std::size_t steps_left_;
};

}  // namespace

// As with determinisation, reduction by simulations is worth its time only if the difference is not found soon.
Automaton difference(const Automaton& first_operand, const Automaton& second_operand, StopToken stop) {
  const Alphabet both = joined(first_operand.alphabet(), second_operand.alphabet()).alphabet;
  const Automaton first = trimmed(with_alphabet(first_operand, both));
  const Automaton second = trimmed(with_alphabet(second_operand, both));
  try {
    const std::size_t steps = 100'000 + 20 * (total_size(first) + total_size(second));
    return trimmed(materialised(first, BoundedComplement{second, steps}, stop));
  } catch (const TooManySteps&) {
    return trimmed(materialised(reduced(first, {}, stop), LazyComplement{reduced(second, {}, stop)}, stop));
  }
}

}  // namespace lockwood::treeauto
