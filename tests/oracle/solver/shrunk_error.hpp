#pragma once

#include <functional>
#include <optional>
#include <string>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::solver {

// What is wrong with an answer, if anything is. That an answer does not stand up to its own check is told by the
// exception.
using QueryCheck = std::function<std::optional<std::string>(const dpn::Network&, const dpn::Query&)>;
using ProblemCheck = std::function<std::optional<std::string>(const dpn::Network&, const Problem&)>;

// Nothing if nothing is wrong; else what is wrong with the answer about a model that is as small as can be, and the
// model. Of a problem, which must not have observers to be shrunk, only the network becomes smaller.
[[nodiscard]] std::optional<std::string> shrunk_error(const dpn::Network& network, const dpn::Query& query,
                                                      const QueryCheck& flaw);
[[nodiscard]] std::optional<std::string> shrunk_error(const dpn::Network& network, const Problem& problem,
                                                      const ProblemCheck& flaw);

}  // namespace lockwood::solver
