#pragma once

#include <cstddef>
#include <cstdint>

#include "dpn/formats/model_file.hpp"

namespace lockwood::dpn {

struct ProgramShape {
  std::size_t procedures = 1;  // at least 1
  std::size_t rules = 8;       // at least 8 per procedure
  std::size_t locks = 0;
  std::size_t nesting = 0;    // of branches, loops and monitors
  std::size_t spawns = 0;     // at most an eighth of the rules
  std::size_t variables = 0;  // shared ones, for questions about races
  std::uint64_t seed = 0;
};

// A random model that looks like a program: procedures with one entry and one exit, made of steps, branches, loops,
// calls, monitors and spawns, as many as the shape says and with exactly its number of rules. Every procedure is called
// or spawned, recursion is always behind a branch, and all positions are reachable. Throws Interrupted if asked to
// stop.
[[nodiscard]] ModelFile generate_program(const ProgramShape& shape, StopToken stop = {});

}  // namespace lockwood::dpn
