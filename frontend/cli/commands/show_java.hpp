#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/process/exit_status.hpp"
#include "frontend/cli/run.hpp"
#include "frontend/java/java_program.hpp"
#include "frontend/java/pointsto/options.hpp"

namespace lockwood::frontend {

// What `show` is asked about a Java program.
struct ShowJavaOptions {
  std::optional<std::string> code;  // of which methods (java::named_methods)
  bool monitors = false;
  bool call_graph = false;
  std::optional<std::string> points_to;  // of which methods
  std::optional<std::string> facts;      // of which methods
  [[nodiscard]] bool analyses() const { return call_graph || points_to || facts; }
  [[nodiscard]] bool any() const { return code || monitors || analyses(); }
};

// `--ir`, `--monitors`, `--call-graph`, `--points-to`, `--facts`, and what these need.
void declare_show_java(CLI::App& app, ShowJavaOptions& options);

// Tells what is in the program. `dot` is where a picture of the call graph goes, "-" for the place of the report.
ExitStatus show_java(const std::string& path, const ShowJavaOptions& options, const std::optional<std::string>& dot,
                     Run& run);

}  // namespace lockwood::frontend
