#include "frontend/cli/commands/explore_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/process/output_error.hpp"
#include "base/process/text_file.hpp"
#include "base/text/sha256.hpp"
#include "explorer/trace/trace_file.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/commands/version_files.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/findings/analyses/parallel_sites.hpp"
#include "frontend/findings/explored_finding.hpp"
#include "frontend/program/interpreter/changed_fragment.hpp"

namespace lockwood::frontend {

void declare_program_search(CLI::App& app, ProgramSearch& options) {
  using namespace explorer;
  program::ExplorationOptions& search = options.search;
  search.max_states = 10'000'000;
  using Given = std::optional<program::Strategy>;
  add_choice(app, "--strategy", options.strategy,
             {{"dfs", Given{program::Strategy::DepthFirst}},
              {"bfs", Given{program::Strategy::BreadthFirst}},
              {"preemptions", Given{program::Strategy::Preemptions}},
              {"values", Given{program::Strategy::ValueSchedules}},
              {"random", Given{program::Strategy::Random}},
              {"pct", Given{program::Strategy::Priorities}}},
             "of a program: the order of the search (default bfs); values: switch threads only to turn round a pair of "
             "accesses; or runs at random, with pct by random priorities")
      ->group(section::analysis);
  add_number(app, "--runs", search.runs, fmt::format("of a program, at random (default {})", search.runs))
      ->group(section::analysis);
  add_number(app, "--change-points", search.change_points,
             fmt::format("of a run with pct (default {})", search.change_points))
      ->group(section::analysis);
  add_number(app, "--seed", search.seed, "of random runs (default 1)")->group(section::analysis);
  add_choice(app, "--por", options.reduction,
             {{"frozen", ProgramSearch::Reduction::Frozen},
              {"none", ProgramSearch::Reduction::None},
              {"source", ProgramSearch::Reduction::Source},
              {"optimal", ProgramSearch::Reduction::Optimal}},
             "of a program: which schedules are left out because others stand for them (default frozen); source and "
             "optimal: run by run, without a store, for programs whose runs end")
      ->group(section::analysis);
  const auto set_oracles = [&options](const std::string& text) {
    options.parallel = text.find('1') != std::string::npos;
    options.search.use_futures = text.find('2') != std::string::npos;
    for (const std::string& word : CLI::detail::split(text, ','))
      if (word != "0" && word != "1" && word != "2") refuse_choice("--oracles", word, {"0", "1", "2"});
  };
  app.add_option_function<std::string>("--oracles", set_oracles,
                                       "of a program: what frozen sets know, as a list. 0: the state alone, which is "
                                       "always known; 1: which places are "
                                       "ever reached at the same time; 2: what threads may still do (default 0,1,2)")
      ->type_name("LIST")
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
  declare_jobs(app, search.jobs,
               "of a program: threads that share the search (default 1); what is found is the same, and states that "
               "several of them come to count several times");
  const auto set_shard = [&search](const std::string& text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) throw CLI::ValidationError("--shard", fmt::format("'{}' is not i/n", text));
    const std::size_t index = number_in("--shard", text.substr(0, slash));
    const std::size_t count = number_in("--shard", text.substr(slash + 1));
    if (index == 0 || index > count || count > 100'000)
      throw CLI::ValidationError("--shard", fmt::format("'{}': there are shards 1/n to n/n", text));
    search.shard = {index - 1, count};
  };
  app.add_option_function<std::string>("--shard", set_shard,
                                       "of a program: search only a part, the i-th of n; lockwood merge puts the "
                                       "--json reports of all of them together")
      ->type_name("i/n")
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
  app.add_option("--since", options.since,
                 "of a program: leave out what the version before has settled, which explore --save has kept here; "
                 "the answer is the same. With --change=quick, also the program FILE.lw as it was")
      ->type_name("STORE")
      ->group(section::analysis);
  add_choice(app, "--direct", options.direction, {{"ariadne", std::optional{ProgramSearch::Direction::Ariadne}}},
             "of a program: visit states first where threads are far on the two paths to a race that the model has")
      ->group(section::analysis);
  add_choice(
      app, "--change", options.change,
      {{"full", std::optional{ProgramSearch::Change::Full}}, {"quick", std::optional{ProgramSearch::Change::Quick}}},
      "of a program, with --since: full (default), or quick: only pairs of threads that interleave at what has "
      "changed since the store was written, or since the program FILE.lw; it never says that there is nothing")
      ->group(section::analysis);
  add_number(app, "--max-level", search.max_level,
             fmt::format("of a program, with --change=quick: departures of a run from its rules (default {})",
                         search.max_level))
      ->group(section::limits);
  app.add_option("--save", options.save, "of a program: keep what is settled in this file, for --since")
      ->type_name("STORE")
      ->group(section::output);
  app.add_option("--traces", options.traces, "of a program: keep the run of each finding in this folder, for replay")
      ->type_name("FOLDER")
      ->group(section::output);
}

namespace {

// What the options say together. Throws InputError for what does not fit.
program::ExplorationOptions search_of(const ProgramInput& input, const ProgramSearch& options) {
  program::ExplorationOptions search = options.search;
  const auto refuse = [&](const char* message) { throw InputError{input.path(), message}; };
  search.strategy = options.strategy.value_or(search.strategy);
  if (options.reduction == ProgramSearch::Reduction::None) search.reduction = explorer::Reduction::None;
  const bool by_runs =
      options.reduction == ProgramSearch::Reduction::Source || options.reduction == ProgramSearch::Reduction::Optimal;
  if (by_runs && options.strategy && options.strategy != program::Strategy::DepthFirst)
    refuse("--por=source and --por=optimal go depth first: they are for --strategy=dfs");
  if (by_runs)
    search.strategy = options.reduction == ProgramSearch::Reduction::Source ? program::Strategy::SourceSets
                                                                            : program::Strategy::WakeupTrees;
  if (options.direction && (options.strategy || by_runs))
    refuse("--direct=ariadne is a separate order, without --strategy, --por=source and --por=optimal");
  if (options.direction) search.strategy = program::Strategy::Ariadne;
  if (by_runs && search.store.kind != explorer::StoreKind::Exact)
    refuse("--por=source and --por=optimal store no states: there is no --store for them");
  if ((search.jobs > 1 || search.shard.count > 1) && search.strategy != program::Strategy::BreadthFirst &&
      search.strategy != program::Strategy::Preemptions)
    refuse("--jobs and --shard are for --strategy=bfs and --strategy=preemptions");
  if (search.strategy == program::Strategy::ValueSchedules &&
      (search.store.kind != explorer::StoreKind::Exact || search.reduction != explorer::Reduction::Frozen))
    refuse("--strategy=values has a separate reduction, and needs --store=exact");
  if (options.change && !options.since) refuse("--change needs --since: the version before");
  if (options.change == ProgramSearch::Change::Quick) {
    if (options.save || options.strategy || options.direction ||
        options.reduction != ProgramSearch::Reduction::Frozen || search.jobs > 1 || search.shard.count > 1 ||
        search.store.kind != explorer::StoreKind::Exact)
      refuse("--change=quick is a separate search, without --strategy, --por, --store, --save, --jobs and --shard");
    return search;
  }
  if ((options.since || options.save) &&
      (search.strategy != program::Strategy::BreadthFirst || search.first_finding_only || search.jobs > 1 ||
       search.shard.count > 1 || search.store.kind != explorer::StoreKind::Exact))
    refuse("--since and --save are for --strategy=bfs and --store=exact, without --first, --jobs and --shard");
  if (options.since && options.since->ends_with(".lw"))
    refuse(
        "what --since gives is a program, not a store that explore --save has written; --change=quick takes a program");
  return search;
}

// What has changed since the program or the store that is given.
std::vector<program::Sites::Location> places_since(const ProgramInput& input, const std::string& since, Run& run) {
  if (since.ends_with(".lw")) {
    const ProgramInput before = read_program(since, run);
    return changed_places(input.program(), input.model.source.text, procedure_texts(before));
  }
  const program::VersionStore before = program::read_version_store(read_text_file(since, run.stop), since);
  std::vector<std::string> changed;
  for (const auto& [name, digest] : procedure_digests(input)) {
    const auto known = before.procedures.find(name);
    if (known == before.procedures.end() || known->second != digest) changed.push_back(name);
  }
  return places_of(input.program(), changed);
}

constexpr std::size_t max_parallel_places = 500;  // which two threads can be at is asked before the search

// The run of each finding as ID.trace. Throws OutputError.
void write_traces(const std::string& folder, const ProgramInput& input, const program::Exploration& found) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw OutputError{folder, failure.message()};
  const findings::SourceTerms terms = input.terms();
  const std::string digest = sha256(input.model.source.text);
  std::set<std::string> written;
  for (const program::ExploredFinding& each : found.findings) {
    const std::string id = findings::explored_finding(terms, each).id;
    if (!written.insert(id).second) continue;  // the report tells the first one, too
    write_text_file((std::filesystem::path{folder} / (id + ".trace")).string(),
                    explorer::to_text(explorer::TraceFile{
                        .source = input.identity.path, .program = digest, .finding = id, .trace = each.run.trace}));
  }
}

}  // namespace

