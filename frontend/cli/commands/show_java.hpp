#pragma once

#include <optional>
#include <string>

#include "base/process/exit_status.hpp"
#include "frontend/cli/run.hpp"
#include "frontend/java/java_program.hpp"

namespace lockwood::frontend {

// What `show` is asked about a Java program.
struct ShowJavaOptions {
  java::JavaOptions program;
  std::optional<std::string> code;  // of which methods (java::named_methods)
  bool monitors = false;
  [[nodiscard]] bool any() const { return !program.class_path.empty() || program.jdk || code || monitors; }
};

// `-cp`, `--jdk`, `--ir`, `--monitors`.
void declare_show_java(CLI::App& app, ShowJavaOptions& options);

// Tells what is in the program.
ExitStatus show_java(const std::string& path, const ShowJavaOptions& options, Run& run);

}  // namespace lockwood::frontend
