#include "solver/analyses/flows_on_demand.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/ids/random.hpp"
#include "dpn/trees/obstacle.hpp"
#include "dpn/trees/schedule.hpp"
#include "solver/analyses/flow_execution.hpp"
#include "solver/analyses/flow_group.hpp"
#include "solver/analyses/locations_at_end.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/locks/lock_set.hpp"

namespace lockwood::solver {

using dpn::StackSymbol;

class FlowsOnDemand::Flows {
 public:
  Flows(const dpn::Network& network, std::vector<FlowFact> facts, dpn::Semantics semantics,
        const FlowsOnDemandOptions& options)
      : network_{network},
        facts_{std::move(facts)},
        semantics_{semantics},
        options_{options},
        groups_{flow_groups(facts_)},
        random_{1} {
    if (!on_demand()) return;
    for (const auto& group : groups_) flow_groups_.push_back(flow_group(network, facts_of(group), semantics));
    flow_.emplace(network);
    execution_.emplace(network, flow_groups_);
    if (options_.random_executions) walk();
  }

  [[nodiscard]] const std::vector<std::vector<std::size_t>>& groups() const { return groups_; }

  [[nodiscard]] std::vector<FlowAnswer> answers_of(std::size_t group) {
    const std::vector<FlowFact> facts = facts_of(groups_[group]);
    if (!on_demand()) return reached_points(network_, facts, semantics_, options_.stop);
    std::vector<FlowAnswer> answers(facts.size());
    if (range_of(group).count == 0) return answers;
    statistics_ = {};
    std::optional<StopReason> stopped;
    try {
      decide(group);
    } catch (const Interrupted& interrupted) {
      stopped = interrupted.reason();
    }
    for (std::size_t i = 0; i < facts.size(); ++i) {
      answers[i] = {{}, stopped, statistics_};
      for (StackSymbol symbol : network_.stack_symbols().keys())
        if (is_shown(group, facts[i], symbol)) answers[i].points.push_back(symbol);
    }
    return answers;
  }

 private:
  static constexpr std::size_t few_nodes = 50'000;       // of all trees of a run: not worth a run with all locks
  static constexpr std::size_t nodes_per_fact = 8;       // that a tree has, in the time which a run takes for a fact
  static constexpr std::size_t moves_per_tree = 256;     // so many random moves take as long as a tree
  static constexpr std::size_t trees_in_vain = 32;       // with obstacles that are known
  static constexpr std::size_t many_obstacles = 8;       // of one run
  static constexpr std::size_t seldom = 1024;            // moves between switches of threads
  static constexpr std::size_t retry_on_bad_alloc = 16;  // moves beyond a schedule that show nothing

  // Without locks, one run for each group is all that is needed.
  [[nodiscard]] bool on_demand() const {
    return semantics_ == dpn::Semantics::LockSensitive && network_.locks().size() > 0;
  }
  [[nodiscard]] const TargetRange& range_of(std::size_t group) const { return execution_->targets(group); }
  [[nodiscard]] std::vector<FlowFact> facts_of(const std::vector<std::size_t>& group) const {
    std::vector<FlowFact> facts;
    for (std::size_t i : group) facts.push_back(facts_[i]);
    return facts;
  }
  [[nodiscard]] bool is_shown(std::size_t group, const FlowFact& fact, StackSymbol symbol) const {
    const FlowGroup& question = flow_groups_[group];
    for (std::size_t number = 0; number < range_of(group).count; ++number)
      if (execution_->is_shown(symbol, range_of(group).first + number) &&
          (!question.distinguished || std::ranges::count(fact.generating, question.generating[number]) > 0))
        return true;
    return false;
  }

  // Random executions, as long as they show more than trees would in the same time. Threads are switched seldom in some
  // of them, often in others.
  void walk() {
    constexpr std::size_t max_moves = 100'000;
    const std::size_t moves = std::min(max_moves, 64 + 4 * network_.rules().size());
    FlowExecution::Walk walked;
    do {
      walked = {};
      for (std::size_t burst = 1; burst <= seldom; burst *= 4) {
        if (options_.stop.stop_requested()) return;
        execution_->begin();
        const auto [made, shown] = execution_->go_on(random_, moves, burst, moves);
        walked.moves += made;
        walked.shown += shown;
      }
    } while (walked.moves < moves_per_tree * walked.shown);
  }

