#include "solver/engine/domains/symbolic_structures.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/graph/digraph.hpp"
#include "dpn/model/control_flow.hpp"

namespace lockwood::solver {
namespace {

constexpr std::size_t no_group = std::numeric_limits<std::size_t>::max();
constexpr std::size_t max_parts = 30'000;  // a few megabytes of stack, at worst

template <class T>
bool contains(const std::vector<T>& ascending, T value) {
  return std::ranges::binary_search(ascending, value);
}

// The flow between stack symbols, backwards, with threads that are started; and from joins to the threads that they may
// wait for: what those use comes before what follows the join.
Digraph backwards_through_joins(const dpn::Network& network) {
  std::vector<Edge> edges;
  const auto add = [&](dpn::StackSymbol from, dpn::StackSymbol to) {
    edges.push_back({static_cast<std::uint32_t>(to.index()), static_cast<std::uint32_t>(from.index())});
  };
  for (const dpn::FlowEdge& edge : dpn::flow_edges(network)) add(edge.from, edge.to);
  IdVector<Group, std::vector<dpn::StackSymbol>> members(network.groups().size());
  for (const dpn::Rule& rule : network.rules())
    if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect))
      for (const dpn::Membership& membership : spawn->memberships)
        members[membership.group].push_back(spawn->child.top);
  for (const dpn::Rule& rule : network.rules())
    if (const auto* join = std::get_if<dpn::Join>(&rule.effect))
      for (Group group : join->groups)
        for (dpn::StackSymbol begin : members[group]) add(rule.from.top, begin);
  return Digraph{network.stack_symbols().size(), edges};
}

}  // namespace

std::vector<Lock> locks_taken(const dpn::Network& network) {
  IdVector<Lock, bool> taken(network.locks().size());
  for (const dpn::Rule& rule : network.rules())
    if (const auto* monitor = std::get_if<dpn::Monitor>(&rule.effect)) taken[monitor->lock] = true;
  std::vector<Lock> locks;
  for (Lock lock : taken.keys())
    if (taken[lock]) locks.push_back(lock);
  return locks;
}

LockGroups lock_groups(const dpn::Network& network, StopToken stop) {
  IdVector<Lock, std::vector<dpn::StackSymbol>> bodies(network.locks().size());
  IdVector<Lock, IdVector<dpn::StackSymbol, bool>> places(network.locks().size());
  for (const dpn::Rule& rule : network.rules())
    if (const auto* monitor = std::get_if<dpn::Monitor>(&rule.effect)) {
      bodies[monitor->lock].push_back(monitor->callee.top);
      auto& at = places[monitor->lock];
      if (at.empty()) at = IdVector<dpn::StackSymbol, bool>(network.stack_symbols().size(), false);
      at[rule.from.top] = true;
    }

  LockGroups result{.locks = locks_taken(network),
                    .groups = {},
                    .thread_groups = network.uses_groups() ? network.groups().size() : 0};
  const Digraph backward = backwards_through_joins(network);
  std::vector<Edge> edges;
  for (Lock inner : result.locks) {
    stop.check();
    std::vector<std::uint32_t> vertices;
    for (dpn::StackSymbol symbol : places[inner].keys())
      if (places[inner][symbol]) vertices.push_back(static_cast<std::uint32_t>(symbol.index()));
    const std::vector<bool> before = reachable_from(backward, vertices);
    for (Lock outer : result.locks)
      if (std::ranges::any_of(bodies[outer], [&](dpn::StackSymbol body) { return before[body.index()]; }))
        edges.push_back({static_cast<std::uint32_t>(outer.index()), static_cast<std::uint32_t>(inner.index())});
  }
  const Components components = strongly_connected_components(Digraph{network.locks().size(), edges});
  std::vector<std::vector<Lock>> members(components.count);
  for (Lock lock : result.locks) members[components.of[lock.index()]].push_back(lock);
  for (auto& group : members)
    if (group.size() > 1) result.groups.push_back(std::move(group));
  return result;
}

