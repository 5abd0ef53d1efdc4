#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

namespace lockwood::dpn {

// Upper ends of the sizes of a random network; the lower ends are 1 control, 4 stacks, no lock, 6 rules.
struct RandomNetworkSizes {
  std::size_t controls = 2;
  std::size_t stacks = 8;
  std::size_t locks = 3;
  std::size_t actions = 4;
  std::size_t rules = 14;
  std::size_t groups = 0;  // this many; joins are frequent if there are any
};

// One of 0, …, bound - 1, whoever chooses: random numbers, or the bytes of a fuzzer.
using Choose = std::function<std::size_t(std::size_t bound)>;

// A small network, always the same for the same choices or seed. Most rules start where earlier ones lead to, so that
// most of them can be used; calls return, locks are fought for, threads are spawned. Recursion and unbounded spawning
// occur.
[[nodiscard]] Network network_by(const Choose& choose, const RandomNetworkSizes& sizes = {});
[[nodiscard]] Network random_network(std::uint64_t seed, const RandomNetworkSizes& sizes = {});

// A query of one to three steps, some with avoided and required actions, mostly lock-sensitive.
[[nodiscard]] Query query_by(const Choose& choose, const Network& network);
[[nodiscard]] Query random_query(const Network& network, std::uint64_t seed);

}  // namespace lockwood::dpn
