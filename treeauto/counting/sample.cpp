#include "treeauto/counting/sample.hpp"

#include <cassert>

namespace lockwood::treeauto {

BigInteger random_below(const BigInteger& bound, Random& random) {
  assert(bound > 0);
  const std::size_t bits = msb(bound) + 1;
  while (true) {  // as many random bits as the bound has; drawn again, on average less than once, if not below it
    BigInteger value = 0;
    for (std::size_t drawn = 0; drawn < bits; drawn += 64) value = (value << 64) | random.next();
    value >>= (64 - bits % 64) % 64;
    if (value < bound) return value;
  }
}

std::optional<Tree> sampled_tree(TreeCounter& counter, std::size_t nodes, Random& random, StopToken stop) {
  const BigInteger& count = counter.count(nodes, stop);
  if (count.is_zero()) return std::nullopt;
  return counter.tree(nodes, random_below(count, random), stop);
}

std::optional<Tree> sampled_tree(const Automaton& automaton, std::size_t nodes, std::uint64_t seed, StopToken stop) {
  TreeCounter counter{automaton, stop};
  Random random{seed};
  return sampled_tree(counter, nodes, random, stop);
}

}  // namespace lockwood::treeauto
