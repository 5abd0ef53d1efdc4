#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "base/id_vector.hpp"
#include "frontend/findings/source_terms.hpp"
#include "frontend/findings/suppressions.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/report.hpp"
#include "frontend/run.hpp"

namespace lockwood::frontend {

// How a program is read and turned into a model.
struct ProgramOptions {
  std::string path;
  std::vector<std::string> abstracted;  // PROCEDURE.LOCAL
  std::vector<std::string> silenced;    // names of warnings
};

// `FILE`, `--abstract`, `--no-warn`.
void declare_program(CLI::App& app, ProgramOptions& options);

// A program, its model, and what its author has to say about findings.
struct ProgramInput {
  lw::ProgramText source;
  program::Lowered lowered;
  IdVector<program::SourceFile, std::string> texts;
  findings::Suppressions suppressions;
  ModelIdentity identity;

  [[nodiscard]] const program::Program& program() const { return source.program; }
  // The input must stay where it is as long as the terms are used.
  [[nodiscard]] findings::SourceTerms terms() const { return {source.program, lowered, texts}; }
};

// Reads a program, `-` from standard input, and shows the warnings about it. Throws InputError.
[[nodiscard]] ProgramInput read_program(const ProgramOptions& options, const Run& run);

// Which findings a run has looked for.
enum class Extent { All, Some };

// Marks the findings that the program's text suppresses. If all findings of the rule were looked for, warns of
// suppressions that suppress nothing, and returns how many these are.
std::size_t apply_suppressions(ProgramInput& input, findings::Rule rule, std::vector<findings::Finding>& findings,
                               Extent extent, const Run& run);

// The label with this name. Throws InputError.
[[nodiscard]] const program::LoweredLabel& label_named(const ProgramInput& input, const std::string& name);

// The variable with this name. Throws InputError.
[[nodiscard]] program::Variable variable_named(const ProgramInput& input, const std::string& name);

}  // namespace lockwood::frontend
