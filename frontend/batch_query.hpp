#pragma once

#include "dpn/network.hpp"
#include "frontend/batch_input.hpp"
#include "solver/batch.hpp"

namespace lockwood::frontend {

// The question that a query of a batch asks about the network, by the names of its symbols; docs/batch.md has the
// forms. What cannot be understood is a refusal, which names all that is wrong.
[[nodiscard]] solver::BatchQuestion question_of(const dpn::Network& network, const WrittenQuery& query);

}  // namespace lockwood::frontend
