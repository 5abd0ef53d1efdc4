#include "frontend/findings/analyses/def_uses_on_demand.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/ids/random.hpp"
#include "frontend/findings/analyses/def_use_execution.hpp"
#include "solver/analyses/random_executions.hpp"

namespace lockwood::findings {

using dpn::StackSymbol;
using solver::BrokenAnswer;

namespace {

constexpr std::size_t in_vain_after_schedule = 16;  // moves beyond a schedule that show nothing

// Several threads may be marked, and any of them may be the last: the steps commute. This one becomes the last, if it
// is marked.
void mark_last(const DefUseModel& model, dpn::ThreadId reader, dpn::Schedule& schedule) {
  const auto first = schedule.moves.begin() + static_cast<std::ptrdiff_t>(schedule.cuts.at(0));
  const auto end = schedule.moves.begin() + static_cast<std::ptrdiff_t>(schedule.cuts.at(1));
  for (auto move = first; move != end; ++move)
    if (std::ranges::count(model.marks(), model.network().rule(move->rule).action) == 0)
      throw BrokenAnswer{"a definition is not alone in its phase"};
  std::stable_partition(first, end, [&](const dpn::Move& move) { return move.thread != reader; });
}

}  // namespace

class DefUsesOnDemand::Search {
 public:
  Search(const program::Lowered& lowered, std::optional<program::Variable> variable,
         const DefUsesOnDemandOptions& options)
      : lowered_{lowered},
        options_{options},
        execution_{lowered, variable},
        random_{1},
        group_of_(lowered.accesses.size(), 0) {
    for (AccessId definition : definitions(lowered, variable)) group_of_[definition] = group_for(definition);
    if (options_.random_executions && !groups_.empty()) solver::walk_from_beginning(execution_, random_, stop());
  }

  [[nodiscard]] ComparedUses uses_of(AccessId definition) {
    Group& group = groups_[group_of_[definition]];
    if (!group.decided) decide(group);
    ComparedUses compared;
    for (AccessId use : uses(lowered_, access(lowered_, definition).variable)) {
      ReachedUse with{use};
      ReachedUse without{use};
      for (StackSymbol place : access(lowered_, use).before)
        for (Reader reader : {Reader::Same, Reader::Other}) {
          const bool shown = execution_.is_shown(definition, place, reader);
          const bool possible = shown || group.without_locks.contains({definition, {place, reader}});
          bool& reached_with = reader == Reader::Same ? with.by_same : with.by_other;
          bool& reached_without = reader == Reader::Same ? without.by_same : without.by_other;
          reached_with = reached_with || shown;
          reached_without = reached_without || possible;
        }
      compared.with_locks.uses.push_back(with);
      compared.without_locks.uses.push_back(without);
    }
    compared.with_locks.stopped = compared.without_locks.stopped = group.stopped;
    return compared;
  }

  [[nodiscard]] const DefUseModel& model_of(AccessId definition) {
    const program::Variable variable = access(lowered_, definition).variable;
    if (modelled_ != variable) {
      modelled_.reset();
      model_.emplace(lowered_, variable, options_.focus, stop());
      modelled_ = variable;
    }
    return *model_;
  }

 private:
  using Read = std::pair<StackSymbol, Reader>;  // of the program's network

  // Definitions of one variable, which are decided together.
  struct Group {
    std::vector<AccessId> definitions;
    bool decided = false;
    std::set<std::pair<AccessId, Read>> without_locks;  // what had to be looked for by a run
    std::optional<StopReason> stopped;
  };

  // What is shown of the definitions of a group: these are the targets, and the model's symbols tell places and
  // readers.
  class Shown final : public solver::ShownLocations {
   public:
    Shown(Search& search, const Group& group, const DefUseModel& model)
        : search_{search}, group_{group}, model_{model} {
      for (AccessId use : model.uses())
        for (StackSymbol place : access(model.lowered(), use).before)
          for (Reader reader : {Reader::Same, Reader::Other})
            reads_[model.probed(place, reader)].emplace(place, reader);
    }

    // By symbol of the model: the reads in the program that it stands for, which are equal.
    [[nodiscard]] const std::map<StackSymbol, std::set<Read>>& reads() const { return reads_; }
    [[nodiscard]] bool is_shown(StackSymbol symbol, std::size_t target) const override {
      return std::ranges::any_of(reads_.at(symbol), [&](const Read& read) {
        return search_.execution_.is_shown(group_.definitions[target], read.first, read.second);
      });
    }
    void add(StackSymbol symbol, std::size_t target) override {
      for (const auto& [place, reader] : reads_.at(symbol))
        search_.execution_.add(group_.definitions[target], place, reader);
    }
    void show(const dpn::ExecutionTree& tree) override { search_.show(tree, model_); }

   private:
    Search& search_;
    const Group& group_;
    const DefUseModel& model_;
    std::map<StackSymbol, std::set<Read>> reads_;
  };

  [[nodiscard]] StopToken stop() const { return options_.locations.stop; }

