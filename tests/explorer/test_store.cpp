#include <doctest/doctest.h>

#include <map>
#include <set>

#include "base/ids/random.hpp"
#include "explorer/store/state_store.hpp"

namespace lockwood::explorer {
namespace {

using Vector = std::vector<std::uint32_t>;

// A walk through vectors, as a search makes it: most components stay as they are, and the length changes at times.
class VectorWalk {
 public:
  VectorWalk(std::uint64_t seed, std::size_t length, std::size_t values)
      : random_{seed}, values_{values}, current_(length) {}
  const Vector& next() {
    if (random_.percent(2)) current_.assign(current_.size(), 0);
    if (random_.percent(3)) current_.resize(1 + random_.below(40));
    for (std::size_t changes = random_.below(4); changes-- > 0;)
      current_[random_.below(current_.size())] = static_cast<std::uint32_t>(random_.below(values_));
    return current_;
  }

 private:
  Random random_;
  std::size_t values_;
  Vector current_;
};

Vector trimmed(Vector vector) {
  while (!vector.empty() && vector.back() == 0) vector.pop_back();
  return vector;
}

}  // namespace

TEST_CASE("the exact store is a set of vectors that differ in more than zeros behind them") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    ExactStore store;
    std::map<Vector, StateNumber> known;
    VectorWalk walk{seed, 1 + seed % 37, 2 + seed % 5};
    for (std::size_t step = 0; step < 600; ++step) {
      const Vector& vector = walk.next();
      const Inserted inserted = store.insert(vector);
      const auto [place, is_new] = known.try_emplace(trimmed(vector), inserted.number);
      REQUIRE(inserted.is_new == is_new);
      REQUIRE(inserted.number == place->second);
      REQUIRE(store.size() == known.size());
    }
    Vector restored;
    for (const auto& [vector, number] : known) {
      store.components_of(number, restored);
      REQUIRE(trimmed(restored) == vector);
    }
  }
}

TEST_CASE("hashes of 128 and 64 bits tell the same vectors apart") {
  for (StoreKind kind : {StoreKind::Hash128, StoreKind::Hash64}) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      StateStore store{{.kind = kind}};
      std::set<Vector> known;
      VectorWalk walk{seed, 1 + seed % 37, 2 + seed % 5};
      for (std::size_t step = 0; step < 600; ++step) {
        const Vector& vector = walk.next();
        REQUIRE(store.insert(vector).is_new == known.insert(trimmed(vector)).second);
      }
      CHECK(store.size() == known.size());
      CHECK(store.omission_probability() < 1e-9);
    }
  }
}

TEST_CASE("a table of bits never takes an old state for a new one, and tells when it is full") {
  StateStore store{{.kind = StoreKind::Bits, .bits = 4096}};
  std::set<Vector> known;
  VectorWalk walk{1, 20, 50};
  for (std::size_t step = 0; step < 5000; ++step) {
    const Vector& vector = walk.next();
    const bool is_new = known.insert(trimmed(vector)).second;
    if (store.insert(vector).is_new) REQUIRE(is_new);
  }
  CHECK(store.size() < known.size());
  CHECK(store.omission_probability() > 0.1);
}

TEST_CASE("states that differ in one component cost few bytes") {
  StateStore store{{.kind = StoreKind::Exact}};
  Vector vector(64, 7);
  Random random{1};
  for (std::size_t step = 0; step < 300'000; ++step) {
    vector[random.below(vector.size())] = static_cast<std::uint32_t>(random.below(4));
    static_cast<void>(store.insert(vector));
  }
  const double bytes = static_cast<double>(store.bytes()) / static_cast<double>(store.size());
  MESSAGE("states ", store.size(), ", bytes of a state ", bytes);
  CHECK(bytes < 160);  // a random walk shares the least: each new vector has a new pair on every level
}

}  // namespace lockwood::explorer
