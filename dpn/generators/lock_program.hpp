#pragma once

#include <cstdint>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

namespace lockwood::dpn {

struct LockProgramSizes {
  std::size_t threads = 3;     // at most, main included; more if a loop spawns
  std::size_t locks = 3;       // at most
  std::size_t statements = 3;  // at most, per block
  std::size_t nesting = 3;     // of blocks, at most
};

// A network of a small structured program whose threads quarrel over locks: blocks of steps, branches, monitors (often
// nested, some reentrant), calls of a shared procedure, spawns; in some, returns that set a control state. Always the
// same for a seed.
[[nodiscard]] Network lock_program(std::uint64_t seed, const LockProgramSizes& sizes = {});

// A query of one to three steps that some execution without regard to locks answers: where threads stand along it, with
// avoided and required actions in some steps. Preferably these are threads that hold locks; in half of the queries,
// after a first step that respects locks, threads that have given back the locks they held.
[[nodiscard]] Query lock_query(const Network& network, std::uint64_t seed);

}  // namespace lockwood::dpn
