#pragma once

#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "solver/engine/fact.hpp"
#include "solver/locks/lock_domain.hpp"

#include <tsl/hopscotch_map.h>

namespace lockwood::solver {

using SlotId = Id<struct SlotTag>;

// The trees of a context that end in the same way are the trees of a *slot*.
struct Slot {
  ContextId context;
  Outcome outcome;
};

// A tree of `target` is a node above a tree of `below`: a step, or a call that has not returned; if it is a monitor
// that takes a lock, that one is finally acquired.
struct UnaryProduction {
  SlotId target;
  SlotId below;
  std::optional<Lock> acquired;
};

// A tree of `target` is a node above trees of both: a spawn, or a call that has returned; if that is a monitor that
// takes a lock, that one is used.
struct BinaryProduction {
  SlotId target;
  SlotId left;
  SlotId right;
  std::optional<Lock> used;  // around the left one
};

// All slots of a network for one phase, and how their trees are made of each other: a tree grammar, without regard to
// whether trees can be scheduled. Contexts are discovered from the root, so every slot has a tree.
class SlotGraph {
 public:
  // Throws Interrupted if asked to stop. The network must outlive it.
  SlotGraph(const dpn::Network& network, LockDomain& domain, StopToken stop);

  struct Place {  // of a context
    dpn::Head head;
    LockSetId held;
    friend bool operator==(const Place&, const Place&) = default;
  };
  [[nodiscard]] const IdVector<ContextId, Place>& contexts() const { return contexts_; }
  [[nodiscard]] const IdVector<SlotId, Slot>& slots() const { return slots_; }
  [[nodiscard]] const std::vector<SlotId>& slots_of(ContextId context) const { return slots_of_[context]; }
  [[nodiscard]] SlotId standing(ContextId context) const { return slots_of_[context].front(); }
  [[nodiscard]] static ContextId root() { return ContextId{0}; }
  // Slots with a tree that is a single return.
  [[nodiscard]] const std::vector<SlotId>& returns() const { return returns_; }
  [[nodiscard]] const std::vector<UnaryProduction>& unary() const { return unary_; }
  [[nodiscard]] const std::vector<BinaryProduction>& binary() const { return binary_; }

 private:
  struct Listener {
    enum class Role : std::uint8_t { Next, Body, Rest, Child, Parent };
    Role role;
    ContextId target;
    std::optional<dpn::RuleId> rule;   // Body
    std::optional<ContextId> partner;  // Child, Parent: each other
    std::optional<SlotId> body;        // Rest
    std::optional<Lock> lock;          // Body, Rest: taken and not held before
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const {
      return mixed(mixed(place.head.control.index(), place.head.top.index()), place.held.index());
    }
  };

  ContextId demand(const Place& place);
  SlotId slot(ContextId context, Outcome outcome);
  void expand(ContextId context);
  void listen(ContextId to, const Listener& listener);
  void tell(const Listener& listener, SlotId slot);

  const dpn::Network& network_;
  LockDomain& domain_;
  IdVector<ContextId, Place> contexts_;
  IdVector<ContextId, std::vector<SlotId>> slots_of_;
  IdVector<ContextId, std::vector<Listener>> listeners_;
  tsl::hopscotch_map<Place, ContextId, PlaceHash> numbers_;
  IdVector<SlotId, Slot> slots_;
  IdVector<SlotId, bool> announced_;
  std::vector<SlotId> news_;  // slots to announce to the listeners of their contexts
  std::vector<SlotId> returns_;
  std::vector<UnaryProduction> unary_;
  std::vector<BinaryProduction> binary_;
};

}  // namespace lockwood::solver
