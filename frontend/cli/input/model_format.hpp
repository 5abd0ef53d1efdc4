#pragma once

#include <CLI/App.hpp>
#include <string>

#include "dpn/formats/model_file.hpp"
#include "frontend/cli/run.hpp"

namespace lockwood::frontend {

// How a model is written: as asked for, or as the name of the output says.
enum class ModelFormat { ByName, Dpn, Json };

CLI::Option* declare_model_format(CLI::App& app, ModelFormat& format);

// Whether that is JSON for an output of this name.
[[nodiscard]] bool is_json(ModelFormat format, const std::string& path);

// Writes the model with its queries; `-` is standard output. Throws OutputError.
void write_model(const dpn::ModelFile& model, ModelFormat format, const std::string& path, Run& run);

}  // namespace lockwood::frontend
