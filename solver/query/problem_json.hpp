#pragma once

#include "base/text/json.hpp"
#include "solver/query/problem.hpp"

namespace lockwood::problem {

// What the problem asks, in the names of the model (docs/certificates.md).
[[nodiscard]] nlohmann::ordered_json problem_json(const dpn::Network& network, const Problem& problem);

// The inverse. Throws Rejected (named_json.hpp) if this is no problem about the network. The network must outlive the
// observers.
[[nodiscard]] Problem read_problem(const dpn::Network& network, const nlohmann::json& json);

}  // namespace lockwood::problem