bool SymbolicStructures::fits(const LockGroups& groups, PhaseIndex phases) {
  std::size_t parts = groups.locks.size() * (3 * phases + 1 + groups.thread_groups * parts_of_group(phases));
  for (const auto& group : groups.groups) parts += 2 * group.size() * group.size() * phases;
  return parts <= max_parts;
}

// For each lock, by phase: used, acquired, held, then the relations to it; then its own use. Some parts never occur (a
// lock related to itself, one held throughout the first phase): they cost a row of a table.
IdVector<Element, SymbolicStructures::Meaning> SymbolicStructures::layout(const LockGroups& groups, PhaseIndex phases) {
  IdVector<Element, Meaning> meanings;
  for (Lock lock : groups.locks) {
    const auto group =
        std::ranges::find_if(groups.groups, [&](const auto& members) { return contains(members, lock); });
    for (PhaseIndex phase = 0; phase < phases; ++phase) {
      for (const Part part : {Part::Used, Part::Acquired, Part::Held}) meanings.push_back({part, phase, lock, {}});
      if (group == groups.groups.end()) continue;
      for (const Part part : {Part::After, Part::Before})
        for (Lock related : *group) meanings.push_back({part, phase, lock, related});
    }
    meanings.push_back({Part::Own, 0, lock, {}});
    for (std::size_t i = 0; i < groups.thread_groups; ++i) {
      for (PhaseIndex phase = 0; phase < phases; ++phase) meanings.push_back({Part::Member, phase, lock, {}, Group{i}});
      for (const Part part : {Part::Released, Part::Joined, Part::JoinedFirst})
        meanings.push_back({part, 0, lock, {}, Group{i}});
    }
  }
  return meanings;
}

SymbolicStructures::SymbolicStructures(Exclusion exclusion, PhaseIndex phases, const LockGroups& groups, StopToken stop)
    : exclusion_{exclusion},
      phases_{phases},
      locks_{groups.locks},
      groups_{groups.groups},
      thread_groups_{groups.thread_groups},
      parts_(groups.locks.empty() ? 0 : groups.locks.back().index() + 1),
      meanings_{layout(groups, phases)},
      table_{[this] {
               IdVector<Element, bool> exclusive(meanings_.size(), false);
               for (Element element : meanings_.keys()) exclusive[element] = meanings_[element].part == Part::Acquired;
               return exclusive;
             }(),
             stop},
      own_uses_{table_.unit()},
      vanishing_{table_.unit()},
      contradictions_{table_.none()} {
  for (LockParts& parts : parts_) parts.group = no_group;
  for (std::size_t group = 0; group < groups_.size(); ++group)
    for (std::size_t i = 0; i < groups_[group].size(); ++i) parts_[groups_[group][i]] = {.group = group, .position = i};
  ElementSet own_uses;
  for (std::size_t i = meanings_.size(); i > 0; --i) {
    const Element element{i - 1};
    parts_[meanings_[element].lock].first = element;
    if (meanings_[element].part == Part::Own) own_uses.push_back(element);
  }
  std::ranges::reverse(own_uses);
  own_uses_ = table_.only(own_uses);
  vanishing_ = table_.add(own_uses_, parts_where([](const Meaning&) { return true; }));

  const auto exclude = [&](Element a, Element b) {
    contradictions_ = table_.unite(contradictions_, table_.only({std::min(a, b), std::max(a, b)}));
  };
  for (Element element : meanings_.keys()) {
    const auto& [kind, phase, lock, relates, of_group] = meanings_[element];
    if (kind == Part::Held) exclude(element, part(Part::Used, phase, lock));
    if (relates && *relates < lock) exclude(element, relation({kind, phase}, lock, *relates));
  }
}

Element SymbolicStructures::part(Part part, PhaseIndex phase, Lock lock) const {
  const LockParts& parts = parts_[lock];
  return Element{parts.first.index() + phase * parts_of_phase(group_size(parts)) + static_cast<std::size_t>(part)};
}

