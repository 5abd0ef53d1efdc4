#include "solver/locks/lock_domain.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::solver {
namespace {

// One bit for each lock of each component, by hash; of the orders, only for what is before something.
std::uint64_t signature(const LockStructure& structure) {
  std::uint64_t bits = 0;
  std::uint64_t component = 0;
  const auto add = [&](Lock lock) { bits |= std::uint64_t{1} << (mixed(component, lock.index()) % 64); };
  const auto add_set = [&](const LockSet& locks) {
    ++component;
    locks.for_each(add);
  };
  const auto add_order = [&](const LockOrder& order) {
    ++component;
    for (const LockOrder::Row& row : order.rows()) add(row.lock);
  };
  add_set(structure.own_uses);
  for (const PhaseLocks& phase : structure.phases) {
    add_set(phase.acquired);
    add_set(phase.used);
    add_set(phase.held);
    add_order(phase.acquisition);
    add_order(phase.release);
  }
  return bits;
}

}  // namespace

template <class Value>
std::uint32_t LockDomain::Interner<Value>::intern(Value value, std::deque<Value>& values) {
  std::vector<std::uint32_t>& bucket = by_hash_[value.hash()];
  for (std::uint32_t number : bucket)
    if (values[number] == value) return number;
  bucket.push_back(static_cast<std::uint32_t>(values.size()));
  values.push_back(std::move(value));
  return bucket.back();
}

GroupUse group_use(const dpn::Network& network) {
  if (!network.uses_groups()) return GroupUse::None;
  const auto with_offspring = [](const dpn::Rule& rule) {
    const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect);
    return spawn != nullptr && std::ranges::any_of(spawn->memberships, &dpn::Membership::all);
  };
  return std::ranges::any_of(network.rules(), with_offspring) ? GroupUse::Offspring : GroupUse::Members;
}

LockDomain::LockDomain(Exclusion exclusion, PhaseIndex phases, GroupUse groups)
    : exclusion_{exclusion}, groups_{groups} {
  (void)interned(LockStructure{.phases = std::vector<PhaseLocks>(phases)});
  (void)lock_set_numbers_.intern(LockSet{}, lock_sets_);
}

std::optional<StructureId> LockDomain::interned(std::optional<LockStructure> structure) {
  if (!structure) return std::nullopt;
  structure->check_invariants();
  assert(structures_.empty() || structure->phases.size() == structures_.front().phases.size());
  const StructureId id{structure_numbers_.intern(std::move(*structure), structures_)};
  if (signatures_.size() < structures_.size()) signatures_.push_back(signature(structures_.back()));
  assert(signatures_.size() == structures_.size());
  return id;
}

LockDomain::Key LockDomain::join_key(StructureId left, StructureId right, OwnUses own_uses,
                                     std::optional<PhaseIndex> right_returned) const {
  // Without groups it does not matter when the right one returned, and what is the same is remembered once.
  const std::uint64_t returned = groups_ != GroupUse::None && right_returned ? *right_returned + 1 : 0;
  return {(std::uint64_t{left.index()} << 1U) | (own_uses == OwnUses::OfBoth ? 1U : 0U),
          (returned << 32U) | right.index()};
}

std::optional<LockDomain::Result> LockDomain::known_join(StructureId left, StructureId right, OwnUses own_uses,
                                                         std::optional<PhaseIndex> right_returned) const {
  if (left == empty) return right;
  if (right == empty && own_uses == OwnUses::OfBoth) return left;
  const auto known = joins_.find(join_key(left, right, own_uses, right_returned));
  if (known == joins_.end()) return std::nullopt;
  return std::optional<Result>{std::in_place, known->second};
}

std::optional<StructureId> LockDomain::join(StructureId left, StructureId right, OwnUses own_uses,
                                            std::optional<PhaseIndex> right_returned) {
  if (const auto known = known_join(left, right, own_uses, right_returned)) return *known;
  const auto result = interned(solver::join(structure(left), structure(right), own_uses, right_returned));
  joins_.emplace(join_key(left, right, own_uses, right_returned), result);
  return result;
}

LockDomain::Key LockDomain::monitor_key(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                        StructureId body) {
  assert(!returned || entered <= *returned);
  const PhaseIndex until = returned ? *returned + 1 : 0;
  return {(std::uint64_t{lock.index()} << 32U) | body.index(), (std::uint64_t{entered} << 32U) | until};
}

std::optional<LockDomain::Result> LockDomain::known_monitor(Lock lock, PhaseIndex entered,
                                                            std::optional<PhaseIndex> returned,
                                                            StructureId body) const {
  if (!exclusion_.by(lock)) return body;
  const auto known = monitors_.find(monitor_key(lock, entered, returned, body));
  if (known == monitors_.end()) return std::nullopt;
  return std::optional<Result>{std::in_place, known->second};
}

