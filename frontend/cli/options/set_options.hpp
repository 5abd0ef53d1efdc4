#pragma once

#include <CLI/App.hpp>
#include <cstddef>

#include "base/process/exit_status.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/sets/asking.hpp"
#include "frontend/sets/limits.hpp"
#include "frontend/sets/result.hpp"

// What the commands about sets of execution trees share.
namespace lockwood::frontend {

struct SetOptions {
  sets::Way way = sets::Way::Automatic;
  std::size_t states = sets::Limits{}.states;
};

void declare_set_options(CLI::App& app, SetOptions& options);

// The model that sets are about. Of a program, labels and lines are known.
[[nodiscard]] sets::ModelPtr set_model(ModelInput model);

// What a statement means for the exit status: a check that fails is a finding.
[[nodiscard]] ExitStatus status_of(const sets::Result& result);

}  // namespace lockwood::frontend
