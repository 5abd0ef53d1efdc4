#pragma once

#include "frontend/lw/resolve.hpp"
#include "frontend/lw/syntax.hpp"
#include "frontend/lw/text_lines.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::lw {

// The program that the syntax tree describes: evaluation from left to right, each read of a shared variable a step,
// then the step that uses the values. `resolved` must be that of the tree.
[[nodiscard]] program::Program translate(const SyntaxTree& tree, Resolved resolved, const TextLines& lines);

// A tree that was translated, and what became of it.
struct Translated {
  const SyntaxTree& tree;
  const IdVector<NameId, Referent>& referents;
  const program::Program& program;
};

// The same for a tree that differs from an earlier one only in this declaration, a procedure, and in where the text
// stands: if its change does not matter to the other procedures, they are taken from the earlier program.
[[nodiscard]] program::Program translate_again(const SyntaxTree& tree, Resolved resolved, const TextLines& lines,
                                               const Translated& earlier, std::size_t declaration);

}  // namespace lockwood::lw
