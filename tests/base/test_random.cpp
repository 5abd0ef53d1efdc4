#include <doctest/doctest.h>

#include <array>

#include "base/ids/random.hpp"

using namespace lockwood;

TEST_CASE("random numbers are those of the published generators") {
  // splitmix64 from 0 gives the state; the outputs were computed from the authors' C code.
  Random random{0};
  CHECK(random.next() == 11091344671253066420ULL);
  CHECK(random.next() == 13793997310169335082ULL);
  CHECK(random.next() == 1900383378846508768ULL);
}

TEST_CASE("below is within its bound and close to uniform") {
  Random random{1};
  std::array<std::size_t, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts[random.below(counts.size())];
  for (std::size_t count : counts) {
    CHECK(count > 9'500);
    CHECK(count < 10'500);
  }
  for (int i = 0; i < 10; ++i) CHECK(random.below(1) == 0);
}
