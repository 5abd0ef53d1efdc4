#pragma once

#include <cstddef>
#include <string>

#include "base/process/stop.hpp"
#include "frontend/lsp/reading.hpp"

namespace lockwood::lsp {

// What is known at a byte of the text, in Markdown: what the name there is, and in a program which locks are held at
// that line and which lines may be executed at the same time by others. Empty if there is nothing to say. When asked to
// stop, says what is known by then.
[[nodiscard]] std::string hover(const Reading& reading, std::size_t offset, StopToken stop);

}  // namespace lockwood::lsp
