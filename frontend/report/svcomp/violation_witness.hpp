#pragma once

#include <optional>
#include <string>

#include "frontend/findings/finding.hpp"

namespace lockwood::reports {

// The program that a witness is about.
struct WitnessedProgram {
  std::string version;  // of this program
  std::string path;
  std::string digest;   // SHA-256 of its text
  std::string changed;  // when its file was written: "2026-11-19T20:15:00Z"
};

// The run of a race or of an assertion that fails, as a violation witness in GraphML, format 1.0 of SV-COMP
// [beyer.15.witness]: a path of nodes, an edge for each step, with its line and thread, from the entry to the
// violation. Nothing for other findings, and for those that were not executed with the program's values.
[[nodiscard]] std::optional<std::string> violation_witness(const findings::Finding& finding,
                                                           const WitnessedProgram& program);

}  // namespace lockwood::reports
