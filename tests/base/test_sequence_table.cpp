#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/ids/id.hpp"
#include "base/ids/random.hpp"
#include "base/ids/sequence_table.hpp"

using namespace lockwood;

TEST_CASE("a sequence table numbers sequences as a map does") {
  Random random{7};
  SequenceTable<> table;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::uint32_t> sequence(random.below(5));
    for (std::uint32_t& word : sequence) word = static_cast<std::uint32_t>(random.below(12));
    CHECK(table.contains(sequence) == numbers.contains(sequence));
    const auto [place, is_new] = numbers.try_emplace(sequence, static_cast<std::uint32_t>(numbers.size()));
    const auto interned = table.intern(sequence);
    CHECK(interned.is_new == is_new);
    CHECK(interned.number == place->second);
  }
  CHECK(table.size() == numbers.size());
  for (const auto& [sequence, number] : numbers) CHECK(std::ranges::equal(table[number], sequence));
}

TEST_CASE("a sequence table of ids forgets what was cleared and numbers from the start") {
  using Key = Id<struct KeyTag>;
  SequenceTable<Key> table;
  const std::vector<Key> pair{Key{3}, Key{1}};
  CHECK_FALSE(table.contains(pair));
  CHECK(table.intern({}).number == 0);
  CHECK(table.intern(pair).number == 1);
  CHECK_FALSE(table.intern(pair).is_new);
  CHECK(table.find(pair) == 1);
  table.clear();
  CHECK(table.size() == 0);
  CHECK_FALSE(table.contains(pair));
  const auto interned = table.intern(pair);
  CHECK(interned.number == 0);
  CHECK(interned.is_new);
  CHECK(std::ranges::equal(table[0], pair));
}
