#include "frontend/findings/find_races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "frontend/findings/analyses/race_schedules.hpp"
#include "frontend/findings/race_finding.hpp"

namespace lockwood::findings {
namespace {

constexpr std::size_t max_undecided = 20;  // pairs of one variable that are told one by one

// What was executed with real values comes first, then what is simplest to read.
void order(std::vector<Finding>& races) {
  std::ranges::stable_sort(races, {}, [](const Finding& race) {
    return std::pair{race.certainty, race.schedule.size()};
  });
}

class RaceSearch {
 public:
  RaceSearch(const SourceTerms& terms, Suppressions& suppressions, const RaceOptions& options)
      : terms_{terms},
        suppressions_{suppressions},
        options_{options},
        stop_{options.watch.stop},
        settling_{terms, options.settling, options.watch.stop} {}
  RaceSearch(const RaceSearch&) = delete;
  RaceSearch& operator=(const RaceSearch&) = delete;

  Findings run() && {
    if (options_.known != nullptr)
      take_over(*options_.known);
    else
      look_at_groups();
    add_undecided(std::move(unscheduled_), "no schedule was found in time");
    const std::size_t undecided = pairs_ - found_ - suppressed_ - apart_ - unwritten_ - settling_.excluded();
    result_.ended_early = enough() && undecided > 0;
    if (result_.ended_early)
      result_.notes.push_back(
          fmt::format("ended with the first race: {} pairs of accesses were not looked at", undecided));
    if (options_.variables.empty() && undecided + unwritten_ == 0)
      result_.unused_suppressions = unused(suppressions_, Rule::Race);
    for (Finding& other : others_) result_.add(std::move(other), options_.watch);
    result_.counts = {{"races", found_},
                      {"excluded_by_values", settling_.excluded()},
                      {"ignored", suppressed_},
                      {"unused_suppressions", result_.unused_suppressions.size()},
                      {"pairs_of_accesses", pairs_},
                      {"apart", apart_},
                      {"undecided", undecided}};
    if (left_out_ > 0)
      result_.notes.push_back(fmt::format("accesses to {} of the variables were not looked at", left_out_));
    if (unwritten_ > 0) result_.notes.push_back(fmt::format("{} more races were found and not written", unwritten_));
    result_.complete = explained_ && left_out_ == 0 && unwritten_ == 0 && result_.confirmation.complete();
    if (options_.on_model_races) options_.on_model_races(std::move(model_races_));
    return std::move(result_);
  }

 private:
  [[nodiscard]] const program::Lowered& lowered() const { return terms_.lowered(); }
  [[nodiscard]] program::Variable variable_of(const Conflict& conflict) const {
    return access(lowered(), conflict.first).variable;
  }

  void look_at_groups() {
    const auto groups = access_groups(lowered(), options_.variables);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      pairs_ += groups[i].conflicts;
      if (enough()) continue;
      options_.watch.report_progress("pairs of accesses", i + 1, groups.size());
      std::vector<Conflict> all;
      try {
        all = conflicts(lowered(), groups[i], stop_);
      } catch (const Interrupted& interrupted) {  // even to list them takes its time
        left_out_ += groups[i].by_variable.size();
        for (const auto& accesses : groups[i].by_variable) add_undecided(accesses, interrupted.what());
        continue;
      }
      look_at(groups[i], all);
    }
  }

  // The races of a group are told, the others kept for later.
  void look_at(const AccessGroup& group, const std::vector<Conflict>& conflicts) {
    ConflictVerdicts verdicts = decide(lowered(), conflicts, stop_);
    apart_ += verdicts.apart.size();
    if (options_.confirm) result_.confirmation += options_.confirm([&] { return claims(lowered(), verdicts); });
    report_races(verdicts.racing);
    if (verdicts.unlisted > 0)
      add_rest(group, verdicts);
    else if (verdicts.stopped)
      add_undecided(std::move(verdicts.undecided), to_string(*verdicts.stopped));
    // That there is no time for reasons which nobody asked for is no failure.
    if (options_.reasons != RaceOptions::Reasons::None && !verdicts.stopped && !explain(verdicts.apart) &&
        options_.reasons == RaceOptions::Reasons::Findings)
      explained_ = false;
  }

  void take_over(const std::vector<ModelRace>& known) {
    std::vector<Conflict> racing;
    for (const ModelRace& race : known) {
      racing.push_back(race.conflict);
      if (race.schedule) known_.insert_or_assign(race.conflict, &*race.schedule);
    }
    pairs_ = racing.size();
    report_races(racing);
  }

  // What is not decided of a group, as one for each variable: there are too many to list them.
  void add_rest(const AccessGroup& group, const ConflictVerdicts& verdicts) {
    std::map<program::Variable, std::size_t> decided;
    for (const auto* list : {&verdicts.racing, &verdicts.apart})
      for (const Conflict& conflict : *list) ++decided[variable_of(conflict)];
    for (const auto& accesses : group.by_variable) {
      const std::size_t all = access_group(lowered(), accesses).conflicts;
      const std::size_t known = decided[access(lowered(), accesses.front()).variable];
      if (all > known)
        others_.push_back(undecided_races_finding(terms_, accesses.front(), all - known, to_string(*verdicts.stopped)));
    }
  }

