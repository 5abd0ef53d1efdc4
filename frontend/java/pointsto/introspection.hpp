#pragma once

#include <cstddef>
#include <vector>

#include "frontend/java/pointsto/points_to.hpp"

namespace lockwood::java {

// Which procedures are to have one copy only, by what the analysis without contexts predicts: the number of their
// contexts, times how much flows in [smaragdakis.14.introspective]. The costliest are given up until the rest has at
// most `max_copies` copies together. By procedure.
[[nodiscard]] std::vector<bool> costly_procedures(const PointsTo& insensitive, std::size_t max_copies);

// Gives up, after a run with too many copies, the procedures that have most of them: at least one, and enough that
// half of the copies are gone. False if all are given up already.
[[nodiscard]] bool give_up_more(std::vector<bool>& given_up, const std::vector<std::size_t>& copies);

}  // namespace lockwood::java
