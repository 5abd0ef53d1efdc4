#pragma once

#include "dpn/trees/execution_tree.hpp"
#include "solver/engine/engine.hpp"
#include "solver/reduction/tree_room.hpp"

namespace lockwood::solver {

// The execution tree that the fact's derivation describes, with a Cut wherever a thread goes on to the next phase.
// Throws what the room for it does.
[[nodiscard]] dpn::ExecutionTree witness_tree(const Engine& engine, FactId fact, TreeRoom room = TreeRoom{});

}  // namespace lockwood::solver
