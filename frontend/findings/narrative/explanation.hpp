#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dpn/model/network.hpp"
#include "solver/analyses/explain.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::frontend {

// The reason in sentences, with the names of the model, a line each.
[[nodiscard]] std::vector<std::string> explanation(const dpn::Network& network, const solver::Problem& problem,
                                                   const solver::Reason& reason);

// "main.t has ended by then: joined at main:7 join t", for each of the joins.
[[nodiscard]] std::vector<std::string> joined_by_then(const dpn::Network& network,
                                                      const std::vector<dpn::RuleId>& joins);

// What solver::smallest_removal found, as a sentence.
[[nodiscard]] std::string removal_text(const dpn::Network& network, const std::optional<std::vector<dpn::Lock>>& locks);

}  // namespace lockwood::frontend
