#include "solver/construction/successors.hpp"

#include <cassert>
#include <utility>

#include "solver/construction/acquisition_history.hpp"
#include "solver/construction/allowed_after_cut.hpp"
#include "solver/construction/cut_tree.hpp"
#include "solver/construction/cut_wellformed.hpp"
#include "solver/construction/final_locks.hpp"
#include "solver/construction/fired_after_cut.hpp"
#include "solver/construction/intersection.hpp"
#include "solver/construction/joined_threads.hpp"
#include "solver/construction/network_trees.hpp"
#include "solver/construction/release_history.hpp"
#include "solver/construction/threads_at.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/operations/homomorphism.hpp"
#include "treeauto/operations/image.hpp"
#include "treeauto/operations/inverse_image.hpp"
#include "treeauto/simulation/reduction.hpp"

namespace lockwood::solver::reference {

using dpn::NodeKind;
using dpn::Semantics;
using treeauto::Automaton;
using treeauto::Symbol;

namespace {

// Reductions by simulations make small automata smaller still, which pays in the next step; on large ones they take
// longer than that step (measured: at 200 states about break-even).
constexpr std::size_t simulation_limit = 200;

std::vector<Symbol> cut_symbols(const dpn::TreeAlphabet& alphabet) {
  std::vector<Symbol> cuts;
  for (Symbol symbol : alphabet.symbols().symbols())
    if (alphabet.label(symbol).kind == NodeKind::Cut) cuts.push_back(symbol);
  return cuts;
}

// The set that the trees make when their cuts are taken out.
Automaton without_cuts(const dpn::TreeAlphabet& alphabet, const Automaton& trees, StopToken stop) {
  const std::vector<Symbol> cuts = cut_symbols(alphabet);
  const Automaton set = reduced(treeauto::without_unary_symbols(trees, cuts, stop), stop);
  return set.state_count() > simulation_limit ? set : treeauto::reduced(set, {}, stop);
}

// The trees of which all joins can be passed.
Automaton passing_joins(const dpn::TreeAlphabet& alphabet, Automaton trees, Semantics semantics, StopToken stop) {
  if (!alphabet.network().uses_groups()) return trees;
  return intersected(trees, alphabet, JoinedThreads{alphabet.network(), semantics}, stop);
}

// The trees that are in the set when their cuts, any number of them anywhere, are taken out.
Automaton with_cuts(const dpn::TreeAlphabet& alphabet, const Automaton& set) {
  const Automaton trees = with_alphabet(set, alphabet.symbols());
  treeauto::AutomatonBuilder builder{alphabet.symbols()};
  builder.add_states_of(trees);
  for (treeauto::TransitionId id : trees.transitions())
    builder.add(trees.symbol(id), trees.children(id), trees.target(id));
  for (Symbol cut : cut_symbols(alphabet))
    for (treeauto::State state : trees.states()) builder.add(cut, {state}, state);
  return std::move(builder).build();
}

// The trees with cuts among the given ones that are right in every respect but the locks. What restricts most comes
// first, and the lock structures, of which there may be many, are left to be computed for these trees only.
Automaton candidates(const dpn::TreeAlphabet& alphabet, const Automaton& among, const Step& step, StopToken stop) {
  Automaton trees = network_trees(alphabet, CutNodes::With, stop);
  trees = intersected(trees, alphabet, CutWellformed{}, stop);
  trees = intersected(trees, among, stop);
  if (step.allowed) trees = intersected(trees, alphabet, AllowedAfterCut{*step.allowed}, stop);
  for (const RuleSet& rules : step.fired) trees = intersected(trees, alphabet, FiredAfterCut{rules}, stop);
  if (!step.standing.empty()) trees = intersected(trees, alphabet, Standing{alphabet.network(), step.standing}, stop);
  return trees;
}

// Of such trees, those that have a schedule if their part before the cut has one.
Automaton scheduled(const dpn::TreeAlphabet& alphabet, Automaton trees, const Step& step, StopToken stop) {
  trees = passing_joins(alphabet, std::move(trees), step.semantics, stop);
  if (step.semantics == Semantics::LockInsensitive) return trees;
  const dpn::Network& network = alphabet.network();
  trees = intersected(trees, alphabet, FinalLocks{network}, stop);
  trees = intersected(trees, alphabet, ReleaseHistory{network}, stop);
  return intersected(trees, alphabet, AcquisitionHistory{network}, stop);
}

// The trees whose part before the cut is in the set.
Automaton cut_into(const dpn::TreeAlphabet& alphabet, const Automaton& set, StopToken stop) {
  return treeauto::inverse_image(cut_tree_transducer(alphabet), set, stop);
}

}  // namespace

Automaton initial_tree(const dpn::TreeAlphabet& alphabet) {
  treeauto::AutomatonBuilder builder{alphabet.symbols()};
  builder.set_name("initial");
  const treeauto::State state = builder.state("initial");
  builder.set_final(state);
  builder.add(alphabet.symbol({NodeKind::Nil, alphabet.network().initial()}), {}, state);
  return std::move(builder).build();
}

Automaton reachable_trees(const dpn::TreeAlphabet& alphabet, const Step& step, StopToken stop) {
  assert(step.fired.empty());
  Automaton trees = network_trees(alphabet, CutNodes::Without, stop);
  if (step.allowed) trees = intersected(trees, alphabet, AllowedRules{*step.allowed}, stop);
  if (!step.standing.empty()) trees = intersected(trees, alphabet, Standing{alphabet.network(), step.standing}, stop);
  trees = passing_joins(alphabet, trees, step.semantics, stop);
  if (step.semantics == Semantics::LockSensitive)
    trees = intersected(trees, alphabet, AcquisitionHistory{alphabet.network()}, stop);
  return without_cuts(alphabet, trees, stop);
}

Automaton successors(const dpn::TreeAlphabet& alphabet, const Automaton& from, const Step& step, StopToken stop) {
  const Automaton trees = candidates(alphabet, cut_into(alphabet, from, stop), step, stop);
  return without_cuts(alphabet, scheduled(alphabet, trees, step, stop), stop);
}

// Whether the part before the cut has a schedule is seen in that part alone, so it is left to the end.
Automaton predecessors(const dpn::TreeAlphabet& alphabet, const Automaton& to, const Step& step, StopToken stop) {
  const Automaton trees = candidates(alphabet, with_cuts(alphabet, to), step, stop);
  Automaton before = treeauto::image(cut_tree_transducer(alphabet), scheduled(alphabet, trees, step, stop), stop);
  before = passing_joins(alphabet, std::move(before), step.semantics, stop);
  if (step.semantics == Semantics::LockSensitive)
    before = intersected(before, alphabet, AcquisitionHistory{alphabet.network()}, stop);
  return without_cuts(alphabet, before, stop);
}

std::optional<treeauto::SharedTree> some_successor(const dpn::TreeAlphabet& alphabet, const Automaton& from,
                                                   const Step& step, StopToken stop) {
  const dpn::Network& network = alphabet.network();
  const Automaton trees = candidates(alphabet, cut_into(alphabet, from, stop), step, stop);
  if (step.semantics == Semantics::LockInsensitive)
    return some_tree(trees, LabelledAutomaton{alphabet, JoinedThreads{network, step.semantics}}, stop);
  const auto locks = [&] {
    return treeauto::LazyProduct{LabelledAutomaton{alphabet, FinalLocks{network}},
                                 treeauto::LazyProduct{LabelledAutomaton{alphabet, ReleaseHistory{network}},
                                                       LabelledAutomaton{alphabet, AcquisitionHistory{network}}}};
  };
  if (!network.uses_groups()) return some_tree(trees, locks(), stop);
  return some_tree(
      trees, treeauto::LazyProduct{LabelledAutomaton{alphabet, JoinedThreads{network, step.semantics}}, locks()}, stop);
}

}  // namespace lockwood::solver::reference
