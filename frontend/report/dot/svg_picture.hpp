#pragma once

#include <string>

#include "base/process/stop.hpp"

namespace lockwood::frontend {

// The picture that a graph in the language of Graphviz describes, laid out by its program `dot`. Throws InputError if
// that is not there or does not understand the graph, and Interrupted.
[[nodiscard]] std::string to_svg(const std::string& graph, const StopToken& stop);

}  // namespace lockwood::frontend
