#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/trees/node_label.hpp"
#include "frontend/sets/set.hpp"
#include "treeauto/automaton/automaton.hpp"

// Properties of trees as bottom-up automata, in the form of solver/construction/labelled_automaton.hpp. They rely on
// the trees being execution trees, and have no states for trees with cuts.
namespace lockwood::sets {

// Whether the subtree shows the property.
enum class Presence : std::uint8_t { Absent, Present };

// A thread that holds a lock has entered a monitor and not returned, so there is an ACQ with the lock: of trees, since
// its body does not return, exactly those of a standing thread.
struct HoldingTrees {
  using Value = Presence;
  const dpn::Network& network;
  dpn::Lock lock;
  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value& value) const { return value == Presence::Present; }
};

// Whether a thread holds the lock becomes known on the way up to its beginning.
struct WantingTrees {
  struct Value {
    bool own;    // the subtree's own thread is before taking the lock, and has not been seen to hold it
    bool other;  // a thread that was spawned in the subtree wants the lock
    friend auto operator<=>(const Value&, const Value&) = default;
  };
  const dpn::Network& network;
  dpn::Lock lock;
  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value& value) const { return value.own || value.other; }
};

struct FiredTrees {
  using Value = Presence;
  const dpn::Network& network;
  IdVector<dpn::Action, bool> actions;
  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value& value) const { return value == Presence::Present; }
};

struct ThreadCountTrees {
  using Value = std::size_t;  // how many threads were spawned, at most least - 1
  std::size_t least;          // at least 1
  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value& value) const { return value + 1 >= least; }
};

struct StackDepthTrees {
  // Symbols that the own thread has on its stack since the subtree began; `least` as soon as any thread has enough.
  using Value = std::size_t;
  std::size_t least;  // at least 1
  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value& value) const { return value == least; }
};

struct StackWordTrees {
  struct Value {
    // Where the automaton is after the own thread's stack, as far as that was pushed in the subtree; none if the thread
    // has returned from what it began with, or does not matter any more.
    std::optional<StackAutomaton::State> own;
    bool other;  // it accepts the stack of a thread that was spawned in the subtree
    friend auto operator<=>(const Value&, const Value&) = default;
  };
  const dpn::Network& network;
  const StackAutomaton& stacks;
  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value& value) const { return value.other || accepts(value); }
  [[nodiscard]] bool accepts(const Value& value) const { return value.own && stacks.accepting[*value.own]; }
};

// The trees of the set that have the property. Requires that they are execution trees.
[[nodiscard]] treeauto::Automaton with_property(const Model& model, const treeauto::Automaton& trees,
                                                const Property& property, StopToken stop);

// An automaton that accepts, of all execution trees, those with the property. It has transitions only for what can
// occur in these: threads that no call starts are not counted there, and so on. Thus bounds may be large.
[[nodiscard]] treeauto::Automaton property_automaton(const Model& model, const Property& property, StopToken stop);

}  // namespace lockwood::sets
