#pragma once

#include "dpn/execution_tree.hpp"
#include "solver/engine.hpp"

namespace lockwood::solver {

// The execution tree that the fact's derivation describes, with a Cut wherever a thread goes on to the next phase.
[[nodiscard]] dpn::ExecutionTree witness_tree(const Engine& engine, FactId fact);

}  // namespace lockwood::solver