  [[nodiscard]] TargetsOfSymbols not_shown(std::size_t group, const TargetsOfSymbols& among) const {
    TargetsOfSymbols left;
    for (std::size_t i = 0; i < among.symbols.size(); ++i) {
      Targets targets = 0;
      for (std::size_t number = 0; number < range_of(group).count; ++number)
        if ((among.targets[i] & target(number)) != 0 &&
            !execution_->is_shown(among.symbols[i], range_of(group).first + number))
          targets |= target(number);
      left.add(among.symbols[i], targets);
    }
    return left;
  }
  // What a run with some locks does not find is excluded. A place that it finds is shown by its tree, or the tree has
  // an obstacle; then there is another run, in which the locks of the obstacle are respected, too. Obstacles to several
  // places are put together only if there are many: what excludes a place is often one lock, and sets of held locks
  // multiply. A run that respects the locks of all obstacles so far leaves nothing, or meets another lock.
  void decide(std::size_t group) {
    const auto keys = network_.stack_symbols().keys();
    const Targets all = static_cast<Targets>(-1) >> (64 - range_of(group).count);
    TargetsOfSymbols left = not_shown(group, {{keys.begin(), keys.end()}, std::vector<Targets>(keys.size(), all)});
    std::vector<LockSet> choices{LockSet{}};
    std::size_t next = 0;  // of the choices
    LockSet together;
    while (!left.symbols.empty()) {
      const bool all_together = next == choices.size();
      const LockSet locks = all_together ? together : choices[next++];
      const LockFlags respected = flags(locks);
      Shown shown;
      const PossiblePlaces possible =
          possible_places(standing(group), *flow_, left, respected, options_.max_stages, options_.stop,
                          [&](const PossiblePlaces& found, const TreeOfPlace& tree_of) {
                            shown = show_by_trees(group, found, tree_of);
                          });
      statistics_ += possible.statistics;
      left = not_shown(group, possible.places);
      if (shown.trees_too_large) {
        add_by_all_ways(group, left);
        left = {};
      }
      if (all_together)
        add_by_all_ways(group, possible.open);
      else
        left = either(left, possible.open);
      for (LockSet& choice : shown.obstacles) {
        if (choice.subset_of(locks)) throw BrokenAnswer{"an execution does not respect locks that it should"};
        choice.insert(locks);
        together.insert(choice);
        if (choices.size() < options_.max_choices && std::ranges::count(choices, choice) == 0)
          choices.push_back(std::move(choice));
      }
      assert(left.symbols.empty() || !all_together || !shown.obstacles.empty());
    }
  }
  [[nodiscard]] static TargetsOfSymbols either(const TargetsOfSymbols& some, const TargetsOfSymbols& others) {
    TargetsOfSymbols result;
    for (std::size_t i = 0, j = 0; i < some.symbols.size() || j < others.symbols.size();) {
      const bool first =
          j == others.symbols.size() || (i < some.symbols.size() && some.symbols[i] <= others.symbols[j]);
      const bool second =
          i == some.symbols.size() || (j < others.symbols.size() && others.symbols[j] <= some.symbols[i]);
      const StackSymbol symbol = first ? some.symbols[i] : others.symbols[j];
      const Targets targets = (first ? some.targets[i] : 0) | (second ? others.targets[j] : 0);
      result.add(symbol, targets);
      i += first ? 1 : 0;
      j += second ? 1 : 0;
    }
    return result;
  }
  [[nodiscard]] LockFlags flags(const LockSet& locks) const {
    LockFlags flags(network_.locks().size(), false);
    locks.for_each([&](dpn::Lock lock) { flags[lock] = true; });
    return flags;
  }
  [[nodiscard]] LocationQuestion standing(std::size_t group) const {
    return {network_, flow_groups_[group].problem, flow_groups_[group].distinguished};
  }