Element SymbolicStructures::own(Lock lock) const { return part(Part::Used, phases_, lock); }

Element SymbolicStructures::relation(const Order& order, Lock from, Lock to) const {
  const LockParts& parts = parts_[to];
  const std::size_t release = order.part == Part::Before ? group_size(parts) : 0;
  return Element{part(Part::Used, order.phase, to).index() + 3 + release + parts_[from].position};
}

Element SymbolicStructures::group_part(Part part, Group group, Lock lock, PhaseIndex phase) const {
  assert(group.index() < thread_groups_ && phase < phases_ && part >= Part::Member);
  const std::size_t offset = part == Part::Member
                                 ? phase
                                 : phases_ + static_cast<std::size_t>(part) - static_cast<std::size_t>(Part::Released);
  const Element element{own(lock).index() + 1 + group.index() * parts_of_group(phases_) + offset};
  assert(meanings_[element].part == part && meanings_[element].group == group && meanings_[element].lock == lock);
  return element;
}

template <class Wanted>
SetFamily SymbolicStructures::parts_where(const Wanted& wanted) const {
  ElementSet parts;
  if (thread_groups_ > 0)
    for (Element element : meanings_.keys())
      if (meanings_[element].group && wanted(meanings_[element])) parts.push_back(element);
  return table_.only(parts);
}

// --- Operations ---------------------------------------------------------------------------------------------------

SetFamily SymbolicStructures::as_thread(const SetFamily& structures) const {
  return table_.remove(structures, vanishing_);
}

SetFamily SymbolicStructures::without(const SetFamily& family, const SetFamily& parts) const {
  return parts == table_.unit() ? family : table_.remove(family, parts);
}

SetFamily SymbolicStructures::renamed(const SetFamily& family, Element from, Element to) const {
  const SetFamily with = table_.containing(family, from);
  if (with.empty()) return family;
  const SetFamily other = table_.add(table_.remove(with, table_.only({from})), table_.only({to}));
  return table_.unite(table_.subtract(family, with), other);
}

// What members of a joined group use, they use before what is released after the join; and it counts as used by the own
// thread where the join is in the phase in which that returns.
SetFamily SymbolicStructures::relate_members(SetFamily family, Group group, PhaseIndex phase) const {
  for (Lock released : locks_) {
    const SetFamily after = table_.containing(family, group_part(Part::JoinedFirst, group, released));
    if (after.empty()) continue;
    SetFamily related = table_.lacking(after, group_part(Part::Joined, group, released));
    if (parts_[released].group != no_group)
      for (Lock used : groups_[parts_[released].group])
        if (used != released)
          related = add_where(related, table_.containing(related, group_part(Part::Joined, group, used)),
                              relation({Part::Before, phase}, released, used));
    family = table_.unite(table_.subtract(family, after), related);
  }
  return family;
}

SetFamily SymbolicStructures::join(const SetFamily& left, const GroupStructure& left_shape, const SetFamily& right,
                                   const GroupStructure& right_shape, OwnUses own_uses,
                                   std::optional<PhaseIndex> right_returned) const {
  if (thread_groups_ == 0) return join(left, right, own_uses);
  SetFamily first = own_uses == OwnUses::OfBoth ? left : without(left, own_uses_);
  SetFamily second = right;
  for (const auto& [group, joined, released] : right_shape.first) {
    if (joined)
      for (Lock lock : locks_) {
        first = renamed(first, group_part(Part::Member, group, lock, *joined), group_part(Part::Joined, group, lock));
        second = renamed(second, group_part(Part::Released, group, lock), group_part(Part::JoinedFirst, group, lock));
      }
    first = without(first, parts_where([group = group](const Meaning& it) {
                      return it.part == Part::Member && it.group == group;
                    }));
  }
  SetFamily both = table_.join(first, second);
  for (const auto& [group, joined, released] : right_shape.first) {
    if (!joined) continue;
    both = relate_members(std::move(both), group, *joined);
    const bool first_in_right = left_shape.first_of(group) == nullptr;
    for (Lock lock : locks_) {
      if (right_returned == joined)
        both = add_where(both, table_.containing(both, group_part(Part::Joined, group, lock)), own(lock));
      if (first_in_right)
        both = renamed(both, group_part(Part::JoinedFirst, group, lock), group_part(Part::Released, group, lock));
    }
  }
  // What is left of members matters to those who have returned, from that phase on.
  both = without(both, parts_where([&](const Meaning& it) {
                   if (it.part == Part::Member) return !right_returned || it.phase < *right_returned;
                   return it.part == Part::Joined || it.part == Part::JoinedFirst;
                 }));
  return both == right ? both : consistent(std::move(both));
}

