#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "base/ids/id.hpp"

namespace lockwood::dpn {

using ControlState = Id<struct ControlStateTag>;
using StackSymbol = Id<struct StackSymbolTag>;
using Action = Id<struct ActionTag>;
using Lock = Id<struct LockTag>;
using Group = Id<struct GroupTag>;  // of threads that can be waited for together
using RuleId = Id<struct RuleTag>;

// ⟨p, γ⟩: a control state and the top of a stack.
struct Head {
  ControlState control;
  StackSymbol top;
  friend auto operator<=>(const Head&, const Head&) = default;
};

// A new thread becomes a member of a group of the thread that starts it (docs/theory.md, Sect. 10.1).
struct Membership {
  Group group;
  bool all = false;      // so do all threads that it starts, at any depth
  bool replace = false;  // the group is emptied first, as a handle is assigned: `as` instead of `into`
  friend auto operator<=>(const Membership&, const Membership&) = default;
};

// The five bodies of a rule pγ → … [nordhoff.13.iterable, Def. 1], and two about groups (docs/theory.md, Sect. 10.1).
// Groups in a list ascend and are different.
struct Base {  // p₁γ₁: a step inside a procedure
  Head to;
  friend auto operator<=>(const Base&, const Base&) = default;
};
struct Call {  // p₁γ₁γᵣ: enter γ₁, go on at γᵣ after its return
  Head callee;
  StackSymbol return_point;
  std::vector<Group> opening = {};  // groups of the frame entered, empty at first
  friend auto operator<=>(const Call&, const Call&) = default;
};
struct Return {  // p₁: leave the procedure
  ControlState to;
  friend auto operator<=>(const Return&, const Return&) = default;
};
struct Spawn {  // p₁γ₁ ▷ pₛγₛ: start a thread, which holds no lock, and go on
  Head parent;
  Head child;
  std::vector<Membership> memberships = {};  // of the new thread, by ascending group
  friend auto operator<=>(const Spawn&, const Spawn&) = default;
};
struct Monitor {  // p₁γ₁γᵣ with lock x: a call that holds x until its return; reentrant
  Head callee;
  StackSymbol return_point;
  Lock lock;
  std::vector<Group> opening = {};
  friend auto operator<=>(const Monitor&, const Monitor&) = default;
};
struct Join {  // p₁γ₁ joining groups: a step that waits until all members of the groups have ended
  Head to;
  std::vector<Group> groups;  // at least one
  friend auto operator<=>(const Join&, const Join&) = default;
};
struct Forget {  // p₁γ₁ forgetting groups: a step that empties the groups, whose members run on
  Head to;
  std::vector<Group> groups;  // at least one
  friend auto operator<=>(const Forget&, const Forget&) = default;
};
using Effect = std::variant<Base, Call, Return, Spawn, Monitor, Join, Forget>;

enum class RuleKind { Base, Call, Return, Spawn, Monitor, Join, Forget };
inline constexpr std::size_t rule_kind_count = std::variant_size_v<Effect>;

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
  std::span<const Group> opening;  // of the rule, and lasts as long
};

// The entry of a call or monitor; nothing for the other kinds.
[[nodiscard]] inline std::optional<Entry> entry_of(const Rule& rule) {
  if (const auto* call = std::get_if<Call>(&rule.effect))
    return Entry{call->callee, call->return_point, std::nullopt, call->opening};
  if (const auto* monitor = std::get_if<Monitor>(&rule.effect))
    return Entry{monitor->callee, monitor->return_point, monitor->lock, monitor->opening};
  return std::nullopt;
}

// Where a rule goes on that neither enters, leaves nor starts anything: a base step, a join, a forgetting. Nothing for
// the other kinds.
[[nodiscard]] inline std::optional<Head> step_of(const Rule& rule) {
  if (const auto* base = std::get_if<Base>(&rule.effect)) return base->to;
  if (const auto* join = std::get_if<Join>(&rule.effect)) return join->to;
  if (const auto* forget = std::get_if<Forget>(&rule.effect)) return forget->to;
  return std::nullopt;
}

// Calls `visit` with each group that the rule names, in the order in which a rule lists them.
template <class Visit>
void for_each_group(const Rule& rule, const Visit& visit) {
  if (const auto* spawn = std::get_if<Spawn>(&rule.effect))
    for (const Membership& membership : spawn->memberships) visit(membership.group);
  if (const auto entry = entry_of(rule))
    for (const Group group : entry->opening) visit(group);
  if (const auto* join = std::get_if<Join>(&rule.effect))
    for (const Group group : join->groups) visit(group);
  if (const auto* forget = std::get_if<Forget>(&rule.effect))
    for (const Group group : forget->groups) visit(group);
}

// Whether the rule says anything about groups.
[[nodiscard]] inline bool concerns_groups(const Rule& rule) {
  if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) return !spawn->memberships.empty();
  if (const auto entry = entry_of(rule)) return !entry->opening.empty();
  return std::holds_alternative<Join>(rule.effect) || std::holds_alternative<Forget>(rule.effect);
}

}  // namespace lockwood::dpn
