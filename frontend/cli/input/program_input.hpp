#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/options/options.hpp"
#include "frontend/cli/run.hpp"
#include "frontend/findings/narrative/source_terms.hpp"
#include "frontend/findings/suppressions.hpp"
#include "frontend/report/report.hpp"

namespace lockwood::frontend {

// `FILE`, and how it is read: for commands that need a program.
void declare_program(CLI::App& app, std::string& path, ProgramOptions& options);

// A program, its model, and what its author has to say about findings.
struct ProgramInput {
  ProgramModel model;
  ModelIdentity identity;
  IdVector<program::SourceFile, std::string> texts;
  findings::Suppressions suppressions;

  [[nodiscard]] const program::Program& program() const { return model.source.program; }
  [[nodiscard]] const program::Lowered& lowered() const { return model.lowered; }
  [[nodiscard]] bool is_java() const { return model.assumptions.has_value(); }
  [[nodiscard]] const std::string& path() const { return model.source.path; }
  // The input must stay where it is as long as the terms are used.
  [[nodiscard]] findings::SourceTerms terms() const { return {program(), lowered(), texts}; }
};

// The program that a model was made of; complains about suppressions that are not understood. Requires that the model
// was made of a program.
[[nodiscard]] ProgramInput program_of(ModelInput input, const Run& run);

// Reads a program, `-` from standard input, and shows the warnings about it. Throws InputError, also if it is something
// else than a program.
[[nodiscard]] ProgramInput read_program(const std::string& path, const Run& run, const JavaWishes& wishes = {});

// A warning about a source of the program, with its line if the source was found.
[[nodiscard]] Diagnostic with_line(const ProgramInput& input, const Diagnostic& warning);

// The label with this name. Throws InputError.
[[nodiscard]] const program::LoweredLabel& label_named(const ProgramInput& input, const std::string& name);

// The variables with this name, or of the field with this name: there may be one for each object of a Java program. The
// name may leave out packages and classes around it if it is clear then. Throws InputError.
[[nodiscard]] std::vector<program::Variable> variables_named(const ProgramInput& input, const std::string& name);

// The variable with this name. Throws InputError.
[[nodiscard]] program::Variable variable_named(const ProgramInput& input, const std::string& name);

}  // namespace lockwood::frontend
