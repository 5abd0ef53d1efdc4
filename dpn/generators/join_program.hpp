#pragma once

#include <cstdint>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

namespace lockwood::dpn {

struct JoinProgramSizes {
  std::size_t threads = 4;     // lines that threads run, main included, at most
  std::size_t locks = 2;       // at most
  std::size_t groups = 2;      // at most
  std::size_t statements = 3;  // at most, per block
  std::size_t nesting = 2;     // of blocks, at most
  bool recursion = false;      // the shared procedure may call itself
};

// A network of a small structured program whose threads start and join threads: blocks of steps, branches, monitors,
// some of which open groups, calls of a shared procedure, which opens groups or not, spawns with memberships of all
// kinds, joins, forgetting. Without recursion the number of threads is bounded. Always the same for a seed.
[[nodiscard]] Network join_program(std::uint64_t seed, const JoinProgramSizes& sizes = {});

// A query along an execution that ignores locks; in three of four, joins do not wait in the execution either, so that
// the query is often unreachable because of joins.
[[nodiscard]] Query join_query(const Network& network, std::uint64_t seed);

}  // namespace lockwood::dpn
