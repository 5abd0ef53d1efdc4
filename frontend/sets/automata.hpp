#pragma once

#include <unordered_map>

#include "frontend/sets/limits.hpp"
#include "frontend/sets/set.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::sets {

// Sets as explicit automata over the alphabet of their model, by the paper's constructions (solver/construction/). Each
// is computed once. Throws Interrupted if a stop is requested or there are too many states.
class Automata {
 public:
  explicit Automata(Limits limits) { set_limits(limits); }

  [[nodiscard]] const treeauto::Automaton& of(const SetPtr& set);
  // All execution trees of the model, and those that are reachable in the lock-sensitive semantics.
  [[nodiscard]] const treeauto::Automaton& universe(const ModelPtr& model);
  [[nodiscard]] const treeauto::Automaton& reachable(const ModelPtr& model);

  // Drops the automata of sets that nobody else has. Invalidates references to them.
  void forget_unused();

  // From now on.
  void set_limits(Limits limits) {
    limits_ = {.states = limits.states, .stop = limits.stop.with_state_limit(limits.states)};
  }
  // Its stop bounds the states, too.
  [[nodiscard]] const Limits& limits() const { return limits_; }

 private:
  struct Known {
    SetPtr set;  // kept, so that no other set gets its address
    treeauto::Automaton automaton;
  };
  struct KnownModel {
    ModelPtr model;
    SetPtr universe;
    SetPtr reachable;
  };
  [[nodiscard]] const KnownModel& known(const ModelPtr& model);
  [[nodiscard]] treeauto::Automaton computed(const Set& set);
  [[nodiscard]] treeauto::Automaton successors_of(const Set& set, const Successors& successors);
  [[nodiscard]] treeauto::Automaton predecessors_of(const Set& set, const Predecessors& predecessors);
  [[nodiscard]] treeauto::Automaton intersection_of(const Set& set, const Intersection& intersection);

  Limits limits_;
  std::unordered_map<const Set*, Known> known_;
  std::unordered_map<const Model*, KnownModel> models_;
};

}  // namespace lockwood::sets
