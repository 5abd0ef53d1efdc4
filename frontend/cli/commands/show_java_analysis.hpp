#pragma once

#include <CLI/CLI.hpp>

#include "frontend/cli/commands/show_java.hpp"
#include "frontend/cli/input/java_input.hpp"
#include "frontend/cli/output/report_writer.hpp"

namespace lockwood::frontend {

// `--main`, `--call-graph`, `--points-to`, `--facts`, `--max-contexts`, `--models`, `--jdk-bodies`, `--library-code`.
void declare_show_analysis(CLI::App& app, ShowJavaOptions& options);

// Tells which objects and calls a Java program may have, and facts about them.
void show_analysis(JavaInput& input, const ShowJavaOptions& options, const std::optional<std::string>& dot,
                   ReportWriter& writer, const Run& run);

}  // namespace lockwood::frontend
