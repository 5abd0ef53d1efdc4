#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/findings/difference.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_texts.hpp"
#include "frontend/report/sarif/sarif_bounds.hpp"

namespace lockwood::reports {

// What a log tells of one run.
struct SarifRun {
  std::string version;  // of this program
  std::string command;
  std::span<const findings::Finding> findings;
  const findings::SourceTexts& sources;
  std::vector<findings::KnownFinding> absent = {};         // found by the earlier report, if there is one, and gone
  std::span<const findings::Assumption> assumptions = {};  // about the program
  std::string stopped = {};                                // why the work ended early; empty if it did not
  SarifBounds bounds = {};
};

// The run as a SARIF 2.1.0 log, ended by a newline, made for the viewers there are: editors show the first code flow
// only, so that is the whole schedule in one thread flow; the second has a thread flow for each thread, as the standard
// means it. Schedules of more than a thousand steps lose steps that concern neither locks nor threads. If there are
// more findings than the bounds allow, those that are certain come before those that are possible, and these before
// what is suppressed or no fault; the log says what it lacks. Throws Interrupted if asked to stop.
[[nodiscard]] std::string to_sarif(const SarifRun& run, StopToken stop = {});

// What the log of the run lacks because of its bounds, a sentence each.
[[nodiscard]] std::vector<std::string> omissions(const SarifRun& run);

}  // namespace lockwood::reports
