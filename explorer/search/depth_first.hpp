#pragma once

#include "explorer/search/search.hpp"

namespace lockwood::explorer {

// search() for Order::DepthFirst: the machine stays where it is and goes back by its trail.
[[nodiscard]] SearchResult depth_first_search(Machine& machine, const SearchOptions& options);

}  // namespace lockwood::explorer
