#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "dpn/trees/execution_tree.hpp"
#include "solver/engine/engine.hpp"
#include "solver/engine/execution_grammar.hpp"
#include "solver/reduction/node_budget.hpp"

namespace lockwood::solver {

// Writes the tree of a derivation, for all domains. `choose(wanted)` says how a subtree that is wanted begins: a `node`
// and its wanted `children`, left before right. Throws what the room for it does.
template <class Wanted, class Choose>
[[nodiscard]] dpn::ExecutionTree derived_tree(const ExecutionGrammar& grammar, Wanted root, NodeBudget room,
                                              const Choose& choose) {
  dpn::TreeBuilder builder;
  std::vector<Wanted> pending;  // subtrees to append, the next one last
  pending.push_back(std::move(root));
  while (!pending.empty()) {
    room.take();
    const Wanted wanted = std::move(pending.back());
    pending.pop_back();
    auto choice = choose(wanted);
    grammar.append(builder, choice.node);
    while (!choice.children.empty()) {
      pending.push_back(std::move(choice.children.back()));
      choice.children.pop_back();
    }
  }
  return std::move(builder).build();
}

// The tree that derives the fact, of the network on which the engine runs. Throws what the room for it does.
[[nodiscard]] dpn::ExecutionTree witness_tree(const Engine& engine, FactId fact, NodeBudget room = NodeBudget{});

}  // namespace lockwood::solver
