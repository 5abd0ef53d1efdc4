#include "frontend/cli/answering/verdict_status.hpp"

namespace lockwood::frontend {

ExitStatus status_of(const QueryAnswer& answer, const FailureOptions& failures) {
  if (failures.unexpected && contradicts_expectation(answer)) return ExitStatus::Finding;
  switch (answer.verdict) {
    case dpn::Verdict::Reachable: return failures.reachable ? ExitStatus::Finding : ExitStatus::Nothing;
    case dpn::Verdict::Unreachable: return ExitStatus::Nothing;
    case dpn::Verdict::Unknown: return failures.unknown ? ExitStatus::Finding : ExitStatus::GaveUp;
  }
  return ExitStatus::Internal;
}

ExitStatus status_of(const std::vector<QueryAnswer>& answers, const VerdictOptions& options,
                     const FailureOptions& by_default) {
  if (options.exit_zero) return ExitStatus::Nothing;
  ExitStatus status = ExitStatus::Nothing;
  for (const QueryAnswer& answer : answers)
    status = combined(status, status_of(answer, options.fail_on.value_or(by_default)));
  return status;
}

ExitStatus status_of(const std::vector<findings::Finding>& findings, const VerdictOptions& options) {
  if (options.exit_zero) return ExitStatus::Nothing;
  const FailureOptions failures = options.fail_on.value_or(FailureOptions{.reachable = true});
  ExitStatus status = ExitStatus::Nothing;
  for (const findings::Finding& finding : findings) {
    if (finding.suppressed) continue;
    if (findings::is_open(finding) && failures.reachable) status = combined(status, ExitStatus::Finding);
    if (finding.outcome == findings::Outcome::Unknown)
      status = combined(status, failures.unknown ? ExitStatus::Finding : ExitStatus::GaveUp);
  }
  return status;
}

}  // namespace lockwood::frontend
