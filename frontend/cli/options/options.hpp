#pragma once

#include <CLI/App.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/process/limit_options.hpp"
#include "base/process/watchdog.hpp"
#include "frontend/cli/progress.hpp"
#include "frontend/java/client/library_client.hpp"
#include "frontend/java/java_program.hpp"
#include "frontend/java/lowering/java_model.hpp"
#include "frontend/java/pointsto/options.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "frontend/program/lowering/warnings.hpp"
#include "frontend/report/sarif/sarif_bounds.hpp"
#include "frontend/report/text/terminal.hpp"

// The options that many commands share, and how they are declared. Help shows options by section, in this order.
namespace lockwood::frontend {

namespace section {
inline constexpr const char* input = "Input";
inline constexpr const char* parameters = "Parameters";
inline constexpr const char* reductions = "Model reductions";
inline constexpr const char* analysis = "Analysis";
inline constexpr const char* limits = "Limits";
inline constexpr const char* output = "Output";
inline constexpr const char* general = "General";
}  // namespace section

struct OutputOptions {
  std::string path = "-";
  std::optional<std::string> json;  // "-" is the place of the answer, instead of the text
  bool json_lines = false;
  bool timing = false;
  // Besides the text, into files.
  std::optional<std::string> sarif;
  reports::SarifBounds sarif_bounds;
  std::optional<std::string> html;
  std::optional<std::string> svcomp;        // a folder
  std::optional<std::string> baseline;      // an earlier report to compare the findings with
  bool only_executed = false;               // of what was found only what is certain
  std::optional<std::size_t> max_findings;  // of what was found so many
  bool statistics = false;                  // as JSON, on standard error
};

// What makes the exit status 1.
struct FailureOptions {
  bool reachable = false;  // or a finding
  bool unexpected = false;
  bool unknown = false;
  bool executed = false;  // a finding that is certain
  bool race = false;      // a finding of this kind
  bool deadlock = false;  // or a thread that waits for ever
  bool flow = false;
};

struct VerdictOptions {
  bool exit_zero = false;
  std::optional<FailureOptions> fail_on;  // none: the command's default
};

struct GeneralOptions {
  ColorMode color = ColorMode::Auto;
  ProgressMode progress = ProgressMode::Auto;
  bool quiet = false;
  bool verbose = false;
};

// How Java programs are read: what surrounds them, what is analysed, and what their models forget.
struct JavaInputOptions {
  java::JavaOptions surroundings;
  java::PointsToOptions analysis;
  std::vector<std::string> models;  // files with models of library classes
  java::LibraryRequest library;     // a client is made up for these classes
  java::JavaLoweringOptions lowering;
  [[nodiscard]] bool any() const {
    return !surroundings.class_path.empty() || surroundings.jdk || analysis.main || !models.empty() ||
           !analysis.jdk_bodies.empty() || !analysis.library_code.empty() || !lowering.source_path.empty() ||
           library.wanted || !library.entries.empty();
  }
};

// How programs are read: what their models forget, and which warnings nobody wants to see.
struct ProgramOptions {
  program::LoweringOptions lowering;
  std::vector<program::WarningCode> silenced;
  JavaInputOptions java;
};

// What the program itself must know of every command.
struct CommonOptions {
  ProgramOptions program;
  Limits limits;
  OutputOptions output;
  VerdictOptions verdict;
  GeneralOptions general;
};

// The input: `FILE`, required, and how it is read if it is a program.
void declare_model(CLI::App& app, std::string& path, ProgramOptions& options);
void declare_program_options(CLI::App& app, ProgramOptions& options);
// `-cp`, `--jdk`, `--main`, `--models`, …: where a Java program is, and what of it is analysed.
void declare_java_options(CLI::App& app, JavaInputOptions& options);
// Which of the model's queries to answer: `--query=N`, any number of times.
void declare_query_numbers(CLI::App& app, std::vector<std::size_t>& numbers);
// Where the answer goes, for commands that write something else than a report.
void declare_output_path(CLI::App& app, std::string& path);
// Where the report goes, and in which format.
void declare_report(CLI::App& app, OutputOptions& options);
// For reports that answer queries, besides declare_report.
void declare_json_lines(CLI::App& app, OutputOptions& options);
// `--stats`: for commands that run the engine, and call report_work at the end.
void declare_statistics(CLI::App& app, OutputOptions& options);
// `--sarif`, `--html`, `--stats`: for reports with findings or queries, besides declare_report.
void declare_finding_files(CLI::App& app, OutputOptions& options);
// `--svcomp`: of commands whose findings have runs.
void declare_svcomp(CLI::App& app, OutputOptions& options);
// `--baseline`: for reports with findings.
void declare_baseline(CLI::App& app, OutputOptions& options);
// `--only`, `--max-findings`: which findings are written.
void declare_finding_choice(CLI::App& app, OutputOptions& options);
void declare_verdict(CLI::App& app, VerdictOptions& options);
// The same for commands whose report has findings instead of queries.
void declare_finding_verdict(CLI::App& app, VerdictOptions& options);
void declare_general(CLI::App& app, GeneralOptions& options);

// The number, at least 0, that an option or argument was given; CLI11's own conversion takes -1 for the largest one.
// Throws CLI::ValidationError.
[[nodiscard]] std::size_t number_in(const std::string& name, const std::string& text);

// An option that takes a number, at least 0.
CLI::Option* add_number(CLI::App& app, const std::string& name, std::size_t& target, const std::string& description);

// An option that takes one of a few words. The words, separated by |, are its type name, which help and completion
// show.
template <class Enum>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Enum& target,
                        std::vector<std::pair<std::string, Enum>> choices, const std::string& description);

// Throws CLI::ValidationError: what was given, what could have been, and the nearest.
[[noreturn]] void refuse_choice(const std::string& option, const std::string& given,
                                const std::vector<std::string>& words);

template <class Enum>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Enum& target,
                        std::vector<std::pair<std::string, Enum>> choices, const std::string& description) {
  std::string type;
  for (const auto& [word, value] : choices) type += (type.empty() ? "" : "|") + word;
  const auto choose = [&target, name, choices](const std::string& given) {
    std::vector<std::string> words;
    for (const auto& [word, value] : choices) {
      if (word == given) {
        target = value;
        return;
      }
      words.push_back(word);
    }
    refuse_choice(name, given, words);
  };
  return app.add_option_function<std::string>(name, choose, description)->type_name(type);
}

}  // namespace lockwood::frontend
