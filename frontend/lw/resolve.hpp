#pragma once

#include <string_view>
#include <variant>

#include "frontend/lw/syntax.hpp"
#include "frontend/lw/text_lines.hpp"
#include "frontend/program/ir/program.hpp"
#include "frontend/program/lowering/warnings.hpp"

namespace lockwood::lw {

// What a name refers to. A label is only declared, never used inside the program.
struct LabelName {
  friend bool operator==(LabelName, LabelName) = default;
};
using Referent = std::variant<std::monostate, program::Variable, program::Lock, program::ProcedureId, program::Local,
                              LabelName, program::Group>;  // a group is that of a thread handle

// A syntax tree whose names are all known, and the program it will be: everything but the graphs of the procedures.
struct Resolved {
  IdVector<NameId, Referent> referents;
  program::Program outline;
  std::vector<program::Warning> warnings;
};

// Throws InputError with all errors found, up to a limit: names that are unknown, declared twice or of another kind,
// wrong numbers of arguments, jumps out of nothing, a missing main.
[[nodiscard]] Resolved resolve(const SyntaxTree& tree, const TextLines& lines, std::string_view text,
                               std::string_view file);

}  // namespace lockwood::lw
