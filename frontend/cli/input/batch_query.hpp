#pragma once

#include <functional>
#include <string>

#include "dpn/model/network.hpp"
#include "frontend/cli/input/batch_input.hpp"
#include "solver/analyses/batch.hpp"

namespace lockwood::frontend {

// A query in words as it was written, with its places as stack symbols. May throw InputError.
using PlaceNames = std::function<std::string(const std::string&)>;

// The question that a query of a batch asks about the network, by the names of its symbols, or of other places in
// queries that are written in words; docs/batch.md has the forms. What cannot be understood is a refusal, which names
// all that is wrong.
[[nodiscard]] solver::BatchQuestion question_of(const dpn::Network& network, const WrittenQuery& query,
                                                const PlaceNames& places = {});

}  // namespace lockwood::frontend
