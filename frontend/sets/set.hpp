#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "frontend/sets/stack_automaton.hpp"
#include "solver/query/tree_alphabet.hpp"
#include "treeauto/automaton/automaton.hpp"

// Sets of execution trees as values: what a set is, not how it is computed. All trees are execution trees of one
// network in the lock-insensitive semantics, without cuts; that is the universe which a complement is relative to.
namespace lockwood::sets {

// What stack symbols are called in the program that a network was made of, if it was made of one.
struct Places {
  std::vector<std::string> labels;
  // Those at a label, "line 12", "FILE:12" or "main:12". Throws InputError if there is no such place.
  std::function<std::vector<dpn::StackSymbol>(const std::string& place)> symbols_at;
};

// The network that sets are about.
struct Model {
  explicit Model(dpn::Network of, Places named = {})
      : network{std::move(of)}, alphabet{network}, places{std::move(named)} {}
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  dpn::Network network;
  dpn::TreeAlphabet alphabet;
  Places places;
};
using ModelPtr = std::shared_ptr<const Model>;

// Properties of a tree by itself.
struct Standing {  // a thread of its own is in each of these sets
  std::vector<std::vector<dpn::StackSymbol>> places;
};
struct Holding {  // some thread holds the lock
  dpn::Lock lock;
};
struct Wanting {  // some thread is before a rule that takes the lock, and does not hold it
  dpn::Lock lock;
};
struct Fired {  // one of these actions was done, at any time
  std::vector<dpn::Action> actions;
};
struct ThreadCount {  // at least so many threads were started, the main thread included
  std::size_t least;
};
struct StackDepth {  // some thread stands with at least so many symbols on its stack
  std::size_t least;
};
struct StackWord {  // the automaton accepts the stack of some thread that has not ended
  StackAutomaton stacks;
};
struct Accepted {                 // the automaton accepts it
  treeauto::Automaton automaton;  // over the symbols of the model's alphabet
};
using Property = std::variant<Standing, Holding, Wanting, Fired, ThreadCount, StackDepth, StackWord, Accepted>;

struct Set;
using SetPtr = std::shared_ptr<const Set>;

struct Initial {};   // the tree of the empty execution alone
struct Successors {  // what executions become that go on, from those trees of `from` that are reachable themselves
  SetPtr from;       // in this semantics
  dpn::Semantics semantics = dpn::Semantics::LockSensitive;
  std::vector<dpn::Action> avoided;  // ascending
};
struct Predecessors {  // executions that can go on, in this semantics, to one with a tree of `to`
  SetPtr to;
  dpn::Semantics semantics = dpn::Semantics::LockSensitive;
  std::vector<dpn::Action> avoided;  // ascending
};
struct Intersection {
  SetPtr first;
  SetPtr second;
};
struct Union {
  SetPtr first;
  SetPtr second;
};
struct Difference {
  SetPtr first;
  SetPtr second;
};
struct Complement {
  SetPtr of;
};
struct Reduced {  // the same set; its automaton is to be made small
  SetPtr of;
};

struct Set {
  ModelPtr model;
  std::variant<Initial, Property, Successors, Predecessors, Intersection, Union, Difference, Complement, Reduced> what;
  std::size_t depth = 1;  // of the nesting
};

// Sets nest at most so deep: recursion over them, even that of destructors, stays harmless.
constexpr std::size_t set_depth_limit = 1000;

// Requires that the depth of the parts, which are sets of this model, is below the limit.
[[nodiscard]] SetPtr make_set(ModelPtr model, decltype(Set::what) what);
// The depth that make_set gives.
[[nodiscard]] std::size_t depth_of(const decltype(Set::what)& what);

// All lock-insensitive successors of the initial tree, which is every tree.
[[nodiscard]] bool is_universe(const Set& set);

// Known from its form alone: all trees are reachable in the lock-sensitive semantics.
[[nodiscard]] bool is_surely_reachable(const Set& set);

}  // namespace lockwood::sets
