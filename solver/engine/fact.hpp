#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/ids/id.hpp"
#include "dpn/model/network.hpp"
#include "solver/engine/observation.hpp"
#include "solver/locks/lock_domain.hpp"

namespace lockwood::solver {

using ContextId = Id<struct ContextTag>;
using FactId = Id<struct FactTag>;

// What a node inherits from above, deterministically: where its thread is, which locks the thread holds, and the phase
// (docs/theory.md, Sect. 4). The context of a whole thread stands for its trees whether the thread ended or not.
struct Context {
  dpn::Head head;
  LockSetId held;
  std::uint32_t phase;
  bool whole_thread;
  friend bool operator==(const Context&, const Context&) = default;
};

struct ContextHash {
  std::size_t operator()(const Context& context) const {
    return mixed(mixed(context.head.control.index(), (context.head.top.index() << 32U) | context.held.index()),
                 (std::uint64_t{context.phase} << 1U) | (context.whole_thread ? 1U : 0U));
  }
};

// How a subtree ends for its own thread: it is at the end of the last phase, or it has returned to a control state
// in some phase.
class Outcome {
 public:
  [[nodiscard]] static Outcome standing() { return Outcome{0}; }
  [[nodiscard]] static Outcome returned(dpn::ControlState control, PhaseIndex phase) {
    return Outcome{(std::uint64_t{phase + 1} << 32U) | control.index()};
  }
  [[nodiscard]] bool has_returned() const { return code_ != 0; }
  [[nodiscard]] dpn::ControlState control() const { return dpn::ControlState{code_ & 0xFFFFFFFFU}; }
  [[nodiscard]] PhaseIndex phase() const { return (code_ >> 32U) - 1; }
  [[nodiscard]] std::optional<PhaseIndex> returned_in() const {
    return has_returned() ? std::optional{phase()} : std::nullopt;
  }
  friend auto operator<=>(Outcome, Outcome) = default;

 private:
  explicit Outcome(std::uint64_t code) : code_{code} {}
  std::uint64_t code_;
};

// The last step of a fact's derivation: which node the tree has at its root, and which facts its subtrees prove.
struct Derivation {
  enum class Step : std::uint8_t {
    Stand,     // Nil
    Cut,       // left: what follows
    Return,    // Ret
    Base,      // left: what follows
    Enter,     // NCall or Acq; left: the body
    Complete,  // RCall or Use; left: the body, right: what follows
    Spawn,     // left: the new thread, right: the spawning one; also if the new thread is a member of groups
    Join,      // left: what follows
    Forget,    // left: what follows
    Thread,    // no node; left: the tree, seen as a whole thread
  };
  Step step;
  std::optional<dpn::RuleId> rule;
  std::optional<FactId> left;
  std::optional<FactId> right;
};

// There is a tree in this context with this outcome, observation and lock structure.
struct Fact {
  ContextId context;
  Outcome outcome;
  Observation observation;
  StructureId locks;
  std::uint64_t weight;  // of the lightest such tree
  Derivation derivation;
};

}  // namespace lockwood::solver
