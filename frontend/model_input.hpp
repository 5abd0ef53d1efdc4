#pragma once

#include <string>
#include <vector>

#include "dpn/model_file.hpp"
#include "frontend/report.hpp"
#include "frontend/run.hpp"

namespace lockwood::frontend {

struct ModelInput {
  dpn::ModelFile file;
  ModelIdentity identity;
};

// Reads the model, `-` from standard input, and shows the warnings about it. Throws InputError.
[[nodiscard]] ModelInput read_model(const std::string& path, const Run& run);

// The model's queries with these numbers, from 1; all of them if there are no numbers. Throws InputError if there is no
// query of some number.
[[nodiscard]] std::vector<dpn::Query> selected_queries(const ModelInput& model,
                                                       const std::vector<std::size_t>& numbers);

}  // namespace lockwood::frontend
