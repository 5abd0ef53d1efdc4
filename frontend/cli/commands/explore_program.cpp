#include "frontend/cli/commands/explore_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/findings/explored_finding.hpp"

namespace lockwood::frontend {

void declare_program_search(CLI::App& app, program::ExplorationOptions& search) {
  using namespace explorer;
  search.max_states = 10'000'000;
  add_choice(app, "--strategy", search.strategy,
             {{"dfs", program::Strategy::DepthFirst},
              {"bfs", program::Strategy::BreadthFirst},
              {"preemptions", program::Strategy::Preemptions},
              {"random", program::Strategy::Random},
              {"pct", program::Strategy::Priorities}},
             "of a program: the order of the search (default bfs), or runs at random, with pct by random priorities")
      ->group(section::analysis);
  add_number(app, "--runs", search.runs, fmt::format("of a program, at random (default {})", search.runs))
      ->group(section::analysis);
  add_number(app, "--change-points", search.change_points,
             fmt::format("of a run with pct (default {})", search.change_points))
      ->group(section::analysis);
  add_number(app, "--seed", search.seed, "of random runs (default 1)")->group(section::analysis);
  add_choice(app, "--por", search.reduction, {{"frozen", Reduction::Frozen}, {"none", Reduction::None}},
             "of a program: which schedules are left out because others stand for them (default frozen)")
      ->group(section::analysis);
  add_choice(app, "--store", search.store.kind,
             {{"exact", StoreKind::Exact},
              {"hash128", StoreKind::Hash128},
              {"hash64", StoreKind::Hash64},
              {"bits", StoreKind::Bits}},
             "of a program: how states are kept (default exact); all others may miss some, and tell")
      ->group(section::analysis);
  app.add_flag("--first", search.first_finding_only, "of a program: stop at the first finding")
      ->group(section::analysis);
  add_number(app, "--max-states", search.max_states, fmt::format("states of a program (default {})", search.max_states))
      ->group(section::limits);
  add_number(app, "--max-preemptions", search.max_preemptions,
             "of a program, with --strategy=preemptions: switches away from a thread that could go on")
      ->group(section::limits);
  add_number(
      app, "--max-frames", search.limits.frames,
      fmt::format("procedures of a program's thread, one inside of the other (default {})", search.limits.frames))
      ->group(section::limits);
  add_number(app, "--max-started", search.limits.threads,
             fmt::format("threads that a program starts on a run (default {})", search.limits.threads))
      ->group(section::limits);
}

ExitStatus explore_program(ProgramInput input, const program::ExplorationOptions& options,
                           const VerdictOptions& verdict, Run& run) {
  run.progress.show("visiting states");
  program::ExplorationOptions search = options;
  search.stop = run.stop;
  const program::Exploration found = program::explore(input.program(), search);
  const findings::SourceTerms terms = input.terms();
  std::vector<findings::Finding> list;
  for (const program::ExploredFinding& each : found.findings) list.push_back(findings::explored_finding(terms, each));
  // By rule, then by place: the order of discovery depends on the strategy.
  std::ranges::stable_sort(list, {}, [](const findings::Finding& finding) {
    return std::tuple{finding.rule, finding.sites.front().at.begin.line, finding.subject, finding.id};
  });
  findings::apply(input.suppressions, list);
  ReportWriter writer{run, {.schedules = true}};
  writer.about(input);
  writer.expect_findings();
  const auto counted = [&](findings::Rule rule) {
    return count(static_cast<std::size_t>(std::ranges::count_if(
        list, [&](const findings::Finding& each) { return each.rule == rule && !each.suppressed; })));
  };
  const auto ignored = static_cast<std::size_t>(
      std::ranges::count_if(list, [](const findings::Finding& each) { return each.suppressed.has_value(); }));
  const std::vector<std::string> left_out = to_text(found.omissions);
  Summary summary{.properties = {{"races", counted(findings::Rule::Race)},
                                 {"deadlocks", counted(findings::Rule::Deadlock)},
                                 {"assertions", counted(findings::Rule::Assertion)},
                                 {"exceptions", counted(findings::Rule::Exception)},
                                 {"ignored", count(ignored)},
                                 {"states", count(found.counters.states)},
                                 {"matched", count(found.counters.matched)},
                                 {"steps", count(found.counters.steps)},
                                 {"choices", count(found.counters.choices)},
                                 {"max_depth", count(found.counters.max_depth)},
                                 {"store_bytes", count(found.counters.store_bytes)},
                                 {"complete", found.is_complete()}}};
  for (findings::Finding& each : list) writer.add(std::move(each));
  writer.add(std::move(summary));
  writer.finish();
  if (!found.is_complete())
    run.note(fmt::format("there may be more: not all was visited ({})", fmt::join(left_out, ", ")));
  if (found.omission_probability > 0)
    run.note(fmt::format("a state was missed with probability {:.2g}", found.omission_probability));
  const ExitStatus status = status_of(writer.findings(), verdict);
  return combined(status, found.is_complete() || verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::GaveUp);
}

}  // namespace lockwood::frontend
