#include "frontend/sets/automata.hpp"

#include <type_traits>

#include "frontend/sets/property_automata.hpp"
#include "solver/construction/intersection.hpp"
#include "solver/construction/successors.hpp"
#include "treeauto/operations/difference.hpp"
#include "treeauto/operations/union.hpp"
#include "treeauto/simulation/reduction.hpp"

namespace lockwood::sets {
namespace {

using treeauto::Automaton;
namespace reference = solver::reference;

// How post* and pre* go on.
reference::Step step_of(const Model& model, dpn::Semantics semantics, const std::vector<dpn::Action>& avoided) {
  reference::Step step{.semantics = semantics, .allowed = {}, .fired = {}, .standing = {}};
  if (avoided.empty()) return step;
  step.allowed.emplace(model.network.rules().size(), true);
  for (dpn::RuleId rule : step.allowed->keys())
    for (dpn::Action action : avoided)
      if (model.network.rule(rule).action == action) (*step.allowed)[rule] = false;
  return step;
}

}  // namespace

const Automaton& Automata::of(const SetPtr& set) {
  if (const auto found = known_.find(set.get()); found != known_.end()) return found->second.automaton;
  Automaton automaton = computed(*set);
  limits_.stop.check();
  limits_.stop.check_states(automaton.state_count());
  // References into the table stay valid when it grows.
  return known_.emplace(set.get(), Known{set, std::move(automaton)}).first->second.automaton;
}

// A set that is dropped may have been the last to hold others.
void Automata::forget_unused() {
  while (std::erase_if(known_, [](const auto& entry) { return entry.second.set.use_count() == 1; }) > 0) {
  }
}

const Automata::KnownModel& Automata::known(const ModelPtr& model) {
  const auto found = models_.find(model.get());
  if (found != models_.end()) return found->second;
  const SetPtr initial = make_set(model, Initial{});
  return models_
      .emplace(model.get(), KnownModel{model, make_set(model, Successors{initial, dpn::Semantics::LockInsensitive, {}}),
                                       make_set(model, Successors{initial, dpn::Semantics::LockSensitive, {}})})
      .first->second;
}

const Automaton& Automata::universe(const ModelPtr& model) { return of(known(model).universe); }
const Automaton& Automata::reachable(const ModelPtr& model) { return of(known(model).reachable); }

Automaton Automata::computed(const Set& set) {
  const StopToken stop = limits_.stop;
  return std::visit(
      [&](const auto& kind) -> Automaton {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<Kind, Initial>) {
          return reference::initial_tree(set.model->alphabet);
        } else if constexpr (std::is_same_v<Kind, Property>) {
          return with_property(*set.model, universe(set.model), kind, stop);
        } else if constexpr (std::is_same_v<Kind, Successors>) {
          return successors_of(set, kind);
        } else if constexpr (std::is_same_v<Kind, Predecessors>) {
          return predecessors_of(set, kind);
        } else if constexpr (std::is_same_v<Kind, Intersection>) {
          return intersection_of(set, kind);
        } else if constexpr (std::is_same_v<Kind, Union>) {
          return reference::reduced(treeauto::union_of(of(kind.first), of(kind.second)), stop);
        } else if constexpr (std::is_same_v<Kind, Difference>) {
          return reference::reduced(treeauto::difference(of(kind.first), of(kind.second), stop), stop);
        } else if constexpr (std::is_same_v<Kind, Complement>) {
          return reference::reduced(treeauto::difference(universe(set.model), of(kind.of), stop), stop);
        } else {
          return treeauto::reduced(of(kind.of), {}, stop);
        }
      },
      set.what);
}

// From the initial tree no cut is needed. Elsewhere the construction requires a start that is reachable.
Automaton Automata::successors_of(const Set& set, const Successors& successors) {
  const dpn::TreeAlphabet& alphabet = set.model->alphabet;
  const reference::Step step = step_of(*set.model, successors.semantics, successors.avoided);
  if (std::holds_alternative<Initial>(successors.from->what))
    return reference::reachable_trees(alphabet, step, limits_.stop);
  Automaton from = of(successors.from);
  if (successors.semantics == dpn::Semantics::LockSensitive && !is_surely_reachable(*successors.from))
    from = reference::intersected(from, reachable(set.model), limits_.stop);
  return reference::successors(alphabet, from, step, limits_.stop);
}

Automaton Automata::predecessors_of(const Set& set, const Predecessors& predecessors) {
  const reference::Step step = step_of(*set.model, predecessors.semantics, predecessors.avoided);
  return reference::predecessors(set.model->alphabet, of(predecessors.to), step, limits_.stop);
}

// A property need not be computed for all trees if it is asked of a few.
Automaton Automata::intersection_of(const Set& set, const Intersection& intersection) {
  if (const auto* property = std::get_if<Property>(&intersection.second->what))
    return with_property(*set.model, of(intersection.first), *property, limits_.stop);
  if (const auto* property = std::get_if<Property>(&intersection.first->what))
    return with_property(*set.model, of(intersection.second), *property, limits_.stop);
  return reference::intersected(of(intersection.first), of(intersection.second), limits_.stop);
}

}  // namespace lockwood::sets
