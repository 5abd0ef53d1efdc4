#pragma once

#include <optional>
#include <string>

#include "frontend/verify/problem.hpp"

namespace lockwood::verify {

// What is wrong with the witness's schedule as an execution that goes through the phases of the problem, and if it
// collects, ends with threads at the symbols of the witness's answer. Nothing if it is one: replayed move by move by
// the small-step semantics, which is all there is to trust.
[[nodiscard]] std::optional<std::string> schedule_flaw(const dpn::Network& network, const Problem& problem,
                                                       const JsonItem& witness);

}  // namespace lockwood::verify
