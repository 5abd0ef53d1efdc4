#pragma once

#include <CLI/App.hpp>
#include <chrono>
#include <string_view>

#include "base/diagnostic.hpp"
#include "base/stop.hpp"
#include "frontend/options.hpp"
#include "frontend/progress.hpp"
#include "frontend/supervisor.hpp"
#include "solver/run_log.hpp"

namespace lockwood::frontend {

// What surrounds a command while it runs: whom it obeys, and whom it talks to besides giving its answer.
struct Run {
  std::string_view command;
  const CommonOptions& options;
  const CLI::App& program;
  StopToken stop;
  Supervisor& supervisor;
  Progress& progress;
  const solver::RunLog* runs;  // none if nobody wants to know what the engine did
  std::chrono::steady_clock::time_point start;

  // On standard error; silent if asked to be quiet.
  void warn(const Diagnostic& diagnostic) const;
  void note(std::string_view text) const;
};

}  // namespace lockwood::frontend
