#pragma once

#include <string>
#include <vector>

#include "frontend/model_input.hpp"

namespace lockwood::frontend {

// A query as a person writes it about a program, with its places as stack symbols: in the sets of positions, a label,
// `line 12`, `FILE:12` or `main:12` is replaced by the symbols that stand there. Everything else stays, and so do
// queries about models that were not made of a program. Throws InputError: a place that does not exist.
[[nodiscard]] std::string with_symbols(const ModelInput& model, const std::string& query);

}  // namespace lockwood::frontend
