#pragma once

#include <cstddef>
#include <cstdint>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

namespace lockwood::dpn {

struct QueryShape {
  std::size_t steps = 3;  // at most so many of each
  std::size_t sets = 2;
  std::size_t symbols = 3;  // in a set
  bool restricted = true;   // by avoided and required actions
};

// A random question about the network, the same on every platform for the same seed. It asks with locks; its form is
// the simplest one that fits. Requires a network with a rule.
[[nodiscard]] Query random_query(const Network& network, const QueryShape& shape, std::uint64_t seed);

}  // namespace lockwood::dpn
