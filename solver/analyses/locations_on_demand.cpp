#include "solver/analyses/locations_on_demand.hpp"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "dpn/trees/obstacle.hpp"
#include "solver/analyses/locations_at_end.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/locks/lock_set.hpp"

namespace lockwood::solver {
namespace {

using dpn::StackSymbol;

constexpr std::size_t few_nodes = 50'000;  // of all trees of a run: not worth a run with all locks
constexpr std::size_t nodes_per_fact = 8;  // that a tree has, in the time which a run takes for a fact
constexpr std::size_t trees_in_vain = 32;  // with obstacles that are known
constexpr std::size_t many_obstacles = 8;  // of one run

[[nodiscard]] TargetsOfSymbols either(const TargetsOfSymbols& some, const TargetsOfSymbols& others) {
  TargetsOfSymbols result;
  for (std::size_t i = 0, j = 0; i < some.symbols.size() || j < others.symbols.size();) {
    const bool first = j == others.symbols.size() || (i < some.symbols.size() && some.symbols[i] <= others.symbols[j]);
    const bool second = i == some.symbols.size() || (j < others.symbols.size() && others.symbols[j] <= some.symbols[i]);
    const StackSymbol symbol = first ? some.symbols[i] : others.symbols[j];
    const Targets targets = (first ? some.targets[i] : 0) | (second ? others.targets[j] : 0);
    result.add(symbol, targets);
    i += first ? 1 : 0;
    j += second ? 1 : 0;
  }
  return result;
}

class LocationSearch {
 public:
  LocationSearch(const LocationQuestion& question, const BackwardFlow& flow, ShownLocations& shown,
                 EngineStatistics& statistics, const LocationsOnDemandOptions& options)
      : question_{question}, flow_{flow}, shown_{shown}, statistics_{statistics}, options_{options} {}

  // What a run with some locks does not find is excluded. A place that it finds is shown by its tree, or the tree has
  // an obstacle; then there is another run, in which the locks of the obstacle are respected, too. Obstacles to several
  // places are put together only if there are many: what excludes a place is often one lock, and sets of held locks
  // multiply. A run that respects the locks of all obstacles so far leaves nothing, or meets another lock.
  WithoutLocks decide(const TargetsOfSymbols& asked) && {
    WithoutLocks without_locks;
    TargetsOfSymbols left = not_shown(asked);
    std::vector<LockSet> choices{LockSet{}};
    std::size_t next = 0;  // of the choices
    LockSet together;
    while (!left.symbols.empty()) {
      const bool all_together = next == choices.size();
      const LockSet locks = all_together ? together : choices[next++];
      Trees trees;
      PossiblePlaces possible =
          possible_places(question_, flow_, left, flags(locks), options_.max_stages, options_.stop,
                          [&](const PossiblePlaces& found, const TreeOfPlace& tree_of) {
                            if (!decided(found)) trees = show_by_trees(found, tree_of);
                          });
      statistics_ += possible.statistics;
      left = not_shown(possible.places);
      if (trees.too_large) {
        add_by_all_ways(left);
        left = {};
      }
      if (all_together)
        add_by_all_ways(possible.open);
      else
        left = either(left, possible.open);
      for (LockSet& choice : trees.obstacles) {
        if (choice.subset_of(locks)) throw BrokenAnswer{"an execution does not respect locks that it should"};
        choice.insert(locks);
        together.insert(choice);
        if (choices.size() < options_.max_choices && std::ranges::count(choices, choice) == 0)
          choices.push_back(std::move(choice));
      }
      assert(left.symbols.empty() || !all_together || !trees.obstacles.empty());
      if (next == 1 && !all_together) without_locks = {std::move(possible.places), std::move(possible.open)};
    }
    return without_locks;
  }

 private:
  [[nodiscard]] TargetsOfSymbols not_shown(const TargetsOfSymbols& among) const {
    TargetsOfSymbols left;
    for (std::size_t i = 0; i < among.symbols.size(); ++i) {
      Targets targets = 0;
      for (std::size_t number = 0; number < question_.targets(); ++number)
        if ((among.targets[i] & target(number)) != 0 && !shown_.is_shown(among.symbols[i], number))
          targets |= target(number);
      left.add(among.symbols[i], targets);
    }
    return left;
  }
  [[nodiscard]] LockFlags flags(const LockSet& locks) const {
    LockFlags flags(question_.network.locks().size(), false);
    locks.for_each([&](dpn::Lock lock) { flags[lock] = true; });
    return flags;
  }