  // A few pairs of a variable are told one by one, more of them as one.
  void add_undecided(std::vector<Conflict> conflicts, const std::string& reason) {
    std::ranges::stable_sort(conflicts, {}, [&](const Conflict& conflict) { return variable_of(conflict); });
    for (std::size_t begin = 0, end = 0; begin < conflicts.size(); begin = end) {
      while (end < conflicts.size() && variable_of(conflicts[end]) == variable_of(conflicts[begin])) ++end;
      if (end - begin > max_undecided) {
        others_.push_back(undecided_races_finding(terms_, conflicts[begin].first, end - begin, reason));
        continue;
      }
      for (std::size_t i = begin; i < end; ++i) others_.push_back(undecided_race_finding(terms_, conflicts[i], reason));
    }
  }
  // The same for all accesses to a variable. Many have more pairs than there is memory for.
  void add_undecided(const std::vector<AccessId>& accesses, const std::string& reason) {
    const AccessGroup group = access_group(lowered(), accesses);
    if (group.conflicts > max_undecided)
      others_.push_back(undecided_races_finding(terms_, accesses.front(), group.conflicts, reason));
    else
      add_undecided(conflicts(lowered(), group), reason);
  }

  // Variables in the order of their declarations.
  void report_races(std::vector<Conflict>& racing) {
    std::ranges::stable_sort(racing, {}, [&](const Conflict& race) { return variable_of(race); });
    std::vector<Finding> races;  // of one variable
    std::vector<Conflict> told;  // what each is about
    for (std::size_t i = 0; i < racing.size(); ++i) {
      if (brief() && stop_.stop_requested()) {
        unwritten_ += racing.size() - i + races.size();
        return;
      }
      if (auto race = finding_about(racing, i)) {
        races.push_back(*std::move(race));
        told.push_back(racing[i]);
      }
      if (!options_.first && i + 1 < racing.size() && variable_of(racing[i]) == variable_of(racing[i + 1])) continue;
      apply(suppressions_, races);
      for (std::size_t j = 0; j < races.size(); ++j) {
        options_.watch.report_progress("settling race", j + 1, races.size());
        settling_.settle_race(races[j], told[j]);
      }
      told.clear();
      report_settled(races);
      races.clear();
      if (enough()) return;
    }
  }
  void report_settled(std::vector<Finding>& races) {
    order(races);
    for (Finding& race : races) {
      if (race.outcome == Outcome::Excluded) {
        others_.push_back(std::move(race));
        continue;
      }
      if (brief() && stop_.stop_requested()) {
        ++unwritten_;
        continue;
      }
      ++(race.suppressed ? suppressed_ : found_);
      result_.add(std::move(race), options_.watch);
    }
  }

  // Nothing if there was no time for its schedule.
  std::optional<Finding> finding_about(const std::vector<Conflict>& racing, std::size_t number) {
    const Conflict& race = racing[number];
    if (scheduled_++ < options_.max_schedules) return scheduled(racing, number);
    if (options_.on_model_races) model_races_.push_back({race, {}});
    if (brief() && options_.known == nullptr) replay_if_drawn(race);
    return race_finding(terms_, race);
  }
  [[nodiscard]] bool enough() const { return options_.first && found_ > 0; }
  [[nodiscard]] bool brief() const { return options_.max_schedules == 0; }

  // Without schedules, too, some races are replayed, and at least one: a pair that cannot be scheduled is not given
  // away.
  void replay_if_drawn(const Conflict& race) {
    constexpr std::size_t one_replayed_in = 4096;
    if (!options_.confirm && sample_.draws(one_replayed_in))
      solver::replay_again(lowered().network, conflict_problem(lowered(), race), {}, sample_, stop_);
  }

  std::optional<Finding> scheduled(const std::vector<Conflict>& racing, std::size_t number) {
    const Conflict& race = racing[number];
    if (const auto known = known_.find(race); known != known_.end())
      return race_finding(terms_, race, *known->second, stop_);
    options_.watch.report_progress("schedule of race", number + 1, racing.size());
    try {
      if (auto schedule = schedules_.schedule(race)) {
        Finding finding = race_finding(terms_, race, *schedule, stop_);
        if (options_.on_model_races) model_races_.push_back({race, *std::move(schedule)});
        return finding;
      }
    } catch (const Interrupted&) {  // a schedule of a million steps takes seconds to tell
    }
    unscheduled_.push_back(race);
    return std::nullopt;
  }

  // False if there was no time for it.
  bool explain(const std::vector<Conflict>& apart) {
    options_.watch.report_progress("reasons");
    const bool asked = options_.reasons == RaceOptions::Reasons::Findings;
    try {
      const auto reasons = separations(terms_.program(), lowered(), apart, asked ? AskOrder::Yes : AskOrder::No, stop_);
      for (std::size_t i = 0; i < reasons.size(); ++i)
        (asked ? others_ : result_.background).push_back(no_race_finding(terms_, apart[i], reasons[i]));
      return true;
    } catch (const Interrupted& interrupted) {
      result_.notes.push_back(fmt::format("no reasons: {}", interrupted.what()));
      return false;
    }
  }

  const SourceTerms& terms_;
  Suppressions& suppressions_;
  const RaceOptions& options_;
  StopToken stop_;
  Settling settling_;
  solver::ReplaySample sample_{lowered().accesses.size()};  // of races without schedules
  RaceSchedules schedules_{lowered(), stop_};
  std::map<Conflict, const dpn::Schedule*> known_;
  std::vector<ModelRace> model_races_;
  std::vector<Finding> others_;  // undecided, or excluded and asked for
  std::vector<Conflict> unscheduled_;
  std::size_t scheduled_ = 0;  // races for which a schedule was looked for
  std::size_t pairs_ = 0;
  std::size_t left_out_ = 0;  // variables
  std::size_t found_ = 0;
  std::size_t suppressed_ = 0;
  std::size_t apart_ = 0;
  std::size_t unwritten_ = 0;  // found after the time was over
  bool explained_ = true;      // all that was asked for
  Findings result_;
};

}  // namespace

Findings find_races(const SourceTerms& program, Suppressions& suppressions, const RaceOptions& options) {
  return RaceSearch{program, suppressions, options}.run();
}

}  // namespace lockwood::findings