std::optional<StructureId> LockDomain::monitor(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                               StructureId body) {
  if (const auto known = known_monitor(lock, entered, returned, body)) return *known;
  const auto result = interned(solver::monitor(lock, entered, returned, structure(body)));
  monitors_.emplace(monitor_key(lock, entered, returned, body), result);
  return result;
}

std::optional<StructureId> LockDomain::after_acquisition(Lock lock, StructureId inside) {
  constexpr std::uint64_t no_phase = ~std::uint64_t{0};  // so that the key is not one of a monitor
  const Key key{(std::uint64_t{lock.index()} << 32U) | inside.index(), no_phase};
  if (const auto known = monitors_.find(key); known != monitors_.end()) return known->second;
  std::optional<LockStructure> result = structure(inside);
  assert(result->phases.size() == 1);
  PhaseLocks& locks = result->phases.front();
  if (!locks.used.empty() && !locks.acquisition.relate(lock, locks.used)) result.reset();
  const auto number = interned(std::move(result));
  monitors_.emplace(key, number);
  return number;
}

// Without groups, joined to nothing: own uses are dropped.
std::optional<LockDomain::Result> LockDomain::known_as_thread(StructureId thread, std::optional<PhaseIndex> end) const {
  if (groups_ == GroupUse::None) return known_join(thread, empty, OwnUses::OfRight);
  const auto known = group_steps_.find(thread_key(thread, end));
  if (known == group_steps_.end()) return std::nullopt;
  return std::optional<Result>{std::in_place, known->second};
}

StructureId LockDomain::as_thread(StructureId thread, std::optional<PhaseIndex> end) {
  if (groups_ == GroupUse::None) return *join(thread, empty, OwnUses::OfRight);
  return remembered(thread_key(thread, end),
                    [&] { return solver::as_thread(structure(thread), end, groups_ == GroupUse::Offspring); });
}

// --- groups -------------------------------------------------------------------------------------------------------

LockDomain::Key LockDomain::rule_key(dpn::RuleId rule, StructureId structure, std::uint64_t phases) {
  return {(std::uint64_t{rule.index()} << 32U) | structure.index(), phases};
}

LockDomain::Key LockDomain::thread_key(StructureId thread, std::optional<PhaseIndex> end) {
  constexpr std::uint64_t no_rule = ~std::uint64_t{0} << 32U;
  return {no_rule | thread.index(), end ? *end + 1 : 0};
}

template <class Compute>
StructureId LockDomain::remembered(const Key& key, const Compute& compute) {
  assert(groups_ != GroupUse::None);
  if (const auto known = group_steps_.find(key); known != group_steps_.end()) return *known->second;
  const StructureId result = *interned(compute());
  group_steps_.emplace(key, result);
  return result;
}

StructureId LockDomain::fork(const dpn::Network& network, dpn::RuleId rule, PhaseIndex phase, StructureId thread,
                             std::optional<PhaseIndex> end) {
  const auto& spawn = std::get<dpn::Spawn>(network.rule(rule).effect);
  return remembered(rule_key(rule, thread, (std::uint64_t{phase} << 32U) | (end ? *end + 1 : 0)), [&] {
    return solver::fork(structure(thread), end, groups_ == GroupUse::Offspring, phase, spawn.memberships);
  });
}

StructureId LockDomain::join_groups(const dpn::Network& network, dpn::RuleId rule, PhaseIndex phase, StructureId rest) {
  const auto& join = std::get<dpn::Join>(network.rule(rule).effect);
  return remembered(rule_key(rule, rest, phase),
                    [&] { return solver::join_groups(structure(rest), phase, join.groups); });
}

StructureId LockDomain::forget_groups(const dpn::Network& network, dpn::RuleId rule, StructureId rest) {
  const auto& forget = std::get<dpn::Forget>(network.rule(rule).effect);
  return remembered(rule_key(rule, rest, 0), [&] { return solver::forget_groups(structure(rest), forget.groups); });
}

StructureId LockDomain::open_groups(const dpn::Network& network, dpn::RuleId rule, StructureId body) {
  const auto entry = dpn::entry_of(network.rule(rule));
  return remembered(rule_key(rule, body, 0), [&] { return solver::open_groups(structure(body), entry->opening); });
}

LockSetId LockDomain::with(LockSetId set, Lock lock) {
  const Key key{set.index(), lock.index()};
  if (const auto known = additions_.find(key); known != additions_.end()) return known->second;
  LockSet larger = lock_set(set);
  larger.insert(lock);
  assert(lock_set(set).subset_of(larger) && larger.contains(lock));
  const LockSetId result{lock_set_numbers_.intern(std::move(larger), lock_sets_)};
  additions_.emplace(key, result);
  return result;
}

}  // namespace lockwood::solver
