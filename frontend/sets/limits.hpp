#pragma once

#include <cstddef>

#include "base/stop.hpp"

namespace lockwood::sets {

// How far a computation may go. Nobody is at fault if that is not far enough: Interrupted tells which limit it was.
struct Limits {
  std::size_t states = 100'000;  // of an automaton, also of those on the way to it
  StopToken stop;
};

}  // namespace lockwood::sets
