#include "solver/locks/lock_domain.hpp"

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

LockDomain::LockDomain(Exclusion exclusion, PhaseIndex phases) : exclusion_{exclusion} {
  (void)interned(LockStructure{.phases = std::vector<PhaseLocks>(phases)});
  (void)lock_set_numbers_.intern(LockSet{}, lock_sets_);
}

std::optional<StructureId> LockDomain::interned(std::optional<LockStructure> structure) {
  if (!structure) return std::nullopt;
  const StructureId id{structure_numbers_.intern(std::move(*structure), structures_)};
  if (signatures_.size() < structures_.size()) signatures_.push_back(signature(structures_.back()));
  return id;
}

LockDomain::Key LockDomain::join_key(StructureId left, StructureId right, OwnUses own_uses) {
  return {(left.index() << 1U) | (own_uses == OwnUses::OfBoth ? 1U : 0U), right.index()};
}

std::optional<LockDomain::Result> LockDomain::known_join(StructureId left, StructureId right, OwnUses own_uses) const {
  if (left == empty) return right;
  if (right == empty && own_uses == OwnUses::OfBoth) return left;
  const auto known = joins_.find(join_key(left, right, own_uses));
  if (known == joins_.end()) return std::nullopt;
  return std::optional<Result>{std::in_place, known->second};
}

std::optional<StructureId> LockDomain::join(StructureId left, StructureId right, OwnUses own_uses) {
  if (const auto known = known_join(left, right, own_uses)) return *known;
  const auto result = interned(solver::join(structure(left), structure(right), own_uses));
  joins_.emplace(join_key(left, right, own_uses), result);
  return result;
}

LockDomain::Key LockDomain::monitor_key(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                        StructureId body) {
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
  PhaseLocks& locks = result->phases.front();
  if (!locks.used.empty() && !locks.acquisition.relate(lock, locks.used)) result.reset();
  const auto number = interned(std::move(result));
  monitors_.emplace(key, number);
  return number;
}

StructureId LockDomain::as_thread(StructureId structure) { return *join(structure, empty, OwnUses::OfRight); }

LockSetId LockDomain::with(LockSetId set, Lock lock) {
  const Key key{set.index(), lock.index()};
  if (const auto known = additions_.find(key); known != additions_.end()) return known->second;
  LockSet larger = lock_set(set);
  larger.insert(lock);
  const LockSetId result{lock_set_numbers_.intern(std::move(larger), lock_sets_)};
  additions_.emplace(key, result);
  return result;
}

}  // namespace lockwood::solver
