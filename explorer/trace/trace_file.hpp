#pragma once

#include <string>
#include <string_view>

#include "explorer/trace/trace.hpp"

namespace lockwood::explorer {

// A trace that is kept: of which program it is, and what it shows.
struct TraceFile {
  std::string source;   // where the program was, for people who replay it
  std::string program;  // a digest; whoever replays it compares
  std::string finding;  // the id of what it leads to
  Trace trace;
  friend bool operator==(const TraceFile&, const TraceFile&) = default;
};

// JSON lines: a header, a line for each step, and a last line with their number, so that half a file is noticed.
[[nodiscard]] std::string to_text(const TraceFile& file);

// Throws InputError: not a trace, a line that is not understood, the end is missing.
[[nodiscard]] TraceFile read_trace(std::string_view text, const std::string& path);

}  // namespace lockwood::explorer
