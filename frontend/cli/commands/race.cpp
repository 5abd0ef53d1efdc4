#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/program_input.hpp"
#include "frontend/cli/options/settle_option.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/findings/race_finding.hpp"

namespace lockwood::frontend {
namespace {

using findings::Conflict;
using findings::Finding;

constexpr std::size_t most_undecided = 20;  // pairs of one variable that are told one by one

struct RaceOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::optional<std::string> variable;
  bool explain = false;
  bool brief = false;
  findings::SettlingBudget settling;
};

void declare(CLI::App& app, RaceOptions& options) {
  declare_program(app, options.path, options.common.program);
  app.add_option("--var", options.variable, "only races on this variable")->type_name("NAME")->group(section::analysis);
  app.add_flag("--explain", options.explain, "also the pairs that do not race, and why")->group(section::analysis);
  declare_verify(app, options.solving.verify);
  declare_baseline(app, options.common.output);
  declare_limits(app, options.common.limits);
  declare_settling(app, options.settling);
  app.add_flag("--brief", options.brief, "without schedules and stacks, which are not looked for")
      ->group(section::output);
  declare_report(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_finding_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

// What was executed with real values comes first, then what is simplest to read.
void order(std::vector<Finding>& races) {
  std::ranges::stable_sort(races, {}, [](const Finding& race) {
    return std::pair{race.certainty, race.schedule.size()};
  });
}

// Finds the races of a program and writes them, those of one variable at a time, so that a run which is stopped has
// said what it knew.
class Races {
 public:
  Races(const RaceOptions& options, Run& run)
      : options_{options},
        run_{run},
        input_{read_program(options.path, run)},
        terms_{input_.terms()},
        settling_{terms_, options.settling, run.stop},
        writer_{run, {.schedules = !options.brief, .subject = options.variable}} {
    writer_.about(input_);
    writer_.expect_findings();
  }
  Races(const Races&) = delete;  // the terms refer to the input
  Races& operator=(const Races&) = delete;

  ExitStatus write() {
    const auto variable = options_.variable ? std::optional{variable_named(input_, *options_.variable)} : std::nullopt;
    const auto groups = findings::access_groups(lowered(), variable);
    std::size_t pairs = 0;
    std::size_t left_out = 0;  // variables
    for (std::size_t i = 0; i < groups.size(); ++i) {
      pairs += groups[i].conflicts;
      run_.progress.show("pairs of accesses", i + 1, groups.size());
      std::vector<Conflict> conflicts;
      try {
        conflicts = findings::conflicts(lowered(), groups[i], run_.stop);
      } catch (const Interrupted& interrupted) {  // even to list them takes its time
        left_out += groups[i].by_variable.size();
        for (const auto& accesses : groups[i].by_variable) add_undecided(accesses, interrupted.what());
        continue;
      }
      write(groups[i], conflicts);
    }
    add_undecided(std::move(unscheduled_), "no schedule was found in time");
    const std::size_t undecided = pairs - found_ - suppressed_ - apart_ - unwritten_ - settling_.excluded();
    const Extent extent = variable || undecided + unwritten_ > 0 ? Extent::Some : Extent::All;
    const std::size_t unused = unused_suppressions(input_, findings::Rule::Race, extent, run_);
    for (Finding& other : others_) writer_.add(std::move(other));
    Summary summary{.properties = {{"races", count(found_)},
                                   {"excluded_by_values", count(settling_.excluded())},
                                   {"ignored", count(suppressed_)},
                                   {"unused_suppressions", count(unused)},
                                   {"pairs_of_accesses", count(pairs)},
                                   {"apart", count(apart_)},
                                   {"undecided", count(undecided)}}};
    std::ranges::move(properties_of(confirmation_), std::back_inserter(summary.properties));
    writer_.add(std::move(summary));
    writer_.finish();
    if (left_out > 0) run_.note(fmt::format("accesses to {} of the variables were not looked at", left_out));
    if (unwritten_ > 0) run_.note(fmt::format("{} more races were found and not written", unwritten_));
    const VerdictOptions& verdict = options_.common.verdict;
    const bool complete = explained_ && left_out == 0 && unwritten_ == 0 && confirmation_.complete();
    return combined(status_of(writer_.findings(), verdict),
                    complete || verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::GaveUp);
  }

 private:
  [[nodiscard]] const program::Lowered& lowered() const { return input_.lowered(); }
  [[nodiscard]] program::Variable variable_of(const Conflict& conflict) const {
    return findings::access(lowered(), conflict.first).variable;
  }

  // The races of a group are written, the others kept for later.
  void write(const findings::AccessGroup& group, const std::vector<Conflict>& conflicts) {
    findings::ConflictVerdicts verdicts = findings::decide(lowered(), conflicts, run_.stop);
    apart_ += verdicts.apart.size();
    confirmation_ += Solver{lowered().network, options_.solving, run_}.confirm(
        [&] { return findings::claims(lowered(), verdicts); });
    write_races(verdicts.racing);
    if (verdicts.unlisted > 0)
      add_rest(group, verdicts);
    else if (verdicts.stopped)
      add_undecided(std::move(verdicts.undecided), to_string(*verdicts.stopped));
    // The page tells the reasons without being asked; that there is no time for them then is no failure.
    const bool asked = options_.explain || options_.common.output.html;
    if (asked && !verdicts.stopped && !explain(verdicts.apart) && options_.explain) explained_ = false;
  }

  // What is not decided of a group, as one for each variable: there are too many to list them.
  void add_rest(const findings::AccessGroup& group, const findings::ConflictVerdicts& verdicts) {
    std::map<program::Variable, std::size_t> decided;
    for (const auto* list : {&verdicts.racing, &verdicts.apart})
      for (const Conflict& conflict : *list) ++decided[variable_of(conflict)];
    for (const auto& accesses : group.by_variable) {
      const std::size_t all = findings::access_group(lowered(), accesses).conflicts;
      const std::size_t known = decided[findings::access(lowered(), accesses.front()).variable];
      if (all > known)
        others_.push_back(
            findings::undecided_races_finding(terms_, accesses.front(), all - known, to_string(*verdicts.stopped)));
    }
  }

  // A few pairs of a variable are told one by one, more of them as one.
  void add_undecided(std::vector<Conflict> conflicts, const std::string& reason) {
    std::ranges::stable_sort(conflicts, {}, [&](const Conflict& conflict) { return variable_of(conflict); });
    for (std::size_t begin = 0, end = 0; begin < conflicts.size(); begin = end) {
      while (end < conflicts.size() && variable_of(conflicts[end]) == variable_of(conflicts[begin])) ++end;
      if (end - begin > most_undecided) {
        others_.push_back(findings::undecided_races_finding(terms_, conflicts[begin].first, end - begin, reason));
        continue;
      }
      for (std::size_t i = begin; i < end; ++i)
        others_.push_back(findings::undecided_race_finding(terms_, conflicts[i], reason));
    }
  }
  // The same for all accesses to a variable. Many have more pairs than there is memory for.
  void add_undecided(const std::vector<findings::AccessId>& accesses, const std::string& reason) {
    const findings::AccessGroup group = findings::access_group(lowered(), accesses);
    if (group.conflicts > most_undecided)
      others_.push_back(findings::undecided_races_finding(terms_, accesses.front(), group.conflicts, reason));
    else
      add_undecided(findings::conflicts(lowered(), group), reason);
  }

  // Variables in the order of their declarations.
  void write_races(std::vector<Conflict>& racing) {
    std::ranges::stable_sort(racing, {}, [&](const Conflict& race) { return variable_of(race); });
    std::vector<Finding> races;  // of one variable
    std::vector<Conflict> told;  // what each is about
    for (std::size_t i = 0; i < racing.size(); ++i) {
      if (options_.brief && run_.stop.stop_requested()) {
        unwritten_ += racing.size() - i + races.size();
        return;
      }
      if (options_.brief) replay_if_drawn(racing[i]);
      if (auto race = options_.brief ? findings::race_finding(terms_, racing[i]) : scheduled(racing, i)) {
        races.push_back(*std::move(race));
        told.push_back(racing[i]);
      }
      if (i + 1 < racing.size() && variable_of(racing[i]) == variable_of(racing[i + 1])) continue;
      findings::apply(input_.suppressions, races);
      for (std::size_t j = 0; j < races.size(); ++j) {
        run_.progress.show("settling race", j + 1, races.size());
        settling_.settle_race(races[j], told[j]);
      }
      told.clear();
      order(races);
      for (Finding& race : races) {
        if (race.outcome == findings::Outcome::Excluded) {
          others_.push_back(std::move(race));
          continue;
        }
        if (options_.brief && run_.stop.stop_requested()) {
          ++unwritten_;
          continue;
        }
        ++(race.suppressed ? suppressed_ : found_);
        writer_.add(std::move(race));
      }
      races.clear();
    }
  }

  // Without schedules, too, some races are replayed, and at least one: a pair that cannot be scheduled is not given
  // away.
  void replay_if_drawn(const Conflict& race) {
    constexpr std::size_t one_replayed_in = 4096;
    if (!options_.solving.verify && sample_.draws(one_replayed_in))
      solver::replay_again(lowered().network, findings::conflict_problem(lowered(), race), {}, sample_, run_.stop);
  }

  // Nothing if there was no time for it: then it is one of the others.
  std::optional<Finding> scheduled(const std::vector<Conflict>& racing, std::size_t number) {
    if (!flow_) flow_.emplace(lowered().network);
    run_.progress.show("schedule of race", number + 1, racing.size());
    const Conflict& race = racing[number];
    if (!run_.stop.stop_requested()) {
      const solver::Answer answer = solver::solve(lowered().network, findings::conflict_problem(lowered(), race),
                                                  {.flow = &*flow_, .stop = run_.stop});
      try {
        if (answer.witness) return findings::race_finding(terms_, race, answer.witness->schedule, run_.stop);
      } catch (const Interrupted&) {  // a schedule of a million steps takes seconds to tell
      }
    }
    unscheduled_.push_back(race);
    return std::nullopt;
  }

  // False if there was no time for it.
  bool explain(const std::vector<Conflict>& apart) {
    run_.progress.show("reasons");
    try {
      const auto reasons =
          findings::separations(input_.program(), lowered(), apart,
                                options_.explain ? findings::AskOrder::Yes : findings::AskOrder::No, run_.stop);
      for (std::size_t i = 0; i < reasons.size(); ++i) {
        Finding excluded = findings::no_race_finding(terms_, apart[i], reasons[i]);
        if (options_.explain)
          others_.push_back(std::move(excluded));
        else
          writer_.add_background(std::move(excluded));
      }
      return true;
    } catch (const Interrupted& interrupted) {
      run_.note(fmt::format("no reasons: {}", interrupted.what()));
      return false;
    }
  }

  const RaceOptions& options_;
  Run& run_;
  ProgramInput input_;
  findings::SourceTerms terms_;
  findings::Settling settling_;
  ReportWriter writer_;
  solver::ReplaySample sample_{lowered().accesses.size()};  // of races without schedules
  std::optional<solver::BackwardFlow> flow_;
  std::vector<Finding> others_;  // undecided, or excluded and asked for
  std::vector<Conflict> unscheduled_;
  std::size_t found_ = 0;
  std::size_t suppressed_ = 0;
  std::size_t apart_ = 0;
  std::size_t unwritten_ = 0;  // found after the time was over
  bool explained_ = true;      // all that was asked for
  Confirmation confirmation_;
};

ExitStatus run(const RaceOptions& options, Run& run) { return Races{options, run}.write(); }

}  // namespace

Command race_command() {
  return make_command<RaceOptions>(
      {.name = "race",
       .group = CommandGroup::Ask,
       .summary = "which accesses of a program to shared variables can happen at the same time?",
       .description =
           "Finds every pair of accesses to a shared variable, at least one of them a write, before which two threads "
           "can stand at the same time, with a schedule in lines of the program. All pairs are decided by one run, or "
           "one for every few variables of a large program. A schedule that was also executed with the program's real "
           "values is called executed; any other is settled by a search with these values, within --settle.",
       .examples = {{"lockwood race models/bank-racy.lw", "the races of a program"},
                    {"lockwood race models/table1-5.lw --explain", "why two accesses do not race"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
