#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/ids/random.hpp"
#include "solver/engine/domains/symbolic_structures.hpp"
#include "solver/locks/lock_structure.hpp"
#include "solver/locks/zdd.hpp"

using namespace lockwood;
using namespace lockwood::solver;

namespace {

using Set = std::set<std::size_t>;
using Sets = std::set<Set>;

constexpr std::size_t element_count = 9;

Set union_of(const Set& a, const Set& b) {
  Set both = a;
  both.insert(b.begin(), b.end());
  return both;
}

bool exclusive(std::size_t element) { return element % 4 == 1; }

Set random_set(Random& random, std::size_t bound) {
  Set set;
  for (std::size_t element = 0; element < element_count; ++element)
    if (random.below(bound) == 0) set.insert(element);
  return set;
}

Sets random_sets(Random& random) {
  Sets sets;
  const std::size_t bound = 2 + random.below(4);
  for (std::size_t i = random.below(12); i > 0; --i) sets.insert(random_set(random, bound));
  return sets;
}

SetFamily family_of(const FamilyTable& table, const Sets& sets) {
  SetFamily family = table.none();
  for (const Set& set : sets) {
    ElementSet elements;
    for (std::size_t element : set) elements.emplace_back(element);
    family = table.unite(family, table.only(elements));
  }
  return family;
}

Sets sets_of(const FamilyTable& table, const SetFamily& family) {
  Sets sets;
  for (const ElementSet& member : table.members(family)) {
    Set set;
    for (Element element : member) set.insert(element.index());
    CHECK(sets.insert(set).second);
  }
  return sets;
}

template <class F>
Sets image(const Sets& sets, F f) {
  Sets result;
  for (const Set& set : sets) result.insert(f(set));
  return result;
}

template <class Predicate>
Sets filtered(const Sets& sets, Predicate keep) {
  Sets result;
  for (const Set& set : sets)
    if (keep(set)) result.insert(set);
  return result;
}

Sets joined(const Sets& a, const Sets& b) {
  Sets result;
  for (const Set& x : a)
    for (const Set& y : b)
      if (std::ranges::none_of(x, [&](std::size_t element) { return exclusive(element) && y.contains(element); }))
        result.insert(union_of(x, y));
  return result;
}

IdVector<Element, bool> exclusive_elements() {
  IdVector<Element, bool> result(element_count);
  for (Element element : result.keys()) result[element] = exclusive(element.index());
  return result;
}

}  // namespace

TEST_CASE("operations on families of sets are what they are on sets of sets") {
  const FamilyTable table{exclusive_elements()};
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    CAPTURE(seed);
    Random random{seed};
    const Sets a = random_sets(random);
    const Sets b = random_sets(random);
    const Set set = random_set(random, 2);
    const std::size_t element = random.below(element_count);
    const SetFamily f = family_of(table, a);
    const SetFamily g = family_of(table, b);
    const SetFamily only = family_of(table, {set});
    const auto check = [&](const SetFamily& family, const Sets& expected) {
      CHECK(sets_of(table, family) == expected);
      CHECK(family == family_of(table, expected));
      CHECK(family.empty() == expected.empty());
      CHECK(table.size(family) == expected.size());
    };
    const auto subset = [](const Set& x, const Set& y) { return std::ranges::includes(y, x); };

    check(f, a);
    check(table.intersect(f, g), filtered(a, [&](const Set& x) { return b.contains(x); }));
    check(table.subtract(f, g), filtered(a, [&](const Set& x) { return !b.contains(x); }));
    check(table.join(f, g), joined(a, b));
    check(table.add(f, only), image(a, [&](const Set& x) { return union_of(x, set); }));
    check(table.remove(f, only), image(a, [&](Set x) {
            for (std::size_t removed : set) x.erase(removed);
            return x;
          }));
    check(table.containing(f, Element{element}), filtered(a, [&](const Set& x) { return x.contains(element); }));
    check(table.lacking(f, Element{element}), filtered(a, [&](const Set& x) { return !x.contains(element); }));
    check(table.minimal(f), filtered(a, [&](const Set& x) {
            return std::ranges::none_of(a, [&](const Set& y) { return x != y && subset(y, x); });
          }));
    check(table.without_supersets(f, g), filtered(a, [&](const Set& x) {
            return std::ranges::none_of(b, [&](const Set& y) { return subset(y, x); });
          }));
    check(table.within(f, only), filtered(a, [&](const Set& x) { return subset(x, set); }));

    const auto support = table.support(f);
    for (std::size_t i = 0; i < element_count; ++i) {
      const auto has = [&](const Set& x) { return x.contains(i); };
      CHECK(std::ranges::count(support.some, Element{i}) == (std::ranges::any_of(a, has) ? 1 : 0));
      CHECK(std::ranges::count(support.all, Element{i}) == (!a.empty() && std::ranges::all_of(a, has) ? 1 : 0));
    }
  }
}

TEST_CASE("a family of very many sets is counted up to the largest number") {
  const FamilyTable table{IdVector<Element, bool>(200)};
  SetFamily family = table.unit();
  for (std::size_t i = 0; i < 100; ++i) {
    const SetFamily choice = table.unite(table.only({Element{2 * i}}), table.only({Element{2 * i + 1}}));
    family = table.join(family, choice);
    if (i == 39) CHECK(table.size(family) == std::size_t{1} << 40U);
  }
  CHECK(table.size(family) == std::numeric_limits<std::size_t>::max());
  CHECK(table.minimal(family) == family);
  CHECK(table.support(family).all.empty());
}