// Members end in the phase `end`; what they used before matters to nobody.
SetFamily SymbolicStructures::fork(const SetFamily& thread, std::optional<PhaseIndex> end, PhaseIndex phase,
                                   std::span<const dpn::Membership> memberships) const {
  SetFamily started = without(thread, parts_where([](const Meaning&) { return true; }));
  for (const dpn::Membership& membership : memberships)
    for (Lock lock : locks_) {
      const auto add = [&](Element use, PhaseIndex in) {
        started =
            add_where(started, table_.containing(started, use), group_part(Part::Member, membership.group, lock, in));
      };
      if (membership.all)
        for (PhaseIndex i = phase; i < phases_; ++i) add(part(Part::Used, i, lock), i);
      else if (end)
        add(own(lock), *end);
    }
  return without(started, own_uses_);
}

SetFamily SymbolicStructures::change_groups(const SetFamily& rest, std::span<const Group> groups) const {
  return without(rest, parts_where([&](const Meaning& it) {
                   return it.part == Part::Released && std::ranges::count(groups, *it.group) > 0;
                 }));
}

SetFamily SymbolicStructures::open_groups(const SetFamily& body, std::span<const Group> groups) const {
  return without(body, parts_where([&](const Meaning& it) { return std::ranges::count(groups, *it.group) > 0; }));
}

SetFamily SymbolicStructures::join(const SetFamily& left, const SetFamily& right, OwnUses own_uses) const {
  const SetFamily joined = table_.join(own_uses == OwnUses::OfBoth ? left : as_thread(left), right);
  return joined == right ? joined : consistent(joined);
}

SetFamily SymbolicStructures::monitor(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                      const SetFamily& body, const GroupStructure& body_shape) const {
  if (!exclusion_.by(lock)) return body;
  SetFamily around = table_.lacking(body, part(Part::Held, entered, lock));
  // Its own uses of the lock would be reentrant. So a member used it that was started and joined in the region.
  if (returned == entered) around = table_.lacking(around, own(lock));
  if (returned == entered) return table_.add(around, table_.only({part(Part::Used, entered, lock), own(lock)}));

  // What is used inside comes after the acquisition: so not the lock itself.
  around = relate(std::move(around), {Part::After, entered}, lock);
  ElementSet added{part(Part::Used, entered, lock), part(Part::Acquired, entered, lock)};
  for (PhaseIndex i = entered + 1; i < returned.value_or(phases_); ++i) {
    around = table_.lacking(around, part(Part::Used, i, lock));
    added.push_back(part(Part::Held, i, lock));
  }
  if (returned) around = relate(std::move(around), {Part::Before, *returned}, lock);
  if (returned)
    for (const GroupStructure::First& first : body_shape.first)
      if (first.joined == returned) added.push_back(group_part(Part::Released, first.group, lock));
  std::ranges::sort(added);
  return consistent(table_.add(around, table_.only(added)));
}

SetFamily SymbolicStructures::add_where(const SetFamily& family, const SetFamily& where, Element added) const {
  if (where.empty()) return family;
  return table_.unite(table_.subtract(family, where), table_.add(where, table_.only({added})));
}

