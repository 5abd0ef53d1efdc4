#pragma once

#include <cstdint>

#include "dpn/network.hpp"
#include "solver/problem.hpp"

namespace lockwood::solver {

// A problem of one to three phases about the network, always the same for a seed: avoided and required actions, several
// goals, some with locks to hold or to want, sometimes collecting in one or two sets, sometimes lock-insensitive.
[[nodiscard]] Problem random_problem(const dpn::Network& network, std::uint64_t seed);

}  // namespace lockwood::solver
