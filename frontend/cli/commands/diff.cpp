#include "base/process/text_file.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/findings/difference.hpp"

namespace lockwood::frontend {
namespace {

struct DiffOptions {
  CommonOptions common;
  std::string before;
  std::string after;
};

void declare(CLI::App& app, DiffOptions& options) {
  app.add_option("OLD", options.before, "a report in JSON")->required()->type_name("FILE")->group(section::input);
  app.add_option("NEW", options.after, "a later one")->required()->type_name("FILE")->group(section::input);
  declare_limits(app, options.common.limits);
  declare_report(app, options.common.output);
  app.add_flag("--exit-zero", options.common.verdict.exit_zero, "exit 0 even if findings were introduced")
      ->group(section::output);
  declare_general(app, options.common.general);
}

Table table_of(std::string key, std::string title, const std::vector<findings::KnownFinding>& findings) {
  Table table{
      .key = std::move(key), .title = std::move(title), .columns = {"id", "rule", "subject", "message"}, .rows = {}};
  for (const findings::KnownFinding& finding : findings)
    table.rows.push_back({finding.id, finding.rule, finding.subject, finding.message});
  return table;
}

ExitStatus run(const DiffOptions& options, Run& run) {
  const findings::KnownFindings before =
      findings::known_findings(read_text_file(options.before, run.stop), options.before);
  const findings::KnownFindings after =
      findings::known_findings(read_text_file(options.after, run.stop), options.after);
  const findings::Difference found = findings::difference(before, after);
  ReportWriter writer{run};
  writer.add(table_of("introduced", "Introduced", found.introduced));
  writer.add(table_of("fixed", "Fixed", found.fixed));
  if (!found.undecided.empty())
    writer.add(table_of("undecided", "Not decided, or not looked for, by the new report", found.undecided));
  writer.add(table_of("unchanged", "Unchanged", found.unchanged));
  writer.add(Summary{.properties = {{"introduced", count(found.introduced.size())},
                                    {"fixed", count(found.fixed.size())},
                                    {"undecided", count(found.undecided.size())},
                                    {"unchanged", count(found.unchanged.size())},
                                    {"ignored_before", count(before.suppressed)},
                                    {"ignored_after", count(after.suppressed)}}});
  writer.finish();
  return found.introduced.empty() || options.common.verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::Finding;
}

}  // namespace

Command diff_command() {
  return make_command<DiffOptions>(
      {.name = "diff",
       .group = CommandGroup::Look,
       .summary = "which findings are new, which are gone?",
       .description = "Compares the findings of two reports that race or deadlock wrote with --json. Findings are the "
                      "same if their ids are, which do not depend on line numbers. What is ignored in a program's text "
                      "does not count. What the new report lacks is fixed only if it was looked for, and to the end.",
       .examples = {{"lockwood diff old.json new.json", "what has changed"},
                    {"lockwood diff old.json new.json --json", "for programs"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
