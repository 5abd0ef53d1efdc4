#include "solver/construction/release_history.hpp"

#include <cassert>
#include <utility>

#include "solver/construction/joined_threads.hpp"

namespace lockwood::solver::reference {
namespace {

using Value = ReleaseHistory::Value;
using First = ReleaseHistory::First;
using Uses = ReleaseHistory::Uses;
using dpn::NodeKind;

Uses united(Uses a, const Uses& b) {
  return {reference::united(std::move(a.after), b.after), reference::united(std::move(a.open), b.open)};
}

void decide_after(Uses& uses) { uses.after = reference::united(uses.after, std::exchange(uses.open, {})); }

// The subtree of the own thread turns out to lie after the cut, or before it.
void decide_after(Value& value) {
  decide_after(value.anybody);
  for (auto& [group, uses] : value.left) decide_after(uses);
}
void decide_before(Value& value) {
  value.used.clear();
  value.anybody.open.clear();
  for (auto& [group, uses] : value.left) uses.open.clear();
}

// Two trees of one thread, one after the other; nothing if that cannot be.
std::optional<Value> in_sequence(Value before, Value after) {
  if (before.cut && after.cut) return std::nullopt;
  if (before.cut) decide_after(after);
  if (after.cut) decide_before(before);
  assert(!after.cut || (before.used.empty() && before.anybody.open.empty()));
  Value value = std::move(after);
  value.cut = value.cut || before.cut;
  value.used = reference::united(std::move(value.used), before.used);
  value.graph = reference::united(std::move(value.graph), before.graph);
  value.anybody = united(std::move(value.anybody), before.anybody);
  std::map<dpn::Group, Uses> left = std::move(before.left);
  for (const auto& [group, first] : value.first) {
    const auto members = left.find(group);
    if (members == left.end()) continue;
    if (first.joined) {  // before the cut, they have ended, and have no uses that count
      const Locks uses = reference::united(members->second.after, members->second.open);
      value.graph = reference::united(std::move(value.graph), edges(uses, first.released));
      value.used = reference::united(std::move(value.used), uses);
    }
    left.erase(members);
  }
  for (auto& [group, uses] : value.left) left[group] = united(std::move(left[group]), uses);
  value.left = std::move(left);
  before.first.merge(value.first);  // what is first stays
  value.first = std::move(before.first);
  return value;
}

Value at_once(std::span<const dpn::Group> groups, bool joined) {
  Value value;
  for (dpn::Group group : groups) value.first.emplace(group, First{joined, {}});
  return value;
}

}  // namespace

ReleaseHistory::ReleaseHistory(const dpn::Network& network)
    : network_{network}, offspring_{some_group_has_offspring(network)} {}

// A thread without a cut shares the side of its parent's spawn: before, it has ended; after, it was started there.
std::optional<Value> ReleaseHistory::with_thread(const Value& thread, const dpn::Spawn& spawn,
                                                 const Value& rest) const {
  Value start;
  start.graph = thread.graph;
  start.anybody = thread.anybody;
  for (const dpn::Membership& membership : spawn.memberships) {
    start.left.emplace(membership.group, membership.all ? thread.anybody
                                         : thread.cut   ? Uses{thread.used, {}}
                                                        : Uses{{}, thread.used});
    if (membership.replace) start.first.emplace(membership.group, First{false, {}});
  }
  return in_sequence(std::move(start), rest);
}

std::vector<Value> ReleaseHistory::targets(const dpn::NodeLabel& label, std::span<const Value> children) const {
  if (children.empty()) return {Value{}};
  const auto one = [](std::optional<Value> value) {
    return value && is_acyclic(value->graph) ? std::vector<Value>{*std::move(value)} : std::vector<Value>{};
  };
  if (label.kind == NodeKind::Cut) {
    if (children[0].cut) return {};
    Value value = children[0];
    decide_after(value);
    value.cut = true;
    return {value};
  }
  const dpn::Rule& rule = network_.rule(std::get<dpn::RuleId>(label.what));
  if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect))
    return one(with_thread(children[0], *spawn, children[1]));
  if (const auto* join = std::get_if<dpn::Join>(&rule.effect))
    return one(in_sequence(at_once(join->groups, true), children[0]));
  if (const auto* forget = std::get_if<dpn::Forget>(&rule.effect))
    return one(in_sequence(at_once(forget->groups, false), children[0]));
  const auto entry = dpn::entry_of(rule);
  if (!entry) return {children[0]};
  Value body = children[0];
  if (const auto lock = dpn::taken_lock(network_, label)) {
    if (body.cut && is_returning(label.kind)) {  // held at the cut, released after it
      body.graph = united(body.graph, edges(body.used, {*lock}));
      for (auto& [group, first] : body.first)
        if (first.joined) first.released.insert(*lock);
    }
    if (!body.cut) {
      if (is_returning(label.kind)) body.used.insert(*lock);
      if (offspring_) body.anybody.open.insert(*lock);
    }
  }
  for (dpn::Group group : entry->opening) {  // nobody outside of the frame has to do with them
    body.left.erase(group);
    body.first.erase(group);
  }
  return one(is_returning(label.kind) ? in_sequence(std::move(body), children[1]) : body);
}

}  // namespace lockwood::solver::reference
