#include "solver/construction/joined_threads.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::solver::reference {
namespace {

using Value = JoinedThreads::Value;
using First = JoinedThreads::First;
using dpn::NodeKind;

Value at_once(std::span<const dpn::Group> groups, First first) {
  Value value;
  value.returned = true;
  for (dpn::Group group : groups) value.first.emplace(group, first);
  return value;
}

// Nobody outside of the frame has to do with groups that it opens.
void close_groups(Value& body, std::span<const dpn::Group> opened) {
  for (dpn::Group group : opened) {
    body.left.erase(group);
    body.first.erase(group);
  }
}

}  // namespace

bool some_group_has_offspring(const dpn::Network& network) {
  return std::ranges::any_of(network.rules(), [](const dpn::Rule& rule) {
    const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect);
    return spawn != nullptr && std::ranges::any_of(spawn->memberships, &dpn::Membership::all);
  });
}

JoinedThreads::JoinedThreads(const dpn::Network& network, dpn::Semantics semantics)
    : network_{network},
      groups_{network.uses_groups()},
      offspring_{some_group_has_offspring(network)},
      locks_{semantics == dpn::Semantics::LockSensitive} {}

// The start of a thread, as a tree of its parent that has returned: what the parent knows of the thread.
Value JoinedThreads::started(const Value& thread, const dpn::Spawn& spawn) const {
  Value value;
  value.returned = true;
  value.uses = thread.uses;
  value.offspring_stands = offspring_ && (!thread.returned || thread.offspring_stands);
  for (const dpn::Membership& membership : spawn.memberships) {
    const bool stands = membership.all ? value.offspring_stands : !thread.returned;
    const Locks& uses = membership.all ? thread.uses : thread.own_uses;
    value.left.emplace(membership.group, Members{stands, stands ? Locks{} : uses});
    if (membership.replace) value.first.emplace(membership.group, First::Forgotten);
  }
  return value;
}

// Two trees of one thread, the first of which has returned; nothing if a join waits for ever.
std::optional<Value> JoinedThreads::in_sequence(Value before, const Value& after) const {
  assert(before.returned);  // or nothing would come behind it
  Value value = after;
  value.uses = united(value.uses, before.uses);
  value.offspring_stands = value.offspring_stands || before.offspring_stands;
  value.own_uses = united(value.own_uses, before.own_uses);
  for (const auto& [group, members] : before.left) {
    const auto first = after.first.find(group);
    if (first == after.first.end()) {
      Members& all = value.left[group];
      all.stands = all.stands || members.stands;
      all.uses = all.stands ? Locks{} : united(all.uses, members.uses);
    } else if (first->second == First::Joined) {
      if (members.stands) return std::nullopt;
      value.own_uses = united(value.own_uses, members.uses);
    }
  }
  before.first.insert(after.first.begin(), after.first.end());
  value.first = std::move(before.first);
  if (!value.returned) {  // nothing follows that could join, and nobody waits for a release
    value.left.clear();
    value.own_uses.clear();
  }
  return value;
}

std::vector<Value> JoinedThreads::targets(const dpn::NodeLabel& label, std::span<const Value> children) const {
  if (!groups_) return {Value{}};
  if (children.empty()) {
    Value leaf;
    leaf.returned = label.kind == NodeKind::Ret;
    return {leaf};
  }
  const auto one = [](std::optional<Value> value) {
    return value ? std::vector<Value>{*std::move(value)} : std::vector<Value>{};
  };
  const auto* id = std::get_if<dpn::RuleId>(&label.what);
  if (id == nullptr) return {children[0]};  // a cut
  const dpn::Rule& rule = network_.rule(*id);
  if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect))
    return one(in_sequence(started(children[0], *spawn), children[1]));
  if (const auto* join = std::get_if<dpn::Join>(&rule.effect))
    return one(in_sequence(at_once(join->groups, First::Joined), children[0]));
  if (const auto* forget = std::get_if<dpn::Forget>(&rule.effect))
    return one(in_sequence(at_once(forget->groups, First::Forgotten), children[0]));
  const auto entry = dpn::entry_of(rule);
  if (!entry) return {children[0]};
  Value body = children[0];
  if (const auto lock = locks_ ? dpn::taken_lock(network_, label) : std::nullopt) {
    if (is_returning(label.kind)) {
      // Own uses inside are reentrant, and are not counted. So a member used the lock that was started and joined
      // there.
      if (body.own_uses.contains(*lock)) return {};
      body.own_uses.insert(*lock);
    }
    if (offspring_) body.uses.insert(*lock);
  }
  close_groups(body, entry->opening);
  if (!is_returning(label.kind)) return {body};
  return one(in_sequence(std::move(body), children[1]));
}

}  // namespace lockwood::solver::reference