  struct Shown {
    std::vector<LockSet> obstacles;  // their locks; there are some if not all places are shown
    bool trees_too_large = false;    // it is quicker to respect all locks
  };
  // The last places first: on the way there, a thread comes by others. Once there are enough obstacles, or trees have
  // the same ones again, it is time to respect the locks.
  [[nodiscard]] Shown show_by_trees(std::size_t group, const PossiblePlaces& found, const TreeOfPlace& tree_of) {
    const TargetsOfSymbols& places = found.places;
    std::size_t nodes = few_nodes + nodes_per_fact * found.statistics.facts;  // that there is time for
    Shown result;
    std::size_t in_vain = 0;
    for (std::size_t i = places.symbols.size(); i-- > 0;)
      for (std::size_t number = 0; number < range_of(group).count; ++number) {
        const StackSymbol symbol = places.symbols[i];
        const std::size_t wanted = range_of(group).first + number;
        if ((places.targets[i] & target(number)) == 0 || execution_->is_shown(symbol, wanted)) continue;
        options_.stop.check();
        try {
          const dpn::ExecutionTree tree = tree_of(symbol, target(number), NodeBudget{nodes, options_.stop});
          nodes -= std::min(nodes, tree.size());
          const auto obstacle = dpn::obstacle(network_, tree);
          if (!obstacle) {
            show(tree);
            if (!execution_->is_shown(symbol, wanted)) throw BrokenAnswer{"the schedule of a fact does not show it"};
            continue;
          }
          LockSet locks;
          for (dpn::Lock lock : dpn::locks_of(*obstacle)) locks.insert(lock);
          const bool known = std::ranges::count(result.obstacles, locks) > 0;
          in_vain = known ? in_vain + 1 : 0;
          if (!known) result.obstacles.push_back(std::move(locks));
          if (in_vain == trees_in_vain || result.obstacles.size() == many_obstacles) return result;
        } catch (const TreeTooLarge&) {
          result.trees_too_large = true;
          return result;
        }
      }
    return result;
  }

  // And what can be shown from the end of its schedule on.
  void show(const dpn::ExecutionTree& tree) {
    const auto schedule = dpn::schedule_of(network_, tree, semantics_, options_.stop);
    if (!schedule) throw BrokenAnswer{"the execution tree of a fact cannot be scheduled"};
    execution_->begin();
    for (const dpn::Move& move : schedule->moves) {
      if (!execution_->can_make(move)) throw BrokenAnswer{"the schedule of a fact does not replay"};
      (void)execution_->make(move);
    }
    (void)execution_->go_on(random_, moves_per_tree, seldom, retry_on_bad_alloc);
  }

  // As if there were no other way.
  void add_by_all_ways(std::size_t group, const TargetsOfSymbols& places) {
    if (places.symbols.empty()) return;
    const auto& [network, problem, distinguished] = standing(group);
    std::optional<StopReason> stopped;
    if (distinguished) {
      const LocationsByAction found =
          locations_at_end_by_action(network, problem, *distinguished, places.symbols, options_.stop);
      statistics_ += found.statistics;
      stopped = found.stopped;
      for (std::size_t number = 0; number < found.symbols.size(); ++number)
        for (StackSymbol symbol : found.symbols[number]) execution_->add(symbol, range_of(group).first + number);
    } else {
      const LocationsAtEnd found = locations_at_end(network, problem, places.symbols, options_.stop);
      statistics_ += found.statistics;
      stopped = found.stopped;
      for (StackSymbol symbol : found.symbols) execution_->add(symbol, range_of(group).first);
    }
    if (stopped) throw Interrupted{*stopped};
  }

  const dpn::Network& network_;
  std::vector<FlowFact> facts_;
  dpn::Semantics semantics_;
  FlowsOnDemandOptions options_;
  std::vector<std::vector<std::size_t>> groups_;
  std::vector<FlowGroup> flow_groups_;
  std::optional<BackwardFlow> flow_;
  std::optional<FlowExecution> execution_;
  Random random_;
  EngineStatistics statistics_;
};

FlowsOnDemand::FlowsOnDemand(const dpn::Network& network, std::vector<FlowFact> facts, dpn::Semantics semantics,
                             const FlowsOnDemandOptions& options)
    : flows_{std::make_unique<Flows>(network, std::move(facts), semantics, options)} {}
FlowsOnDemand::~FlowsOnDemand() = default;

const std::vector<std::vector<std::size_t>>& FlowsOnDemand::groups() const { return flows_->groups(); }
std::vector<FlowAnswer> FlowsOnDemand::answers_of(std::size_t group) { return flows_->answers_of(group); }

}  // namespace lockwood::solver
