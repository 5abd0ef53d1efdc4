#include "frontend/cli/answering/analysis_run.hpp"

#include <iterator>
#include <utility>

#include "frontend/cli/answering/verdict_status.hpp"

namespace lockwood::frontend {

findings::Watch watch_of(Run& run) {
  const auto show = [&run](std::string_view what, std::size_t number, std::size_t total) {
    if (total == 0)
      run.progress.show(std::string{what});
    else
      run.progress.show(what, number, total);
  };
  return {.on_progress = show, .stop = run.stop};
}

findings::Watch watch_of(Run& run, ReportWriter& writer) {
  findings::Watch watch = watch_of(run);
  watch.on_finding = [&writer](findings::Finding finding) { writer.add(std::move(finding)); };
  return watch;
}

findings::Confirm confirm_by(const SolvingOptions& options, Run& run) {
  if (!options.verify && !options.proofs) return {};
  return [&options, &run](const dpn::Network& network, const solver::Problem& problem, const std::string& text,
                          dpn::Verdict verdict) {
    return Solver{network, options, run}.confirm(problem, text, verdict);
  };
}

void warn_of_unused(const findings::Findings& found, const ProgramInput& input, const Run& run) {
  for (const Diagnostic& warning : found.unused_suppressions) run.warn(with_line(input, warning));
}

Summary summary_from(const findings::Findings& found, std::vector<Property> more) {
  Summary summary;
  for (const auto& [name, number] : found.counts) summary.properties.push_back({name, count(number)});
  std::ranges::move(more, std::back_inserter(summary.properties));
  std::ranges::move(properties_of(found.confirmation), std::back_inserter(summary.properties));
  return summary;
}

void report_notes(const findings::Findings& found, const Run& run) {
  for (const std::string& note : found.notes) run.note(note);
}

ExitStatus status_of(const findings::Findings& found, const ReportWriter& writer, const VerdictOptions& verdict) {
  return combined(combined(status_of(writer.findings(), verdict), status_of(writer.unwritten(), verdict)),
                  found.complete || verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::GaveUp);
}

}  // namespace lockwood::frontend
