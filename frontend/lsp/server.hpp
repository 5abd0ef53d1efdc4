#pragma once

#include <chrono>
#include <cstddef>

#include "base/process/stop.hpp"
#include "base/process/watchdog.hpp"
#include "frontend/lsp/java_settings.hpp"
#include "frontend/lsp/reading.hpp"

namespace lockwood::lsp {

struct ServerOptions {
  ReadingOptions reading;
  std::chrono::milliseconds pause{500};  // in typing, before the solver is asked
  Limits limits;                         // of one analysis
  std::size_t max_diagnostics = 200;     // told of one document; 0: all. Until the editor sets another number
  std::string version;
  JavaSettings java;  // until the editor sets others
};

// How a conversation ended: as the protocol has it, by `shutdown` and then `exit`, or otherwise.
enum class Ending { InOrder, Abrupt };

// A language server on standard input and output, until the client says `exit`, the input ends, or it is asked to stop.
// Throws OutputError if the client cannot be written to, and std::bad_alloc or std::system_error if there is no memory
// to go on, in whichever of its threads.
[[nodiscard]] Ending serve(const ServerOptions& options, StopToken stop);

}  // namespace lockwood::lsp
