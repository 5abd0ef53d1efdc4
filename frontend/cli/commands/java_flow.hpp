#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/process/exit_status.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/options/options.hpp"
#include "frontend/cli/run.hpp"
#include "frontend/findings/analyses/flows.hpp"
#include "frontend/findings/settling.hpp"

namespace lockwood::frontend {

struct FlowCommandOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::vector<std::string> from;
  std::vector<std::string> to;
  std::optional<std::string> ends;  // a file of sources and sinks of a Java program
  bool control = false;
  bool observational = false;
  std::size_t max_transfers = findings::FlowOptions{}.max_transfers;
  std::size_t max_chains = findings::FlowOptions{}.max_chains;
  findings::SettlingBudget settling;
};

// All flows of a Java program from its sources to its sinks.
[[nodiscard]] ExitStatus run_java_flow(const FlowCommandOptions& options, Run& run);

}  // namespace lockwood::frontend
