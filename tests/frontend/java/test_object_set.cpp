#include <doctest/doctest.h>

#include <set>

#include "base/ids/random.hpp"
#include "frontend/java/pointsto/object_set.hpp"

using namespace lockwood;
using namespace lockwood::java;

namespace {

std::set<std::size_t> list_of(const ObjectSet& set) {
  std::set<std::size_t> result;
  set.for_each([&](ObjectId object) { result.insert(object.index()); });
  return result;
}

}  // namespace

TEST_CASE("sets of objects are sets") {
  Random random{7};
  for (int round = 0; round < 2000; ++round) {
    ObjectSet a;
    ObjectSet b;
    std::set<std::size_t> ours;
    std::set<std::size_t> theirs;
    const std::size_t range = random.percent(50) ? 100 : 5000;
    for (std::size_t i = random.below(60); i > 0; --i) {
      const std::size_t object = random.below(range);
      CHECK(a.insert(ObjectId{object}) == ours.insert(object).second);
    }
    for (std::size_t i = random.below(60); i > 0; --i) {
      const std::size_t object = random.below(range);
      b.insert(ObjectId{object});
      theirs.insert(object);
    }
    CHECK(list_of(a) == ours);
    CHECK(a.size() == ours.size());
    std::set<std::size_t> added;
    for (std::size_t object : theirs)
      if (!ours.contains(object)) added.insert(object);
    CHECK(a.intersects(b) == (added.size() < theirs.size()));
    ObjectSet rest = b;
    rest.remove_all(a);
    CHECK(list_of(rest) == added);
    ObjectSet news;
    a.unite(b, news);
    CHECK(list_of(news) == added);
    ours.insert(theirs.begin(), theirs.end());
    CHECK(list_of(a) == ours);
    std::vector<std::uint64_t> mask(range / 128);
    for (std::uint64_t& bits : mask) bits = random.next();
    for (std::size_t object : list_of(a.masked(mask)))
      CHECK((object / 64 < mask.size() && (mask[object / 64] >> (object % 64) & 1U) != 0 && ours.contains(object)));
    CHECK(a.is_single() == (ours.size() == 1));
  }
}
