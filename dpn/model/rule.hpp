#pragma once

#include <optional>
#include <variant>

#include "base/ids/id.hpp"

namespace lockwood::dpn {

using ControlState = Id<struct ControlStateTag>;
using StackSymbol = Id<struct StackSymbolTag>;
using Action = Id<struct ActionTag>;
using Lock = Id<struct LockTag>;
using RuleId = Id<struct RuleTag>;

// ⟨p, γ⟩: a control state and the top of a stack.
struct Head {
  ControlState control;
  StackSymbol top;
  friend auto operator<=>(const Head&, const Head&) = default;
};

// The five bodies of a rule pγ → … [nordhoff.13.iterable, Def. 1].
struct Base {  // p₁γ₁: a step inside a procedure
  Head to;
  friend auto operator<=>(const Base&, const Base&) = default;
};
struct Call {  // p₁γ₁γᵣ: enter γ₁, go on at γᵣ after its return
  Head callee;
  StackSymbol return_point;
  friend auto operator<=>(const Call&, const Call&) = default;
};
struct Return {  // p₁: leave the procedure
  ControlState to;
  friend auto operator<=>(const Return&, const Return&) = default;
};
struct Spawn {  // p₁γ₁ ▷ pₛγₛ: start a thread, which holds no lock, and go on
  Head parent;
  Head child;
  friend auto operator<=>(const Spawn&, const Spawn&) = default;
};
struct Monitor {  // p₁γ₁γᵣ with lock x: a call that holds x until its return; reentrant
  Head callee;
  StackSymbol return_point;
  Lock lock;
  friend auto operator<=>(const Monitor&, const Monitor&) = default;
};
using Effect = std::variant<Base, Call, Return, Spawn, Monitor>;

enum class RuleKind { Base, Call, Return, Spawn, Monitor };

struct Rule {
  Head from;
  Action action;
  Effect effect;
  [[nodiscard]] RuleKind kind() const { return static_cast<RuleKind>(effect.index()); }
  friend auto operator<=>(const Rule&, const Rule&) = default;
};

// What a call and a monitor have in common: both enter a callee and have a return point.
struct Entry {
  Head callee;
  StackSymbol return_point;
  std::optional<Lock> lock;
};

// The entry of a call or monitor; nothing for the other kinds.
[[nodiscard]] inline std::optional<Entry> entry_of(const Rule& rule) {
  if (const auto* call = std::get_if<Call>(&rule.effect)) return Entry{call->callee, call->return_point, std::nullopt};
  if (const auto* monitor = std::get_if<Monitor>(&rule.effect))
    return Entry{monitor->callee, monitor->return_point, monitor->lock};
  return std::nullopt;
}

}  // namespace lockwood::dpn
