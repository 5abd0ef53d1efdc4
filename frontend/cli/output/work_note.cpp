#include "frontend/cli/output/work_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/process/standard_streams.hpp"
#include "base/process/watchdog.hpp"
#include "base/text/quantity.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/report/json/render_json.hpp"
#include "frontend/report/text/render_text.hpp"

namespace lockwood::frontend {

std::vector<Property> engine_work(const Run& run) {
  if (run.runs == nullptr) return {};
  const solver::RunTotals totals = run.runs->totals();
  std::vector<Property> properties{{"runs", count(totals.one_by_one + totals.by_families)}};
  std::ranges::move(properties_of(totals.statistics, totals.reduction), std::back_inserter(properties));
  std::vector<std::string> domains;
  if (totals.one_by_one > 0) domains.emplace_back("explicit");
  if (totals.by_families > 0) domains.emplace_back("zdd");
  properties.push_back({"domain", fmt::format("{}", fmt::join(domains, ", "))});
  return properties;
}

void report_work(const Report& report, const Run& run) {
  const double seconds = std::chrono::duration<double>{std::chrono::steady_clock::now() - run.start}.count();
  if (run.options.general.verbose) {
    for (const Property& property : report.engine) run.note(property_text(property));
    run.note(fmt::format("{:.2f} s, {}", seconds, size_text(resident_memory())));
  }
  if (!run.options.output.statistics) return;
  const Progress::Pause pause{run.progress};
  put_message(statistics_line(report, seconds, resident_memory()));
}

void report_work(const Run& run) {
  Report report;
  report.command = run.command;
  report.engine = engine_work(run);
  if (const auto reason = run.stop.reason()) report.stopped = to_string(*reason);
  report_work(report, run);
}

}  // namespace lockwood::frontend
