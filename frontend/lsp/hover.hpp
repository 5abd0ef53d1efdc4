#pragma once

#include <cstddef>
#include <string>

#include "base/process/stop.hpp"
#include "frontend/lsp/reading.hpp"

namespace lockwood::lsp {

// Has computed what a hover over a byte of the text tells of the network, unless that was done before.
void compute_hover(const Reading& reading, std::size_t offset, StopToken stop);

// What is known at a byte of the text, in Markdown: what the name there is, and in a program which locks are held at
// that line and which lines may be executed at the same time by others. Empty if there is nothing to say. Waits for
// what somebody else is computing, until the deadline at the latest; what is not known is said to be unknown.
[[nodiscard]] std::string hover(const Reading& reading, std::size_t offset, NetworkFacts::Time deadline,
                                StopToken stop);

}  // namespace lockwood::lsp
