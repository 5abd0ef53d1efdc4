#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "frontend/lsp/shown_diagnostic.hpp"

namespace lockwood::lsp {

// The remarks that an editor is told of a text: at most so many; 0: all. Errors of the text first, then one remark of
// each group, the worst of it, before the second of any: so each variable is heard of. If some are left out, the
// last one says how many, at the beginning of the text. They stay in their order.
[[nodiscard]] std::vector<Remark> limited(std::vector<Remark> remarks, std::size_t most);

// "12 more are not shown (--max-diagnostics=200)"
[[nodiscard]] std::string left_out_text(std::size_t left_out, std::size_t most);

}  // namespace lockwood::lsp
