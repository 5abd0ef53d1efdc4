#pragma once

#include <string>

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

}  // namespace lockwood::frontend
