#include "solver/engine/waits.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "solver/locks/lock_domain.hpp"

namespace lockwood::solver {
namespace {

template <class T>
void insert_sorted(std::vector<T>& set, const T& value) {
  const auto at = std::ranges::lower_bound(set, value);
  if (at == set.end() || *at != value) set.insert(at, value);
}

template <class T>
void insert_all(std::vector<T>& set, const std::vector<T>& others) {
  for (const T& other : others) insert_sorted(set, other);
}

}  // namespace

WaitAlgebra::WaitAlgebra(const dpn::Network& network, const dpn::Network& original, std::vector<Awaiting> pairs)
    : network_{network},
      original_{original},
      pairs_{std::move(pairs)},
      offspring_{group_use(network) == GroupUse::Offspring} {
  [[maybe_unused]] const Row first = row_of({});
  assert(first == returned);
}

WaitAlgebra::Row WaitAlgebra::row_of(Waits waits) {
  assert(std::ranges::is_sorted(waits.offers) && std::ranges::is_sorted(waits.offspring));
  assert(waits.stands || (!waits.need && !waits.leads));
  const auto [at, fresh] = numbers_.try_emplace(std::move(waits), static_cast<Row>(rows_.size()));
  if (fresh) rows_.push_back(&at->first);
  return at->second;
}

bool WaitAlgebra::in_pair(std::size_t goal) const {
  return std::ranges::any_of(pairs_, [&](const Awaiting& pair) { return pair.waiter == goal || pair.awaited == goal; });
}

// A thread that meets no goal may be one between the two of a pair.
std::vector<WaitAlgebra::Row> WaitAlgebra::standing(dpn::Head head, std::optional<std::size_t> goal) {
  if (!active()) return {returned};
  std::vector<Row> rows;
  std::vector<Group> joined;
  for (dpn::RuleId rule : original_.rules_from(head))
    if (const auto* join = std::get_if<dpn::Join>(&original_.rule(rule).effect)) insert_all(joined, join->groups);
  const auto add_needs = [&](std::uint32_t pair, bool between) {
    for (Group group : joined) rows.push_back(row_of({.stands = true, .need = Waits::Need{pair, group, between}}));
  };
  for (std::uint32_t pair = 0; pair < pairs_.size(); ++pair) {
    if (!goal) add_needs(pair, true);
    if (goal == pairs_[pair].waiter) add_needs(pair, false);
    if (goal == pairs_[pair].awaited) rows.push_back(row_of({.stands = true, .leads = pair}));
  }
  if (!goal || !in_pair(*goal)) rows.push_back(row_of({.stands = true}));
  return rows;
}

// What the right one claims must be offered on the left, by what was started after the group was emptied last. Of what
// the left one offers, nothing is left where the right one empties groups, or stands: nobody comes after it.
WaitAlgebra::Result WaitAlgebra::sequence(const Waits& left, const Waits& right) {
  assert(!left.stands);
  Waits both = right;
  if (right.need) {
    const Waits::Need need = *right.need;
    if (std::ranges::binary_search(left.offers, std::pair{need.pair, need.group})) {
      both.need.reset();
      if (need.between) both.leads = need.pair;
    } else if (std::ranges::binary_search(left.emptied, need.group)) {
      return std::nullopt;
    }
  }
  insert_all(both.offspring, left.offspring);
  if (right.stands) {
    assert(both.offers.empty() && both.emptied.empty());
    return row_of(std::move(both));
  }
  for (const auto& offer : left.offers)
    if (!std::ranges::binary_search(right.emptied, offer.second)) insert_sorted(both.offers, offer);
  insert_all(both.emptied, left.emptied);
  return row_of(std::move(both));
}

// The frame that is entered opens the groups: they mean nothing outside.
std::optional<Waits> WaitAlgebra::opened(const Waits& body, std::span<const Group> groups) {
  const auto among = [&](Group group) { return std::ranges::count(groups, group) > 0; };
  if (body.need && among(body.need->group)) return std::nullopt;
  Waits outside = body;
  std::erase_if(outside.offers, [&](const auto& offer) { return among(offer.second); });
  std::erase_if(outside.emptied, among);
  return outside;
}

// The start of a thread, before its parent goes on.
std::optional<Waits> WaitAlgebra::started(const dpn::Spawn& spawn, const Waits& child) const {
  if (child.need) return std::nullopt;
  assert(!child.leads || *child.leads < pairs_.size());
  Waits start;
  std::vector<std::uint32_t> all = child.offspring;
  if (child.leads) insert_sorted(all, *child.leads);
  for (const dpn::Membership& membership : spawn.memberships) {
    if (child.leads) insert_sorted(start.offers, {*child.leads, membership.group});
    if (membership.all)
      for (std::uint32_t pair : all) insert_sorted(start.offers, {pair, membership.group});
    if (membership.replace) insert_sorted(start.emptied, membership.group);
  }
  if (offspring_) start.offspring = std::move(all);
  return start;
}

WaitAlgebra::Result WaitAlgebra::above(dpn::RuleId id, Row below) {
  if (!active()) return returned;
  const auto made = above_one_.try_emplace({id, below}, std::nullopt);
  const auto at = made.first;
  if (!made.second) return at->second;
  const dpn::Rule& rule = network_.rule(id);
  const auto emptying = [&](std::vector<Group> groups) {
    return at->second = sequence({.emptied = std::move(groups)}, *rows_[below]);
  };
  if (const auto* join = std::get_if<dpn::Join>(&rule.effect)) return emptying(join->groups);
  if (const auto* forget = std::get_if<dpn::Forget>(&rule.effect)) return emptying(forget->groups);
  const auto entry = dpn::entry_of(rule);
  if (!entry) return at->second = below;
  auto body = opened(*rows_[below], entry->opening);
  if (body) at->second = row_of(*std::move(body));
  return at->second;
}

WaitAlgebra::Result WaitAlgebra::above(dpn::RuleId id, Row left, Row right) {
  if (!active()) return returned;
  const auto [at, fresh] = above_two_.try_emplace({id, {left, right}}, std::nullopt);
  if (!fresh) return at->second;
  const dpn::Rule& rule = network_.rule(id);
  const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect);
  const auto before =
      spawn != nullptr ? started(*spawn, *rows_[left]) : opened(*rows_[left], dpn::entry_of(rule)->opening);
  if (before) at->second = sequence(*before, *rows_[right]);
  return at->second;
}

}  // namespace lockwood::solver
