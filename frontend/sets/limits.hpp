#pragma once

#include <cstddef>

#include "base/process/stop.hpp"

namespace lockwood::sets {

constexpr std::size_t node_limit = 100'000;  // of trees to count or sample

// How far a computation may go. Nobody is at fault if that is not far enough: Interrupted tells which limit it was.
struct Limits {
  std::size_t states = 100'000;  // of an automaton, also of those on the way to it
  StopToken stop;
};

}  // namespace lockwood::sets
