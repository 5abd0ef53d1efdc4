#include "solver/engine/witness.hpp"

#include <boost/container/static_vector.hpp>

namespace lockwood::solver {

dpn::ExecutionTree witness_tree(const Engine& engine, FactId fact, NodeBudget room) {
  struct Choice {
    Node node;
    boost::container::static_vector<FactId, 2> children;
  };
  return derived_tree(engine.grammar(), fact, room, [&](FactId wanted) {
    const Fact& found = engine.facts()[wanted];
    const Derivation& derivation = found.derivation;
    Choice choice{{derivation.step, found.context, derivation.rule}, {}};
    if (derivation.left) choice.children.push_back(*derivation.left);
    if (derivation.right) choice.children.push_back(*derivation.right);
    return choice;
  });
}

}  // namespace lockwood::solver
