#pragma once

#include <string>

#include "frontend/lw/syntax.hpp"

namespace lockwood::lw {

// The program as text, in one layout whatever it was read from, without comments. Reading it gives the same tree,
// places apart.
[[nodiscard]] std::string to_text(const SyntaxTree& tree);

[[nodiscard]] std::string to_text(const SyntaxTree& tree, ExpressionId expression);

}  // namespace lockwood::lw