TEST_CASE("operations on families stop when they are asked to") {
  StopSource source;
  const FamilyTable table{IdVector<Element, bool>(4000), StopToken{source}};
  SetFamily family = table.unit();
  for (std::size_t i = 2000; i > 0; --i) {
    const SetFamily choice = table.unite(table.only({Element{2 * i - 2}}), table.only({Element{2 * i - 1}}));
    family = table.join(choice, family);
  }
  source.request(StopReason::Timeout);
  CHECK_THROWS_AS((void)table.minimal(family), Interrupted);
}

namespace {

// What the definition says: structures one by one.
using Structures = std::vector<LockStructure>;

void insert(Structures& structures, const std::optional<LockStructure>& added) {
  if (added && !std::ranges::count(structures, *added)) structures.push_back(*added);
}

Structures minimal(const Structures& structures) {
  Structures result;
  for (const LockStructure& structure : structures)
    if (std::ranges::none_of(
            structures, [&](const LockStructure& other) { return other != structure && subsumes(other, structure); }))
      result.push_back(structure);
  return result;
}

bool same(const Structures& a, const Structures& b) {
  return a.size() == b.size() &&
         std::ranges::all_of(a, [&](const LockStructure& structure) { return std::ranges::count(b, structure) == 1; });
}

struct Both {
  SetFamily family;
  Structures structures;
};

}  // namespace

TEST_CASE("families of lock structures are joined and surrounded by monitors as each structure is") {
  std::size_t compared = 0;
  std::size_t widest = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    Random random{seed};
    const PhaseIndex phases = 1 + random.below(3);
    LockGroups groups;
    for (std::size_t i = 2 + random.below(4); i > 0; --i) groups.locks.emplace_back(3 * groups.locks.size());
    groups.groups = {groups.locks};
    const SymbolicStructures domain{{}, phases, groups};
    const FamilyTable& table = domain.table();
    // Uses of single locks, none smaller than another. The empty structure is smaller than all, so it is left out.
    const LockStructure empty{.own_uses = {}, .phases = std::vector<PhaseLocks>(phases)};
    std::vector<Both> pool;
    for (Lock lock : groups.locks)
      pool.push_back({domain.monitor(lock, 0, 0, domain.empty_structure(), {}), {*monitor(lock, 0, 0, empty)}});
    for (int step = 0; step < 40; ++step) {
      const Both& a = pool[random.below(pool.size())];
      const Both& b = pool[random.below(pool.size())];
      Both result{table.none(), {}};
      switch (random.below(4)) {
        case 0:
        case 1: {
          const Lock lock = groups.locks[random.below(groups.locks.size())];
          const PhaseIndex entered = random.below(phases);
          const PhaseIndex until = entered + random.below(phases - entered + 1);
          const auto returned = until < phases ? std::optional{until} : std::nullopt;
          // A thread inside a monitor enters it again without using the lock. Only members that are joined inside may
          // use it, and families know no joins.
          const auto uses = [&](const LockStructure& body) { return body.own_uses.contains(lock); };
          if (returned == entered && std::ranges::any_of(a.structures, uses)) continue;
          result.family = domain.monitor(lock, entered, returned, a.family, {});
          for (const LockStructure& body : a.structures)
            insert(result.structures, monitor(lock, entered, returned, body));
          break;
        }
        case 2: {
          const OwnUses own_uses = random.below(2) == 0 ? OwnUses::OfBoth : OwnUses::OfRight;
          result.family = domain.join(a.family, b.family, own_uses);
          for (const LockStructure& left : a.structures)
            for (const LockStructure& right : b.structures) insert(result.structures, join(left, right, own_uses));
          break;
        }
        default:
          result = {table.unite(a.family, b.family), a.structures};
          for (const LockStructure& structure : b.structures) insert(result.structures, structure);
      }
      REQUIRE(same(domain.structures(result.family), result.structures));
      const Structures smallest = minimal(result.structures);
      REQUIRE(same(domain.structures(table.minimal(result.family)), smallest));
      ++compared;
      widest = std::max(widest, smallest.size());
      if (!result.structures.empty() && result.structures.size() < 40) pool.push_back(std::move(result));
    }
  }
  CHECK(compared > 30'000);
  CHECK(widest >= 8);
}

TEST_CASE("a cycle that no two locks make is found when families are joined") {
  LockGroups groups;
  for (std::size_t i = 0; i < 4; ++i) groups.locks.emplace_back(i);
  groups.groups = {groups.locks};
  const SymbolicStructures domain{{}, 1, groups};
  // Holds one lock and has used the next one meanwhile.
  const auto thread = [&](std::size_t i) {
    const SetFamily use = domain.monitor(Lock{(i + 1) % 4}, 0, 0, domain.empty_structure(), {});
    return domain.as_thread(domain.monitor(Lock{i}, 0, std::nullopt, use, {}));
  };
  const auto both = [&](const SetFamily& a, const SetFamily& b) { return domain.join(a, b, OwnUses::OfRight); };
  const SetFamily even = both(thread(0), thread(2));
  const SetFamily odd = both(thread(1), thread(3));
  CHECK(domain.structures(even).size() == 1);
  CHECK(!both(even, thread(1)).empty());
  CHECK(both(even, odd).empty());
}
