#pragma once

#include "frontend/lw/resolve.hpp"
#include "frontend/lw/syntax.hpp"
#include "frontend/lw/text_lines.hpp"
#include "frontend/program/program.hpp"

namespace lockwood::lw {

// The program that the syntax tree describes: evaluation from left to right, each read of a shared variable a step,
// then the step that uses the values. `resolved` must be that of the tree.
[[nodiscard]] program::Program translate(const SyntaxTree& tree, Resolved resolved, const TextLines& lines);

}  // namespace lockwood::lw
