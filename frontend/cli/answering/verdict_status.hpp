#pragma once

#include <vector>

#include "base/process/exit_status.hpp"
#include "frontend/cli/options/options.hpp"
#include "frontend/report/report.hpp"

namespace lockwood::frontend {

// What an answer contributes to the exit status.
[[nodiscard]] ExitStatus status_of(const QueryAnswer& answer, const FailureOptions& failures);

// The exit status of all answers together, as the options say or else by the command's own idea of failures.
[[nodiscard]] ExitStatus status_of(const std::vector<QueryAnswer>& answers, const VerdictOptions& options,
                                   const FailureOptions& by_default);

// The same for findings. What is suppressed, or known from the baseline, does not count; by default, whatever was found
// does.
[[nodiscard]] ExitStatus status_of(const std::vector<findings::Finding>& findings, const VerdictOptions& options);

}  // namespace lockwood::frontend
