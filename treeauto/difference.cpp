#include "treeauto/difference.hpp"

#include "treeauto/lazy_complement.hpp"
#include "treeauto/lazy_exploration.hpp"
#include "treeauto/trim.hpp"

namespace lockwood::treeauto {

Automaton difference(const Automaton& first, const Automaton& second, StopToken stop) {
  const Alphabet both = joined(first.alphabet(), second.alphabet()).alphabet;
  const LazyComplement rejected{with_alphabet(trimmed(second), both)};
  return trimmed(materialised(with_alphabet(trimmed(first), both), rejected, stop));
}

}  // namespace lockwood::treeauto
