#pragma once

#include "explorer/search/search.hpp"

namespace lockwood::explorer {

// search() for all orders but depth first: states wait in a queue, and the machine is set to each from the store.
[[nodiscard]] SearchResult frontier_search(Machine& machine, const SearchOptions& options);

}  // namespace lockwood::explorer