  // The last one of its variable, if there is room.
  std::size_t group_for(AccessId definition) {
    const program::Variable variable = access(lowered_, definition).variable;
    if (!last_group_.contains(variable)) last_group_.resize(variable.index() + 1);
    std::optional<std::size_t>& last = last_group_[variable];
    if (!last || groups_[*last].definitions.size() == solver::max_actions) {
      last = groups_.size();
      groups_.emplace_back();
    }
    groups_[*last].definitions.push_back(definition);
    return *last;
  }

  void decide(Group& group) {
    group.decided = true;
    try {
      stop().check();
      const DefUseModel& model = model_of(group.definitions.front());
      Shown shown{*this, group, model};
      const std::size_t targets = group.definitions.size();
      solver::TargetsOfSymbols asked;
      for (const auto& [symbol, reads] : shown.reads())
        asked.add(symbol, static_cast<solver::Targets>(-1) >> (64 - targets));

      const solver::Problem problem = model.problem(group.definitions, dpn::Semantics::LockSensitive);
      const auto distinguished = targets > 1 ? std::optional<solver::PhaseIndex>{1} : std::nullopt;
      solver::EngineStatistics statistics;
      const auto [places, open] = solver::decide_locations({model.network(), problem, distinguished}, model.flow(),
                                                           asked, shown, statistics, options_.locations);
      keep(group, shown, places);
      keep(group, shown, possible_without_locks(group, model, open));
    } catch (const Interrupted& interrupted) {
      group.stopped = interrupted.reason();
    }
  }
  static void keep(Group& group, const Shown& shown, const solver::TargetsOfSymbols& places) {
    for (std::size_t i = 0; i < places.symbols.size(); ++i)
      for (std::size_t number = 0; number < group.definitions.size(); ++number)
        if ((places.targets[i] & solver::target(number)) != 0)
          for (const Read& read : shown.reads().at(places.symbols[i]))
            group.without_locks.emplace(group.definitions[number], read);
  }
  [[nodiscard]] solver::TargetsOfSymbols possible_without_locks(const Group& group, const DefUseModel& model,
                                                                const solver::TargetsOfSymbols& open) const {
    solver::TargetsOfSymbols found;
    if (open.symbols.empty()) return found;
    for (std::size_t number = 0; number < group.definitions.size(); ++number) {
      std::vector<StackSymbol> asked;
      for (std::size_t i = 0; i < open.symbols.size(); ++i)
        if ((open.targets[i] & solver::target(number)) != 0) asked.push_back(open.symbols[i]);
      const solver::LocationsAtEnd at_end = solver::locations_at_end(
          model.network(), model.problem({&group.definitions[number], 1}, dpn::Semantics::LockInsensitive), asked,
          stop());
      if (at_end.stopped) throw Interrupted{*at_end.stopped};
      for (StackSymbol each : at_end.symbols) found.add(each, solver::target(number));
    }
    return found;
  }

  // By the tree's schedule in the program's own network, and by what can be shown from its end on.
  void show(const dpn::ExecutionTree& tree, const DefUseModel& model) {
    const auto schedule = dpn::schedule_of(model.network(), tree, dpn::Semantics::LockSensitive, stop());
    if (!schedule) throw BrokenAnswer{"the execution tree of a definition cannot be scheduled"};
    for (const dpn::Move& last : schedule->moves) {
      if (model.network().rule(last.rule).action != model.probe()) continue;
      dpn::Schedule read = *schedule;
      mark_last(model, last.thread, read);
      replay(model.in_program(read));
      (void)solver::go_on(execution_, random_, solver::moves_per_tree, solver::seldom, in_vain_after_schedule, stop());
    }
  }
  void replay(const dpn::Schedule& schedule) {
    execution_.begin();
    for (const dpn::Move& move : schedule.moves) {
      if (dpn::blocked(lowered_.network, execution_.configuration(), move, dpn::Semantics::LockSensitive))
        throw BrokenAnswer{"the schedule of a definition does not replay"};
      (void)execution_.make(move);
    }
  }

  const program::Lowered& lowered_;
  DefUsesOnDemandOptions options_;
  DefUseExecution execution_;
  Random random_;
  IdVector<AccessId, std::size_t> group_of_;
  IdVector<program::Variable, std::optional<std::size_t>> last_group_;
  std::vector<Group> groups_;
  std::optional<program::Variable> modelled_;
  std::optional<DefUseModel> model_;  // of that variable
};

DefUsesOnDemand::DefUsesOnDemand(const program::Lowered& lowered, std::optional<program::Variable> variable,
                                 const DefUsesOnDemandOptions& options)
    : search_{std::make_unique<Search>(lowered, variable, options)} {}
DefUsesOnDemand::~DefUsesOnDemand() = default;

ComparedUses DefUsesOnDemand::uses_of(AccessId definition) { return search_->uses_of(definition); }
const DefUseModel& DefUsesOnDemand::model_of(AccessId definition) { return search_->model_of(definition); }

}  // namespace lockwood::findings
