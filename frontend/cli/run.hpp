#pragma once

#include <CLI/App.hpp>
#include <chrono>
#include <string>
#include <string_view>

#include "base/process/stop.hpp"
#include "base/text/diagnostic.hpp"
#include "frontend/cli/options/options.hpp"
#include "frontend/cli/progress.hpp"
#include "frontend/cli/supervisor.hpp"
#include "solver/engine/run_log.hpp"

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
  bool abridged = false;  // a limit left no time to write down all that is known

  // On standard error; silent if asked to be quiet.
  void warn(const Diagnostic& diagnostic) const;
  void note(std::string_view text) const;

  // Writes what the command was asked for, all at once; then there is nothing left to do. `-` is standard output.
  // Throws OutputError.
  void write_answer(const std::string& path, std::string_view text) const;
};

}  // namespace lockwood::frontend
