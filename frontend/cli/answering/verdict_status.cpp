#include "frontend/cli/answering/verdict_status.hpp"

namespace lockwood::frontend {

ExitStatus status_of(const QueryAnswer& answer, const FailureOptions& failures) {
  if (answer.broken) return ExitStatus::Internal;
  if (failures.unexpected && contradicts_expectation(answer)) return ExitStatus::Finding;
  switch (answer.verdict) {
    case dpn::Verdict::Reachable: {
      const bool certain = answer.certainty.value_or(findings::Certainty::Exact) != findings::Certainty::Possible;
      const bool fails =
          failures.reachable || (failures.executed && certain) || (failures.deadlock && !answer.cycle.empty());
      return fails ? ExitStatus::Finding : ExitStatus::Nothing;
    }
    case dpn::Verdict::Unreachable: return ExitStatus::Nothing;
    case dpn::Verdict::Unknown: return failures.unknown ? ExitStatus::Finding : ExitStatus::GaveUp;
  }
  return ExitStatus::Internal;
}

ExitStatus status_of(const std::vector<QueryAnswer>& answers, const VerdictOptions& options,
                     const FailureOptions& by_default) {
  const FailureOptions failures = options.fail_on.value_or(by_default);
  ExitStatus status = ExitStatus::Nothing;
  for (const QueryAnswer& answer : answers)
    if (answer.broken || !options.exit_zero) status = combined(status, status_of(answer, failures));
  return status;
}

namespace {

bool fails(const findings::Finding& finding, const FailureOptions& failures) {
  using findings::Rule;
  if (!findings::is_open(finding)) return false;
  if (failures.reachable || (failures.executed && findings::is_certain(finding))) return true;
  switch (finding.rule) {
    case Rule::Race: return failures.race;
    case Rule::Deadlock:
    case Rule::Waiting: return failures.deadlock;
    case Rule::Flow: return failures.flow;
    default: return false;
  }
}

}  // namespace

ExitStatus status_of(const std::vector<findings::Finding>& findings, const VerdictOptions& options) {
  if (options.exit_zero) return ExitStatus::Nothing;
  const FailureOptions failures = options.fail_on.value_or(FailureOptions{.reachable = true});
  ExitStatus status = ExitStatus::Nothing;
  for (const findings::Finding& finding : findings) {
    if (finding.suppressed) continue;
    if (fails(finding, failures)) status = combined(status, ExitStatus::Finding);
    if (finding.outcome == findings::Outcome::Unknown)
      status = combined(status, failures.unknown ? ExitStatus::Finding : ExitStatus::GaveUp);
  }
  return status;
}

}  // namespace lockwood::frontend
