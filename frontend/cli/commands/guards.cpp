#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "frontend/cli/answering/analysis_run.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/findings/guard_advice.hpp"
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

Table access_table(const ProgramInput& input, const std::vector<findings::VariableGuards>& guards) {
  const findings::SourceTerms terms = input.terms();
  const dpn::Network& network = input.lowered().network;
  Table table{.key = "accesses",
              .title = "Locks held at accesses",
              .columns = {"variable", "access", "place", "procedure", "always", "sometimes", "races", "breaks_rule"},
              .rows = {}};
  for (const findings::VariableGuards& variable : guards)
    for (const findings::GuardedAccess& guarded : variable.accesses) {
      const program::Access& access = findings::access(input.lowered(), guarded.access);
      const findings::SourceSpan place = terms.place(access);
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

// What the program itself says about its fields, compared with what it does.
Table declared_table(const ProgramInput& input, const std::vector<findings::VariableGuards>& guards) {
  struct Kept {
    std::set<std::string> held;
    std::size_t accesses = 0;
    std::size_t without = 0;  // that hold no lock for certain
    std::size_t racing = 0;
  };
  std::map<std::string, Kept> fields;  // a field may be several variables
  for (const findings::VariableGuards& variable : guards) {
    const std::string& name = program::shown_name(input.program().variables[variable.variable]);
    if (!input.model.guarded_by.contains(name)) continue;
    Kept& kept = fields[name];
    for (std::string& lock : names(input.lowered().network, variable.protecting)) kept.held.insert(std::move(lock));
    kept.accesses += variable.accesses.size();
    for (const findings::GuardedAccess& access : variable.accesses) {
      if (access.held.always.empty()) ++kept.without;
      if (access.racing) ++kept.racing;
    }
  }
  Table table{.key = "declared",
              .title = "Fields that are declared to be guarded",
              .columns = {"field", "guarded_by", "protected_by", "accesses", "without_lock", "racing"},
              .rows = {}};
  for (const auto& [name, kept] : fields)
    table.rows.push_back({name, input.model.guarded_by.at(name), TextList{kept.held.begin(), kept.held.end()},
                          count(kept.accesses), count(kept.without), count(kept.racing)});
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

// One lock for all races of a variable.
Table advice_table(const ProgramInput& input, const findings::GuardAdvice& advice) {
  const findings::SourceTerms terms = input.terms();
  Table table{.key = "advice",
              .title = "Locks that would remove all races of a variable",
              .columns = {"variable", "races", "lock", "around", "adds_deadlock"},
              .rows = {}};
  for (const auto& [variable, races, addition] : *advice.additions) {
    std::vector<std::string> around;
    if (addition)
      for (const auto& [statement, at] : addition->around)
        around.push_back(findings::short_position(terms.place(whole_statement(input.lowered(), statement, at))));
    const Value none = std::string{"-"};
    table.rows.push_back({input.program().variables[variable].name, count(races.size()),
                          addition ? Value{std::string{input.lowered().network.locks().shown(addition->lock)}} : none,
                          addition ? Value{TextList{std::move(around)}} : none,
                          addition ? adds_deadlock(*addition, advice.unseen.empty()) : none});
  }
  return table;
}

// The same for each race: the statements of the race around which the lock is to be.
Table addition_table(const ProgramInput& input, const findings::GuardAdvice& advice) {
  const findings::SourceTerms terms = input.terms();
  Table table{.key = "additions",
              .title = "What each race needs of that",
              .columns = {"race", "variable", "between", "lock", "around", "statement", "adds_deadlock"},
              .rows = {}};
  for (const auto& [variable, races, addition] : *advice.additions)
    for (const findings::Conflict& race : races) {
      const program::Access& first = findings::access(input.lowered(), race.first);
      const program::Access& second = findings::access(input.lowered(), race.second);
      std::vector<Value> row{findings::race_id(terms, race), input.program().variables[variable].name,
                             std::vector<std::string>{findings::short_position(terms.place(first)),
                                                      findings::short_position(terms.place(second))}};
      if (!addition) {
        row.insert(row.end(), {std::string{"-"}, std::string{"-"}, std::string{"-"}, std::string{"-"}});
        table.rows.push_back(std::move(row));
        continue;
      }
      std::vector<std::string> around;
      std::vector<std::string> statements;
      for (const auto& [statement, at] : addition->around) {
        const auto is_of = [&, &statement = statement](const program::Access& side) {
          return side.procedure == statement.procedure && side.statement == statement.statement;
        };
        if (!is_of(first) && !is_of(second)) continue;
        const findings::SourceSpan place = terms.place(whole_statement(input.lowered(), statement, at));
        around.push_back(findings::short_position(place));
        statements.push_back(place.text);
      }
      row.insert(row.end(),
                 {std::string{input.lowered().network.locks().shown(addition->lock)}, TextList{std::move(around)},
                  TextList{std::move(statements)}, adds_deadlock(*addition, advice.unseen.empty())});
      table.rows.push_back(std::move(row));
    }
  return table;
}

ExitStatus run(const GuardsOptions& options, Run& run) {
  const ProgramInput input = read_program(options.path, run);
  const findings::SourceTerms terms = input.terms();
  findings::GuardOptions asked{.advice = !options.no_advice, .confirm = confirm_by(options.solving, run)};
  asked.watch = watch_of(run);
  if (options.solving.verify)
    asked.confirm_claims = [&](const auto& claims) {
      return Solver{input.lowered().network, options.solving, run}.confirm(claims);
    };
  const findings::GuardAdvice advice = findings::guard_advice(terms, asked);
  ReportWriter writer{run};
  writer.about(input);
  if (advice.variables) {
    writer.add(variable_table(input, *advice.variables));
    if (!input.model.guarded_by.empty()) writer.add(declared_table(input, *advice.variables));
    writer.add(access_table(input, *advice.variables));
  }
  if (advice.additions) {
    writer.add(advice_table(input, advice));
    writer.add(addition_table(input, advice));
  }
  if (advice.idle)
    writer.add(PropertyList{.key = "locks",
                            .title = {},
                            .properties = {{"nothing_changes_without", names(input.lowered().network, *advice.idle)}}});
  writer.add(summary_from(advice.summary, {{"complete", advice.summary.complete}}));
  writer.finish();
  report_notes(advice.summary, run);
  return advice.summary.complete ? ExitStatus::Nothing : ExitStatus::GaveUp;
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
