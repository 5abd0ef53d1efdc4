#pragma once

#include <string>

#include "base/text/diagnostic.hpp"
#include "dpn/model/network.hpp"

namespace lockwood::problem {

// Throws InputError if the network uses groups of threads: what computes without knowing joins must say so, and not
// answer another question. `who` is what does not know them, such as "the engine".
inline void refuse_joins(const dpn::Network& network, const std::string& who) {
  if (network.uses_groups()) throw InputError{"groups", "joins are not supported by " + who + " yet"};
}

}  // namespace lockwood::problem
