#pragma once

#include <optional>
#include <vector>

#include "dpn/semantics/configuration.hpp"
#include "dpn/semantics/small_step.hpp"

namespace lockwood::solver::reference {

// All configurations that can be reached, each once up to the names of threads and ended threads, found one move at a
// time. Nothing if there are more than `limit`.
[[nodiscard]] std::optional<std::vector<dpn::Configuration>> all_configurations(const dpn::Network& network,
                                                                                dpn::Semantics semantics,
                                                                                std::size_t limit);

}  // namespace lockwood::solver::reference
