#pragma once

#include <cstddef>
#include <stdexcept>

#include "base/stop.hpp"

namespace lockwood::sets {

// How far a computation may go.
struct Limits {
  // Of an automaton; looked at after each operation. What a single operation may take is the stop's business.
  std::size_t states = 100'000;
  StopToken stop;
};

// Nobody is at fault, but there is no answer within the limits.
class LimitReached : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lockwood::sets