// Relates the lock to all that is used in the phase, or, in the order of releases, by the own thread.
SetFamily SymbolicStructures::relate(SetFamily family, const Order& order, Lock lock) const {
  const auto use = [&](Lock used) {
    return order.part == Part::After ? part(Part::Used, order.phase, used) : own(used);
  };
  family = table_.lacking(family, use(lock));
  if (parts_[lock].group == no_group) return family;
  for (Lock used : groups_[parts_[lock].group])
    if (used != lock) family = add_where(family, table_.containing(family, use(used)), relation(order, lock, used));
  return family;
}

// Contradictions are looked for first: what is left of a large family is often small.
SetFamily SymbolicStructures::consistent(SetFamily family) const {
  if (exclusion_.semantics == dpn::Semantics::LockInsensitive) return family;
  family = table_.without_supersets(family, contradictions_);
  if (groups_.empty()) return family;
  std::vector<Order> orders;  // that have relations
  for (Element element : table_.support(family).some) {
    const Meaning& meaning = meanings_[element];
    if (meaning.relates && std::ranges::none_of(orders, [&](const Order& order) {
          return order.part == meaning.part && order.phase == meaning.phase;
        }))
      orders.push_back({meaning.part, meaning.phase});
  }
  for (const Order& order : orders) family = closed(std::move(family), order);
  return family;
}

// Warshall's algorithm on all members at once.
SetFamily SymbolicStructures::closed(SetFamily family, const Order& order) const {
  FamilyTable::Support support = table_.support(family);
  for (const auto& group : groups_)
    for (Lock through : group) {
      SetFamily next = closed_through(family, order, through, support);
      if (next == family) continue;
      family = std::move(next);
      support = table_.support(family);
    }
  return family;
}

// Adds x → z to the members that have x → through and through → z. What all members have is added to all at once.
SetFamily SymbolicStructures::closed_through(const SetFamily& family, const Order& order, Lock through,
                                             const FamilyTable::Support& support) const {
  std::vector<Lock> from;
  std::vector<Lock> to;
  for (Lock other : groups_[parts_[through].group]) {
    if (contains(support.some, relation(order, other, through))) from.push_back(other);
    if (contains(support.some, relation(order, through, other))) to.push_back(other);
  }
  if (from.empty() || to.empty()) return family;
  SetFamily result = family;
  ElementSet added;
  for (Lock x : from)
    for (Lock z : to) {
      const Element first = relation(order, x, through);
      const Element second = relation(order, through, z);
      if (x != z && contains(support.all, relation(order, x, z))) continue;
      if (x != z && contains(support.all, first) && contains(support.all, second)) {
        added.push_back(relation(order, x, z));
        continue;
      }
      const SetFamily both = table_.containing(table_.containing(result, first), second);
      result = x == z ? table_.subtract(result, both) : add_where(result, both, relation(order, x, z));
    }
  std::ranges::sort(added);
  return added.empty() ? result : table_.add(result, table_.only(added));
}

std::vector<LockStructure> SymbolicStructures::structures(const SetFamily& family) const {
  std::vector<LockStructure> structures;
  for (const ElementSet& member : table_.members(family)) {
    LockStructure structure{.phases = std::vector<PhaseLocks>(phases_)};
    for (Element element : member) {
      const Meaning& meaning = meanings_[element];
      PhaseLocks& phase = structure.phases[meaning.phase];
      switch (meaning.part) {
        case Part::Used: phase.used.insert(meaning.lock); break;
        case Part::Acquired: phase.acquired.insert(meaning.lock); break;
        case Part::Held: phase.held.insert(meaning.lock); break;
        case Part::After: (void)phase.acquisition.relate(*meaning.relates, LockSet::of(meaning.lock)); break;
        case Part::Before: (void)phase.release.relate(*meaning.relates, LockSet::of(meaning.lock)); break;
        case Part::Own: structure.own_uses.insert(meaning.lock); break;
        default: assert(false && "parts about groups need a shape"); break;
      }
    }
    structures.push_back(std::move(structure));
  }
  return structures;
}

}  // namespace lockwood::solver
