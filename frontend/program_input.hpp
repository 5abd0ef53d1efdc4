#pragma once

#include <optional>
#include <string>

#include "base/id_vector.hpp"
#include "frontend/findings/source_terms.hpp"
#include "frontend/findings/suppressions.hpp"
#include "frontend/model_input.hpp"

namespace lockwood::frontend {

// A program, its model, and what its author has to say about findings.
struct ProgramInput {
  program::Program program;
  program::Lowered lowered;
  IdVector<program::SourceFile, std::string> texts;
  findings::Suppressions suppressions;
  ModelIdentity identity;

  // It must stay where it is as long as the terms are used.
  [[nodiscard]] findings::SourceTerms terms() const { return {program, lowered, texts}; }
};

// Reads a program, `-` from standard input, and shows the warnings about it. Throws InputError.
[[nodiscard]] ProgramInput read_program(const std::string& path, const ProgramOptions& options, const Run& run);

// Marks the findings that the program's text suppresses. Warns of suppressions of this rule that suppress nothing,
// unless only a part of the findings was looked for.
void apply_suppressions(ProgramInput& input, findings::Rule rule, std::vector<findings::Finding>& findings,
                        bool all_looked_for, const Run& run);

// The label with this name. Throws InputError.
[[nodiscard]] const program::LoweredLabel& label_named(const ProgramInput& input, const std::string& name);

// The variable with this name. Throws InputError.
[[nodiscard]] program::Variable variable_named(const ProgramInput& input, const std::string& name);

}  // namespace lockwood::frontend
