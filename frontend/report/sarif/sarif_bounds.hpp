#pragma once

#include <cstddef>

namespace lockwood::reports {

// How large a log may become. GitHub takes no more results; what shows flows gets slow long before.
struct SarifBounds {
  std::size_t results = 25'000;
  std::size_t flows = 1'000;  // results with flows, stacks and related locations; the others are told without
};

}  // namespace lockwood::reports
