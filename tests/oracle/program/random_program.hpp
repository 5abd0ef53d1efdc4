#pragma once

#include <cstdint>
#include <string>

namespace lockwood::lw {

struct RandomProgramShape {
  std::size_t procedures = 3;  // besides main
  std::size_t statements = 5;  // of a procedure, in all its blocks
  std::size_t nesting = 3;
  std::size_t variables = 2;
  std::size_t locks = 2;
  std::size_t spawns = 2;  // statements that spawn, in the whole program
  bool bools = true;       // local bools, and branches on them
  bool jumps = true;       // return, break, continue, throw, try
  bool loops = true;
  bool joins = false;       // thread handles, join, finish
  bool arithmetic = false;  // expressions of all kinds, also in conditions: for reading and printing only
};

// The text of a random program, the same for the same seed. Every statement has a label. Its states are finitely many:
// no recursion, no spawns in loops, and shared variables only take values that occur in the text. Without `arithmetic`,
// it branches on nothing but bools and `*`.
[[nodiscard]] std::string random_program(std::uint64_t seed, const RandomProgramShape& shape);

// The text of a random program whose threads pass values on between the variables x0, x1, x2: in statements, and in
// locals, arguments and results, some of it while holding a lock. Every statement has a label; it branches on nothing
// but
// `*`, within && and ||, and when it divides.
[[nodiscard]] std::string random_carriers(std::uint64_t seed);

}  // namespace lockwood::lw
