#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "frontend/lw/syntax.hpp"

namespace lockwood::lw {

struct Reparsed {
  SyntaxTree tree;
  std::size_t declaration;  // of both trees: the one that was read anew
};

// The tree of a text that differs from one without errors, whose tree is known, inside of one procedure only: this one
// is read, and the others are taken from the tree and moved. Nothing if the texts differ otherwise, or if the change
// may have an effect outside of the procedure. The tree is that of `parse`; if `parse` throws, so does this.
[[nodiscard]] std::optional<Reparsed> reparse(const SyntaxTree& before, std::string_view text_before,
                                              std::string_view text, std::string_view file);

// The rows of a table that belong to the procedure.
struct Rows {
  std::size_t begin;
  std::size_t end;
};
[[nodiscard]] Rows names_of(const SyntaxTree& tree, const ProcedureDeclaration& procedure);

}  // namespace lockwood::lw
