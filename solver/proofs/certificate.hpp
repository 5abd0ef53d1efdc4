#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "solver/engine/engine.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/query/witness_json.hpp"

namespace lockwood::solver {

// The proof that the problem has no answer besides those that the engine found: all contexts and facts that the engine
// derived, a table which is closed under every rule and has no other accepting fact. Requires that the engine ran to
// the end on this problem. lockwood-verify checks it (docs/certificates.md). Throws Interrupted if asked to stop.
[[nodiscard]] nlohmann::ordered_json certificate(const dpn::Network& network, const Problem& problem,
                                                 const Engine& engine, StopToken stop = {});

}  // namespace lockwood::solver
