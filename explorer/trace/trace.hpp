#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explorer/search/search.hpp"

namespace lockwood::explorer {

// A step by names, which every machine for the same program understands. Ids of threads are numbers in the order in
// which one machine met them.
struct TraceStep {
  std::string thread;
  std::uint32_t outcome = 0;
  std::optional<std::string> woken;  // by a notification, instead of the outcome
  friend bool operator==(const TraceStep&, const TraceStep&) = default;
};
using Trace = std::vector<TraceStep>;

// Executes the steps. False if one of them is not possible or meets a bound; then the machine is where it got to.
[[nodiscard]] bool replay(Machine& machine, const Run& run);

// The names of the steps of a run from here. The machine executes it and goes back. Requires that it can be replayed.
[[nodiscard]] Trace trace_of(Machine& machine, const Run& run);

// Executes the steps of a trace, maybe of another machine, and returns them as steps of this one. None if one of them
// is not possible; the machine goes back then.
[[nodiscard]] std::optional<Run> follow(Machine& machine, const Trace& trace);

}  // namespace lockwood::explorer
