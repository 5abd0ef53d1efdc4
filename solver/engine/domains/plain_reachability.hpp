#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "solver/engine/agenda.hpp"
#include "solver/engine/execution_grammar.hpp"
#include "solver/engine/fact.hpp"
#include "solver/engine/saturation.hpp"
#include "solver/locks/lock_domain.hpp"

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

// All slots of a network for one phase, and how their trees are made of each other, without regard to whether trees can
// be scheduled. Contexts are discovered from the root, so every slot has a tree. It is the domain of the saturation
// (saturation.hpp) in which a fact says nothing but that there is a tree.
class PlainReachability {
 public:
  // Throws Interrupted if asked to stop. The network and the domain, of which only sets of locks are used, must outlive
  // it. Gives up if there are more contexts than that.
  PlainReachability(const dpn::Network& network, LockDomain& held, StopToken stop,
                    std::size_t context_limit = std::numeric_limits<std::size_t>::max());

  // It gave up: nothing else is known.
  [[nodiscard]] bool too_many_contexts() const { return contexts().size() > context_limit_; }

  [[nodiscard]] const IdVector<ContextId, Context>& contexts() const { return grammar_.contexts(); }
  [[nodiscard]] const IdVector<SlotId, Slot>& slots() const { return slots_; }
  [[nodiscard]] const std::vector<SlotId>& slots_of(ContextId context) const { return slots_of_[context]; }
  [[nodiscard]] SlotId standing(ContextId context) const { return slots_of_[context].front(); }
  [[nodiscard]] static constexpr ContextId root() { return ExecutionGrammar::root(); }
  // Slots with a tree that is a single return.
  [[nodiscard]] const std::vector<SlotId>& returns() const { return returns_; }
  [[nodiscard]] const std::vector<UnaryProduction>& unary() const { return unary_; }
  [[nodiscard]] const std::vector<BinaryProduction>& binary() const { return binary_; }

  // --- what the saturation asks for (saturation.hpp) ---

  using Agenda = NewestFirst<SlotId>;
  using Item = SlotId;
  [[nodiscard]] ContextId context_of(SlotId slot) const { return slots_[slot].context; }
  [[nodiscard]] Outcome outcome_of(SlotId slot) const { return slots_[slot].outcome; }
  void add_context();
  // Throws Interrupted.
  [[nodiscard]] bool over() const {
    stop_.check();
    return too_many_contexts();
  }
  void report_progress() const {}
  void derive_leaf(const Node& node, Outcome outcome);
  template <class Combine>
  void derive(SlotId /*slot*/, Partners /*partners*/, const Combine& combine) {
    combine(*this);
  }
  void derive(const Node& node, SlotId below);
  void derive(const Node& node, SlotId left, SlotId right);
  template <class Use>
  void with_partners(ContextId context, std::optional<Outcome> wanted, const Use& use) const {
    const std::vector<SlotId> known = slots_of_[context];  // a copy: what is derived may be a slot of this context
    for (SlotId slot : known)
      if (announced_[slot] && (!wanted || slots_[slot].outcome == *wanted)) use(slot);
  }
  template <class Show, class ShowOutcome>
  void show_announced(ContextId context, bool to_body, const Show& show, const ShowOutcome& show_outcome) const {
    const std::vector<SlotId> known = slots_of_[context];
    for (SlotId slot : known) {
      if (!announced_[slot]) continue;
      const Outcome outcome = slots_[slot].outcome;
      to_body&& outcome.has_returned() ? show_outcome(outcome) : show(slot);
    }
  }
  void announce(const std::vector<SlotId>& batch, std::vector<Announcement<SlotId>>& announcements);
  [[nodiscard]] static bool superfluous(const Announcement<SlotId>& /*announcement*/) { return false; }

 private:
  SlotId slot(ContextId context, Outcome outcome);

  ExecutionGrammar grammar_;
  StopToken stop_;
  std::size_t context_limit_;
  IdVector<ContextId, std::vector<SlotId>> slots_of_;
  IdVector<SlotId, Slot> slots_;
  IdVector<SlotId, bool> announced_;
  Agenda agenda_;
  std::vector<SlotId> returns_;
  std::vector<UnaryProduction> unary_;
  std::vector<BinaryProduction> binary_;
};

}  // namespace lockwood::solver
