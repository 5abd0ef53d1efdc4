#pragma once

#include <cstddef>
#include <optional>

#include "base/ids/random.hpp"
#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/tree.hpp"
#include "treeauto/counting/count.hpp"

namespace lockwood::treeauto {

// A tree of the language with exactly that many nodes, each with the same probability; nothing if there is none. The
// same generator state gives the same tree. Use one counter for many samples.
[[nodiscard]] std::optional<Tree> sampled_tree(TreeCounter& counter, std::size_t nodes, Random& random,
                                               StopToken stop = {});
[[nodiscard]] std::optional<Tree> sampled_tree(const Automaton& automaton, std::size_t nodes, std::uint64_t seed,
                                               StopToken stop = {});

// Uniform over 0, …, bound - 1. Requires bound > 0.
[[nodiscard]] BigInteger random_below(const BigInteger& bound, Random& random);

}  // namespace lockwood::treeauto
