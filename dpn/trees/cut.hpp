#pragma once

#include <cstdint>

#include "dpn/trees/execution_tree.hpp"

namespace lockwood::dpn {

enum class EarlierCuts { Keep, Remove };

// The tree as it stood at the end of a phase [nordhoff.13.iterable, Def. 8]: below the cuts that end the phase
// everything is dropped and they become Nil; a call or use that contains such a cut in its body becomes NCall or Acq.
// Threads that ended by then stay whole. Requires that the cuts are well-formed (see tree_validity.hpp). After the last
// phase, the tree itself.
[[nodiscard]] ExecutionTree tree_at_cut(const ExecutionTree& tree, std::uint32_t phase, EarlierCuts earlier);

[[nodiscard]] ExecutionTree without_cuts(const ExecutionTree& tree);

}  // namespace lockwood::dpn
