#pragma once

#include <string>

#include "frontend/cli/answering/engines.hpp"

namespace lockwood::frontend {

// Another program as an engine: the shell command is run with the name of a `.dpn` file as one more argument, and
// prints, as `lockwood check` does, a line that ends in `reachable`, `unreachable` or `unknown` for the one query in
// the file; the last such line counts. Its exit status does not matter, unless a signal ended it. Not to answer is a
// flaw.
[[nodiscard]] Engine external_engine(std::string name, std::string command);

}  // namespace lockwood::frontend
