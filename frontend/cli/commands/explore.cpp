#include "dpn/semantics/explore.hpp"

#include <fmt/format.h>

#include "dpn/formats/text_format.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/commands/explore_program.hpp"
#include "frontend/cli/input/file_queries.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/output/report_writer.hpp"

namespace lockwood::frontend {
namespace {

struct ExploreOptions {
  CommonOptions common;
  FileQueryOptions queries;
  std::string path;
  bool nolocks = false;
  bool states = false;
  dpn::ExploreBounds bounds;
  ProgramSearch program;
};

void declare(CLI::App& app, ExploreOptions& options) {
  declare_model(app, options.path, options.common.program);
  declare_query_choice(app, options.queries);
  auto* nolocks = app.add_flag("--nolocks", options.nolocks, "ignore all locks")->group(section::analysis);
  auto* expect = declare_expectations(app, options.queries, nolocks);
  app.add_flag("--states", options.states, "visit all configurations instead: how many there are, and deadlocks")
      ->group(section::analysis)
      ->excludes(expect)
      ->excludes(app.get_option("--query"));
  const auto bound = [&](const char* name, std::size_t& value, const std::string& description) {
    add_number(app, name, value, fmt::format("{} (default {})", description, value))->group(section::limits);
  };
  bound("--max-configurations", options.bounds.configurations, "configurations to visit for a query");
  bound("--max-depth", options.bounds.stack_depth, "frames of a stack");
  bound("--max-threads", options.bounds.threads, "threads alive at the same time");
  declare_program_search(app, options.program);
  declare_limits(app, options.common.limits);
  declare_schedule(app, options.queries);
  declare_report(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_svcomp(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

// What kept the exploration from being exhaustive, and what to do about it.
std::vector<std::string> omission_notes(const dpn::Omissions& omissions) {
  std::vector<std::string> notes;
  if (omissions.configurations) notes.emplace_back("there are more configurations; see --max-configurations");
  if (omissions.stack_depth) notes.emplace_back("stacks grow deeper; see --max-depth");
  if (omissions.threads) notes.emplace_back("there can be more threads; see --max-threads");
  if (omissions.stopped) notes.emplace_back(to_string(*omissions.stopped));
  return notes;
}

dpn::Schedule schedule_of(const std::vector<std::vector<dpn::Move>>& phases) {
  dpn::Schedule schedule;
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    if (phase > 0) schedule.cuts.push_back(schedule.moves.size());
    schedule.moves.insert(schedule.moves.end(), phases[phase].begin(), phases[phase].end());
  }
  return schedule;
}

QueryAnswer answer_of(const dpn::Network& network, dpn::Query query, const ExploreOptions& options, StopToken stop) {
  if (options.nolocks && query.semantics == dpn::Semantics::LockSensitive) {
    query.semantics = dpn::Semantics::LockInsensitive;
    query.expected.reset();  // it is about the query as it is written
  }
  const dpn::ExploreAnswer found = dpn::explore_query(network, query, options.bounds, stop);
  QueryAnswer answer{.query = dpn::to_text(network, query),
                     .at = query.at,
                     .semantics = query.semantics,
                     .verdict = found.verdict,
                     .unknown_because = {},
                     .expected = query.expected,
                     .schedule = {},
                     .explanation = {},
                     .notes = {},
                     .statistics = {{"configurations", count(found.configurations)}}};
  if (found.verdict == dpn::Verdict::Reachable) answer.schedule = Witness{&network, schedule_of(found.schedule)};
  if (found.verdict == dpn::Verdict::Unknown) {
    answer.notes = omission_notes(found.omissions);
    answer.unknown_because = found.omissions.stopped ? to_string(*found.omissions.stopped) : "bound";
  }
  return answer;
}

ExitStatus count_states(const ExploreOptions& options, const ModelInput& model, ReportWriter& writer, Run& run) {
  run.progress.show("visiting configurations");
  const auto semantics = options.nolocks ? dpn::Semantics::LockInsensitive : dpn::Semantics::LockSensitive;
  const dpn::Exploration found = dpn::explore(model.file.network, semantics, options.bounds, run.stop);
  writer.add(PropertyList{.key = "states",
                          .title = {},
                          .properties = {{"configurations", count(found.configurations)},
                                         {"moves", count(found.moves)},
                                         {"greatest_stack_depth", count(found.stack_depth)},
                                         {"max_threads", count(found.threads)},
                                         {"deadlocked", count(found.deadlocked)},
                                         {"exhaustive", found.exhaustive()},
                                         {"left_out", omission_notes(found.omissions)}}});
  if (found.deadlock && options.queries.schedule)
    writer.add(Execution{.key = "deadlock",
                         .title = "Deadlock",
                         .witness = {&model.file.network, {.moves = *found.deadlock, .cuts = {}}}});
  writer.finish();
  return found.exhaustive() || options.common.verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::GaveUp;
}

ExitStatus run(const ExploreOptions& options, Run& run) {
  ModelInput model = read_model(options.path, run);
  const bool asks = options.states || !options.queries.numbers.empty() || options.queries.expect;
  if (model.program && !asks)
    return explore_program(program_of(std::move(model), run), options.program, options.common.verdict, run);
  ReportWriter writer{run, {.schedules = options.queries.schedule}};
  writer.about(model);
  if (options.states) return count_states(options, model, writer, run);
  return answer_queries(
      model, options.queries, "--states explores it as a whole", writer, run,
      [&](const dpn::Query& query) { return answer_of(model.file.network, query, options, run.stop); });
}

}  // namespace

Command explore_command() {
  return make_command<ExploreOptions>(
      {.name = "explore",
       .group = CommandGroup::Ask,
       .summary = "what does happen: visit the states of a program, or of a model up to bounds",
       .description =
           "Visits the configurations that the small-step semantics allows, breadth first, to answer each query of the "
           "file on one line: reachable, unreachable, or unknown (bound) if a bound left something out. A "
           "program (.lw) is run with its real values, under every schedule and with every choice: races, deadlocks, "
           "failed assertions and uncaught exceptions are told with a run that leads there. That there are none is "
           "said only if all states were visited.",
       .examples = {{"lockwood explore models/fig1.dpn --schedule", "verdicts, and how to get there"},
                    {"lockwood explore models/bank-racy.lw", "what goes wrong when a program runs"},
                    {"lockwood explore --expect models/fig1.dpn", "do the verdicts match what the file says?"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
