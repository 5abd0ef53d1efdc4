#pragma once

#include <unordered_map>

#include "frontend/sets/limits.hpp"
#include "frontend/sets/set.hpp"
#include "treeauto/automaton.hpp"

namespace lockwood::sets {

// Sets as explicit automata over the alphabet of their model, by the paper's constructions (solver/reference/). Each is
// computed once. Throws LimitReached, and Interrupted if a stop is requested.
class Automata {
 public:
  explicit Automata(Limits limits) : limits_{limits} {}

  [[nodiscard]] const treeauto::Automaton& of(const SetPtr& set);
  // All execution trees of the model, and those that are reachable in the lock-sensitive semantics.
  [[nodiscard]] const treeauto::Automaton& universe(const ModelPtr& model);
  [[nodiscard]] const treeauto::Automaton& reachable(const ModelPtr& model);

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
  [[nodiscard]] treeauto::Automaton intersection_of(const Set& set, const Intersection& intersection);

  Limits limits_;
  std::unordered_map<const Set*, Known> known_;
  std::unordered_map<const Model*, KnownModel> models_;
};

}  // namespace lockwood::sets
