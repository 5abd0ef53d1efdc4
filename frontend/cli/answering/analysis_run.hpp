#pragma once

#include "base/process/exit_status.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/input/program_input.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/cli/run.hpp"
#include "frontend/findings/findings.hpp"

// What commands that call an analysis have in common: findings go to the writer while they are found, the rest at the
// end.
namespace lockwood::frontend {

// Progress is shown, and the run's limits hold. It must outlive the watch.
[[nodiscard]] findings::Watch watch_of(Run& run);
// The same, and findings are written as soon as they are known. All must outlive it.
[[nodiscard]] findings::Watch watch_of(Run& run, ReportWriter& writer);

// Has answers proved by themselves, if the options ask for proofs. All must outlive it.
[[nodiscard]] findings::Confirm confirm_by(const SolvingOptions& options, Run& run);

// Warns of suppressions that suppress nothing.
void warn_of_unused(const findings::Findings& found, const ProgramInput& input, const Run& run);

// The counts, these properties, and how much was proved.
[[nodiscard]] Summary summary_from(const findings::Findings& found, std::vector<Property> more = {});

// What was not looked at, and why.
void report_notes(const findings::Findings& found, const Run& run);

// The exit status of findings that were written; of a run that has not looked at all, unless nothing is to count.
[[nodiscard]] ExitStatus status_of(const findings::Findings& found, const ReportWriter& writer,
                                   const VerdictOptions& verdict);

}  // namespace lockwood::frontend
