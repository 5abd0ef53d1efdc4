#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/program/lowering/lowering.hpp"

// What no start and no join of a thread orders: then a run may do it in either order, whatever locks do about that.
namespace lockwood::findings {

// The conflicts between accesses to these variables that can be done in either order by two threads.
[[nodiscard]] std::vector<Conflict> unordered_conflicts(const program::Lowered& lowered,
                                                        const std::vector<program::Variable>& variables,
                                                        StopToken stop = {});

// The pairs of sets of places, by number, at which two threads can stand; the second number is not the smaller one.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> unordered_places(
    const program::Lowered& lowered, const std::vector<std::vector<dpn::StackSymbol>>& sets, StopToken stop = {});

}  // namespace lockwood::findings
