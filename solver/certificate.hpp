#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "dpn/schedule.hpp"
#include "solver/engine.hpp"
#include "solver/problem.hpp"

namespace lockwood::solver {

// What the problem asks, in the names of the model (docs/certificates.md).
[[nodiscard]] nlohmann::ordered_json problem_json(const dpn::Network& network, const Problem& problem);

// The proof that the problem has no answer besides those that the engine found: all contexts and facts that the engine
// derived, a table which is closed under every rule and has no other accepting fact. Requires that the engine ran to
// the end on this problem. lockwood-verify checks it (docs/certificates.md).
[[nodiscard]] nlohmann::ordered_json certificate(const dpn::Network& network, const Problem& problem,
                                                 const Engine& engine);

// The proof that the problem has an answer: a schedule, which lockwood-verify replays. Requires that the moves are
// enabled one after the other. `answer` are the symbols that were collected, if the problem collects.
[[nodiscard]] nlohmann::ordered_json witness(const dpn::Network& network, const Problem& problem,
                                             const dpn::Schedule& schedule,
                                             const std::vector<dpn::StackSymbol>& answer = {});

}  // namespace lockwood::solver
