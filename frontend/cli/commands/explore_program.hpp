#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "base/process/exit_status.hpp"
#include "frontend/cli/input/program_input.hpp"
#include "frontend/cli/options/options.hpp"
#include "frontend/cli/run.hpp"
#include "frontend/program/interpreter/exploration.hpp"

namespace lockwood::frontend {

// How programs are searched with their real values: `explore FILE.lw`.
struct ProgramSearch {
  enum class Reduction { Frozen, None, Source, Optimal };
  enum class Change { Full, Quick };
  enum class Direction { Ariadne };

  program::ExplorationOptions search;
  std::optional<program::Strategy> strategy;
  Reduction reduction = Reduction::Frozen;
  bool parallel = true;               // asks the engine which places can be reached at the same time
  std::optional<std::string> traces;  // a folder for the runs
  std::optional<std::string> since;   // a file: what is known of the version before
  std::optional<Change> change;
  std::optional<Direction> direction;
  std::optional<std::string> save;  // a file, for the next version
};
void declare_program_search(CLI::App& app, ProgramSearch& options);

// Writes what is wrong with the program.
[[nodiscard]] ExitStatus explore_program(ProgramInput input, const ProgramSearch& options,
                                         const VerdictOptions& verdict, Run& run);

}  // namespace lockwood::frontend