  // A run of a network without locks respects all of them.
  [[nodiscard]] bool decided(const PossiblePlaces& found) {
    if (question_.network.locks().size() > 0) return false;
    for (std::size_t i = 0; i < found.places.symbols.size(); ++i)
      for (std::size_t number = 0; number < question_.targets(); ++number)
        if ((found.places.targets[i] & target(number)) != 0) shown_.add(found.places.symbols[i], number);
    return true;
  }

  struct Trees {
    std::vector<LockSet> obstacles;  // their locks; there are some if not all places are shown
    bool too_large = false;          // it is quicker to respect all locks
  };
  // The last places first: on the way there, a thread comes by others. Once there are enough obstacles, or trees have
  // the same ones again, it is time to respect the locks.
  [[nodiscard]] Trees show_by_trees(const PossiblePlaces& found, const TreeOfPlace& tree_of) {
    const TargetsOfSymbols& places = found.places;
    std::size_t nodes = few_nodes + nodes_per_fact * found.statistics.facts;  // that there is time for
    Trees result;
    std::size_t in_vain = 0;
    for (std::size_t i = places.symbols.size(); i-- > 0;)
      for (std::size_t number = 0; number < question_.targets(); ++number) {
        const StackSymbol symbol = places.symbols[i];
        if ((places.targets[i] & target(number)) == 0 || shown_.is_shown(symbol, number)) continue;
        options_.stop.check();
        try {
          const dpn::ExecutionTree tree = tree_of(symbol, target(number), NodeBudget{nodes, options_.stop});
          nodes -= std::min(nodes, tree.size());
          const auto obstacle = dpn::obstacle(question_.network, tree);
          if (!obstacle) {
            shown_.show(tree);
            if (!shown_.is_shown(symbol, number)) throw BrokenAnswer{"the schedule of a fact does not show it"};
            continue;
          }
          LockSet locks;
          for (dpn::Lock lock : dpn::locks_of(*obstacle)) locks.insert(lock);
          const bool known = std::ranges::count(result.obstacles, locks) > 0;
          in_vain = known ? in_vain + 1 : 0;
          if (!known) result.obstacles.push_back(std::move(locks));
          if (in_vain == trees_in_vain || result.obstacles.size() == many_obstacles) return result;
        } catch (const TreeTooLarge&) {
          result.too_large = true;
          return result;
        }
      }
    return result;
  }

  // As if there were no other way.
  void add_by_all_ways(const TargetsOfSymbols& places) {
    if (places.symbols.empty()) return;
    const auto& [network, problem, distinguished] = question_;
    std::optional<StopReason> stopped;
    if (distinguished) {
      const LocationsByAction found =
          locations_at_end_by_action(network, problem, *distinguished, places.symbols, options_.stop);
      statistics_ += found.statistics;
      stopped = found.stopped;
      for (std::size_t number = 0; number < found.symbols.size(); ++number)
        for (StackSymbol symbol : found.symbols[number]) shown_.add(symbol, number);
    } else {
      const LocationsAtEnd found = locations_at_end(network, problem, places.symbols, options_.stop);
      statistics_ += found.statistics;
      stopped = found.stopped;
      for (StackSymbol symbol : found.symbols) shown_.add(symbol, 0);
    }
    if (stopped) throw Interrupted{*stopped};
  }

  const LocationQuestion& question_;
  const BackwardFlow& flow_;
  ShownLocations& shown_;
  EngineStatistics& statistics_;
  const LocationsOnDemandOptions& options_;
};

}  // namespace

WithoutLocks decide_locations(const LocationQuestion& question, const BackwardFlow& flow, const TargetsOfSymbols& asked,
                              ShownLocations& shown, EngineStatistics& statistics,
                              const LocationsOnDemandOptions& options) {
  assert(question.problem.semantics == dpn::Semantics::LockSensitive);
  return LocationSearch{question, flow, shown, statistics, options}.decide(asked);
}

}  // namespace lockwood::solver