ExitStatus explore_program(ProgramInput input, const ProgramSearch& options, const VerdictOptions& verdict, Run& run) {
  run.progress.show_search("visiting states");
  program::ExplorationOptions search = search_of(input, options);
  search.stop = run.stop;
  const bool quick = options.change == ProgramSearch::Change::Quick;
  if (quick) search.quick = places_since(input, *options.since, run);
  if (quick && search.quick->empty()) run.note(fmt::format("no procedure differs from {}", *options.since));
  const bool versions = (options.since || options.save) && !quick;
  program::VersionStore now{.common = {}, .procedures = {}, .states = {}};
  if (versions) now = {.common = common_digest(input, search), .procedures = procedure_digests(input), .states = {}};
  std::optional<program::VersionStore> before;
  if (options.since && !quick)
    before = program::read_version_store(read_text_file(*options.since, run.stop), *options.since);
  if (before && before->common != now.common) {
    run.note(fmt::format("{} does not count: variables, locks or bounds are others", *options.since));
    before.reset();
  }
  if (before) {
    search.before = &*before;
    search.changed = program::changed_classes(before->procedures, now.procedures);
  }
  search.keep_states = options.save.has_value();
  std::optional<program::ParallelTable> parallel;
  const bool by_runs =
      search.strategy == program::Strategy::SourceSets || search.strategy == program::Strategy::WakeupTrees;
  if (options.parallel && search.reduction == explorer::Reduction::Frozen && !by_runs && !quick)
    parallel = findings::parallel_sites(input.program(), input.lowered(), max_parallel_places, run.stop);
  if (parallel) search.parallel = &*parallel;
  const program::Exploration found = program::explore(input.program(), search);
  const findings::SourceTerms terms = input.terms();
  std::vector<findings::Finding> list;
  for (const program::ExploredFinding& each : found.findings) list.push_back(findings::explored_finding(terms, each));
  // By rule, then by place: the order of discovery depends on the strategy.
  std::ranges::stable_sort(list, {}, [](const findings::Finding& finding) {
    return std::tuple{finding.rule, finding.sites.front().at.begin.line, finding.subject, finding.id};
  });
  // The same threads may block each other there in states that differ elsewhere: one finding.
  const auto same_id = [](const findings::Finding& a, const findings::Finding& b) { return a.id == b.id; };
  list.erase(std::unique(list.begin(), list.end(), same_id), list.end());
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
                                 {"waiting_for_ever", counted(findings::Rule::Waiting)},
                                 {"ignored", count(ignored)},
                                 {"states", count(found.counters.states)},
                                 {"matched", count(found.counters.matched)},
                                 {"steps", count(found.counters.steps)},
                                 {"choices", count(found.counters.choices)},
                                 {"max_depth", count(found.counters.max_depth)},
                                 {"store_bytes", count(found.counters.store_bytes)},
                                 {"complete", found.is_complete()}}};
  if (before) summary.properties.push_back({"pruned", count(found.counters.pruned)});
  if (by_runs) {
    summary.properties.push_back({"executions", count(found.executions)});
    summary.properties.push_back({"given_up", count(found.given_up)});
  }
  if (found.omissions.beyond_level) summary.properties.push_back({"level", count(*found.omissions.beyond_level)});
  if (!left_out.empty()) summary.properties.push_back({"left_out", TextList{left_out}});
  if (search.shard.count > 1)
    summary.properties.push_back({"shard", fmt::format("{}/{}", search.shard.index + 1, search.shard.count)});
  for (findings::Finding& each : list) writer.add(std::move(each));
  writer.add(std::move(summary));
  writer.finish();
  if (options.save && found.is_complete()) {
    now.states = found.states;
    write_text_file(*options.save, to_bytes(now));
  } else if (options.save) {
    run.note(fmt::format("{} is not written: not all was visited", *options.save));
  }
  if (options.traces) write_traces(*options.traces, input, found);
  if (!found.is_complete())
    run.note(fmt::format("there may be more: not all was visited ({})", fmt::join(left_out, ", ")));
  if (found.omission_probability > 0)
    run.note(fmt::format("a state was missed with probability {:.2g}", found.omission_probability));
  const ExitStatus status = status_of(writer.findings(), verdict);
  return combined(status, found.is_complete() || verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::GaveUp);
}

}  // namespace lockwood::frontend
