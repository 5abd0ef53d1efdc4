#include "frontend/findings/analyses/guards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/program_input.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/findings/race_finding.hpp"

namespace lockwood::frontend {
namespace {

struct GuardsOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  bool no_advice = false;
};

void declare(CLI::App& app, GuardsOptions& options) {
  declare_program(app, options.path, options.common.program);
  app.add_flag("--no-advice", options.no_advice,
               "do not look for idle locks and for locks to add, which takes more runs")
      ->group(section::analysis);
  declare_verify(app, options.solving.verify);
  declare_limits(app, options.common.limits);
  declare_report(app, options.common.output);
  declare_statistics(app, options.common.output);
  declare_general(app, options.common.general);
}

std::vector<std::string> names(const dpn::Network& network, const std::vector<dpn::Lock>& locks) {
  std::vector<std::string> result;
  for (dpn::Lock lock : locks) result.emplace_back(network.locks().shown(lock));
  return result;
}

// Throws Interrupted.
Table access_table(const ProgramInput& input, const std::vector<findings::VariableGuards>& guards, StopToken stop) {
  const findings::SourceTerms terms = input.terms();
  const dpn::Network& network = input.lowered().network;
  Table table{.key = "accesses",
              .title = "Locks held at accesses",
              .columns = {"variable", "access", "place", "procedure", "always", "sometimes", "races", "breaks_rule"},
              .rows = {}};
  for (const findings::VariableGuards& variable : guards)
    for (const findings::GuardedAccess& guarded : variable.accesses) {
      stop.check();
      const program::Access& access = findings::access(input.lowered(), guarded.access);
      const findings::Place place = terms.place(access);
      table.rows.push_back({input.program().variables[variable.variable].name, findings::to_string(access.kind),
                            findings::short_position(place), place.procedure, names(network, guarded.held.always),
                            names(network, guarded.held.sometimes), guarded.racing, guarded.breaks_rule});
    }
  return table;
}

Table variable_table(const ProgramInput& input, const std::vector<findings::VariableGuards>& guards) {
  Table table{.key = "variables",
              .title = "How variables are protected",
              .columns = {"variable", "accesses", "protected_by", "usually_by", "breaking_that"},
              .rows = {}};
  for (const findings::VariableGuards& variable : guards) {
    const auto breaking = std::ranges::count_if(
        variable.accesses, [](const findings::GuardedAccess& guarded) { return guarded.breaks_rule; });
    const std::vector<dpn::Lock> usual = variable.rule ? std::vector{*variable.rule} : std::vector<dpn::Lock>{};
    table.rows.push_back({input.program().variables[variable.variable].name, count(variable.accesses.size()),
                          names(input.lowered().network, variable.protecting), names(input.lowered().network, usual),
                          static_cast<std::int64_t>(breaking)});
  }
  return table;
}

// Of the accesses of a statement the one whose text is the largest part of it: the write, if there is one.
const program::Access& whole_statement(const program::Lowered& lowered, findings::StatementId statement,
                                       findings::AccessId otherwise) {
  for (const program::Access& access : lowered.accesses)
    if (access.procedure == statement.procedure && access.statement == statement.statement &&
        access.kind == program::AccessKind::Write)
      return access;
  return findings::access(lowered, otherwise);
}

// A deadlock that the model cannot see may be there nevertheless.
Value adds_deadlock(const findings::LockAddition& addition, bool sees_all) {
  if (!addition.adds_deadlock && !sees_all) return std::string{"unknown"};
  return addition.adds_deadlock;
}

// As far as there is time for it.
Table advice_table(const ProgramInput& input, const findings::ConflictVerdicts& verdicts, findings::LockAdvice& advice,
                   const Run& run) {
  const findings::SourceTerms terms = input.terms();
  Table table{.key = "additions",
              .title = "Locks that would remove a race",
              .columns = {"race", "variable", "between", "lock", "around", "statement", "adds_deadlock"},
              .rows = {}};
  const bool sees_all = findings::ignored_locks(input.lowered()).empty();
  for (std::size_t i = 0; i < verdicts.racing.size(); ++i) {
    run.progress.show("advice for race", i + 1, verdicts.racing.size());
    const findings::Conflict& race = verdicts.racing[i];
    std::optional<findings::LockAddition> addition;
    try {
      addition = advice.addition(race);
    } catch (const Interrupted&) {
      break;
    }
    const program::Access& first = findings::access(input.lowered(), race.first);
    const program::Access& second = findings::access(input.lowered(), race.second);
    std::vector<Value> row{findings::race_id(terms, race), input.program().variables[first.variable].name,
                           std::vector<std::string>{findings::short_position(terms.place(first)),
                                                    findings::short_position(terms.place(second))}};
    if (addition) {
      const findings::Place place = terms.place(whole_statement(input.lowered(), addition->statement, addition->at));
      row.insert(row.end(), {std::string{input.lowered().network.locks().shown(addition->lock)},
                             findings::short_position(place), place.text, adds_deadlock(*addition, sees_all)});
    } else {
      row.insert(row.end(), {std::string{"-"}, std::string{"-"}, std::string{"-"}, std::string{"-"}});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Throws Interrupted.
void write_guards(const ProgramInput& input, const findings::ConflictVerdicts& verdicts, const GuardsOptions& options,
                  ReportWriter& writer, Confirmation& confirmation, Run& run) {
  run.stop.check();  // what is not known to race may be undecided
  const auto guards = findings::variable_guards(input.program(), input.lowered(), verdicts, run.stop);
  writer.add(variable_table(input, guards));
  writer.add(access_table(input, guards, run.stop));
  confirmation += Solver{input.lowered().network, options.solving, run}.confirm(
      [&] { return findings::claims(input.lowered(), verdicts); });
  if (options.no_advice) return;
  // Asks once more about a changed program, and has the proof of the answer checked.
  const auto confirm = [&](const dpn::Network& network, const solver::Problem& problem, dpn::Verdict verdict) {
    confirmation += Solver{network, options.solving, run}.confirm(problem, "advice", verdict);
  };
  findings::LockAdvice advice{input.program(), input.lowered(), verdicts, run.stop, confirm};
  const auto idle = advice.idle_locks(
      [&run](std::size_t number, std::size_t total) { run.progress.show("idle lock", number, total); });
  writer.add(advice_table(input, verdicts, advice, run));
  writer.add(PropertyList{
      .key = "locks", .title = {}, .properties = {{"nothing_changes_without", names(input.lowered().network, idle)}}});
  if (const auto unseen = findings::ignored_locks(input.lowered()); !unseen.empty())
    run.note(fmt::format("advice does not see deadlocks with {}, which the model ignores where it is waited for",
                         input.terms().names(unseen)));
}

ExitStatus run(const GuardsOptions& options, Run& run) {
  const ProgramInput input = read_program(options.path, run);
  run.progress.show("races");
  const findings::ConflictVerdicts verdicts = findings::decide_all(input.lowered(), run.stop);
  ReportWriter writer{run};
  writer.about(input.identity);
  Confirmation confirmation;
  try {
    write_guards(input, verdicts, options, writer, confirmation, run);
  } catch (const Interrupted&) {  // what is known by then is written
  }
  const bool complete = !run.stop.stop_requested() && confirmation.complete();
  const std::size_t undecided = verdicts.undecided.size() + verdicts.unlisted;
  Summary summary{
      .properties = {{"races", count(verdicts.racing.size())},
                     {"pairs_of_accesses", count(verdicts.racing.size() + verdicts.apart.size() + undecided)},
                     {"apart", count(verdicts.apart.size())},
                     {"undecided", count(undecided)},
                     {"complete", complete}}};
  std::ranges::move(properties_of(confirmation), std::back_inserter(summary.properties));
  writer.add(std::move(summary));
  writer.finish();
  return complete ? ExitStatus::Nothing : ExitStatus::GaveUp;
}

}  // namespace

Command guards_command() {
  return make_command<GuardsOptions>(
      {.name = "guards",
       .group = CommandGroup::Ask,
       .summary = "which locks protect which shared variables of a program?",
       .description =
           "For each shared variable the locks that are held at every access, or else the one held at most of them and "
           "the accesses that break this rule. Names locks without which there would be the same races and deadlocks, "
           "and "
           "for each race a lock of the program that would remove it if a statement took it; both are found out by "
           "solving the program changed in this way, and --verify proves the verdicts on it. Which locks are held "
           "where is read off the program thread by thread; there is no proof of that.",
       .examples = {{"lockwood guards models/lock-through-calls.lw", "who forgot the lock?"},
                    {"lockwood guards models/bank-fixed.lw --no-advice", "only what is held where"},
                    {"lockwood guards models/table1-6.lw --verify", "is it true that this lock helps?"}}},
      declare, run);
}

}  // namespace lockwood::frontend
