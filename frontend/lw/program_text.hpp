#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/lw/resolve.hpp"
#include "frontend/lw/syntax.hpp"
#include "frontend/program/ir/program.hpp"
#include "frontend/program/lowering/warnings.hpp"

namespace lockwood::lw {

// A comment of the text: `// race x` in line 12.
struct LineComment {
  std::string text;  // without marks and blanks around it
  Position at;
  std::uint32_t line;  // with which it goes: where it begins if something is before it there, else where it ends
  bool alone = false;  // nothing is before it or behind it on its lines
};

// A `.lw` text and what it means.
struct ProgramText {
  std::string path;
  std::string text;
  SyntaxTree tree;
  IdVector<NameId, Referent> referents;  // a local is one of the procedure around its name
  program::Program program;
  std::vector<LineComment> comments;
  std::vector<program::Warning> warnings;  // by place
};

// Whether the text is a program, and not a model: by the ending of its name, or else by how it begins. Programs begin
// with a declaration; models with the word dpn, or as JSON.
[[nodiscard]] bool is_program(std::string_view path, std::string_view text);

// Reads a program. Throws InputError with all errors found, up to a limit, and Interrupted if asked to stop.
[[nodiscard]] ProgramText read_program(std::string text, std::string path, StopToken stop = {});

// The same, faster if it is the text of a program that was read before, or differs only inside of one procedure.
[[nodiscard]] ProgramText read_program_again(std::string text, const ProgramText& before);

// A warning as it is shown, with its line and its name: `… [unused-lock]`.
[[nodiscard]] Diagnostic to_diagnostic(const ProgramText& program, const program::Warning& warning);

// The diagnostic with the line that it is about, if it has a place in this text and no excerpt yet.
[[nodiscard]] Diagnostic with_excerpt(const ProgramText& program, Diagnostic diagnostic);

}  // namespace lockwood::lw
