#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "base/ids/random.hpp"
#include "treeauto/lazy/antichain.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

using Numbers = std::set<std::size_t>;

auto each_number(const Numbers& set) {
  return [&set](auto&& sink) {
    for (std::size_t number : set) sink(number);
  };
}

}  // namespace

// Sets that come one after the other; long antichains and short ones, with and without the empty set, of large sets
// first or of small ones first, so that much or little is retired. Half of them are ordered by inclusion, the others
// only if their numbers have the same remainder, so that one without members need not lie below all.
TEST_CASE("an antichain holds the items that lie above no other, however it is searched") {
  std::size_t longest = 0;
  std::size_t retired = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    Random random{seed};
    const std::size_t count = seed % 100 < 2 ? 300 : 34 + random.below(8);
    std::vector<Numbers> sets;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t size = seed % 3 == 0 ? 5 : seed % 3 == 1 ? 1 + 6 * (count - i) / count : random.below(7);
      Numbers set;
      for (std::size_t j = 0; j < size; ++j) set.insert(random.below(24));
      sets.push_back(set);
    }
    const std::size_t kinds = seed % 2 == 0 ? 1 : 16;
    const auto is_below = [&](std::size_t lower, std::size_t upper) {
      return lower % kinds == upper % kinds && std::ranges::includes(sets[upper], sets[lower]);
    };
    Antichain<std::size_t> by_members;
    Antichain<std::size_t> plain;
    std::set<std::size_t> expected;
    for (std::size_t added = 0; added < count; ++added) {
      const auto members = each_number(sets[added]);
      const auto lies_below = [&](std::size_t other) { return is_below(other, added); };
      const auto lies_above = [&](std::size_t other) { return is_below(added, other); };
      const bool covered = std::ranges::any_of(expected, lies_below);
      REQUIRE(by_members.any_below(members, lies_below) == covered);
      REQUIRE(plain.any_below(members, lies_below) == covered);
      if (covered) continue;
      std::set<std::size_t> above;
      std::ranges::copy_if(expected, std::inserter(above, above.end()), lies_above);
      for (Antichain<std::size_t>* antichain : {&by_members, &plain}) {
        const auto found = antichain->retire_above(members, lies_above);
        REQUIRE(std::set<std::size_t>(found.begin(), found.end()) == above);
        REQUIRE(found.size() == above.size());
      }
      for (std::size_t other : above) expected.erase(other);
      retired += above.size();
      expected.insert(added);
      by_members.add(added, [&](std::size_t item, auto&& sink) { each_number(sets[item])(sink); });
      plain.add(added);
      if (added % 16 != 0) continue;  // items come in the order of their numbers
      REQUIRE(std::ranges::equal(plain.items(), expected));
      REQUIRE(std::ranges::includes(by_members.items(), expected));
      REQUIRE(by_members.items().size() <= expected.size() + expected.size() / 6);
      REQUIRE(by_members.items().back() == added);
    }
    longest = std::max(longest, expected.size());
  }
  CHECK(longest > 100);
  CHECK(retired > 2'000);
}
