#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"

// Answers of the engine with proofs, and the checker that does not believe the engine.
namespace lockwood::api {

// The proof of an answer that has a witness or a certificate, as lockwood-verify reads it. Throws Interrupted if asked
// to stop.
[[nodiscard]] std::string proof_of(const dpn::Network& network, const solver::Problem& problem,
                                   const solver::Answer& found, StopToken stop);

// What the code of lockwood-verify has against it as a proof of this verdict on this problem, or nothing. Throws
// Interrupted if asked to stop.
[[nodiscard]] std::optional<std::string> rejection_reason(const dpn::Network& network, const solver::Problem& problem,
                                                          std::string_view proof, dpn::Verdict verdict, StopToken stop);

}  // namespace lockwood::api
