#include "solver/analyses/locations_at_end.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <utility>

#include "solver/engine/engine.hpp"
#include "solver/reduction/reduction.hpp"

namespace lockwood::solver {
namespace {

using dpn::StackSymbol;

// Symbols that are carried at a time: with many more, sets take more memory than they save time.
constexpr std::size_t max_symbols = 8192;
// Always worth a search.
constexpr std::size_t few_stages = 1'000'000;
constexpr std::size_t few_shared_stages = 100'000;

// The symbols that come up, and for which targets.
struct Coming {
  TargetsOfSymbols places;
  std::optional<StopReason> stopped;
  EngineStatistics statistics;
};

void add(TargetsOfSymbols& places, const std::map<StackSymbol, Targets>& more) {
  std::map<StackSymbol, Targets> all = more;
  for (std::size_t i = 0; i < places.symbols.size(); ++i) all[places.symbols[i]] |= places.targets[i];
  places = {};
  for (const auto& [symbol, targets] : all) places.add(symbol, targets);
}

// Those of the symbols that come up are added to the places.
void carry_up(const LocationQuestion& question, Engine& engine, const std::vector<StackSymbol>& symbols, Coming& coming,
              StopToken stop) {
  LocationPaths ways{question, engine, stop};
  std::map<StackSymbol, Targets> arrived;
  for (std::size_t begin = 0; begin < symbols.size() && !coming.stopped; begin += max_symbols) {
    const std::size_t end = std::min(symbols.size(), begin + max_symbols);
    const std::vector<StackSymbol> some(symbols.begin() + static_cast<std::ptrdiff_t>(begin),
                                        symbols.begin() + static_cast<std::ptrdiff_t>(end));
    try {
      ways.carry(some);
    } catch (const Interrupted& interrupted) {
      coming.stopped = interrupted.reason();
    }
    for (std::size_t i = 0; i < some.size(); ++i)
      if (ways.arrived()[i]) arrived[some[i]] = target(0);
  }
  add(coming.places, arrived);
  coming.statistics.facts += ways.size();
}

// All facts in which nobody is looked for.
struct Run {
  Reduction reduction;
  Engine engine;

  Run(const LocationQuestion& question, const BackwardFlow& flow, const std::vector<StackSymbol>& asked,
      const LockFlags* respected, StopToken stop)
      : reduction{question.network, flow, collecting(question.problem, asked), Reductions{}, 0, {}, respected},
        engine{question.network,
               question.problem,
               {.objective = Objective::Any,
                .reduction = &reduction,
                .exhaustive = true,
                .drop_unsatisfiable = true,
                .distinguished = question.distinguished,
                .stop = stop}} {}

  static Problem collecting(Problem problem, const std::vector<StackSymbol>& asked) {
    problem.collect = Collect{{asked}};
    return problem;
  }
};

// Beyond so many, with this number of facts, there are too many.
std::size_t stage_limit(const LocationQuestion& question, std::size_t facts) {
  return question.distinguished ? std::max(few_shared_stages, 2 * facts) : std::max(few_stages, 4 * facts);
}

Coming with_all_ways(const LocationQuestion& question, const BackwardFlow& flow, const TargetsOfSymbols& asked,
                     StopToken stop, std::optional<std::size_t> max_stages);

// The same for each target apart.
void one_by_one(const LocationQuestion& question, const BackwardFlow& flow, const TargetsOfSymbols& asked,
                Coming& coming, StopToken stop, std::optional<std::size_t> max_stages) {
  const std::vector<dpn::Action>& told = question.told();
  for (std::size_t number = 0; number < told.size() && !coming.stopped; ++number) {
    TargetsOfSymbols some;
    for (std::size_t i = 0; i < asked.symbols.size(); ++i)
      if ((asked.targets[i] & target(number)) != 0) some.add(asked.symbols[i], target(0));
    if (some.symbols.empty()) continue;
    Problem problem = question.problem;
    Phase& phase = problem.phases[*question.distinguished];
    phase.fired = {{told[number]}};
    std::ranges::copy_if(told, std::back_inserter(phase.avoiding),
                         [&](dpn::Action action) { return action != told[number]; });
    const Coming apart = with_all_ways({question.network, problem, {}}, flow, some, stop, max_stages);
    std::map<StackSymbol, Targets> arrived;
    for (StackSymbol symbol : apart.places.symbols) arrived[symbol] = target(number);
    add(coming.places, arrived);
    coming.stopped = apart.stopped;
    coming.statistics += apart.statistics;
  }
}

Coming with_all_ways(const LocationQuestion& question, const BackwardFlow& flow, const TargetsOfSymbols& asked,
                     StopToken stop, std::optional<std::size_t> max_stages) {
  const std::optional<PhaseIndex> distinguished = question.distinguished;
  Coming coming;
  TargetsOfSymbols open;
  {
    Run run{question, flow, asked.symbols, nullptr, stop};
    Engine& engine = run.engine;
    if (engine.run() == dpn::Verdict::Unknown) coming.stopped = stop.reason();
    coming.statistics = engine.statistics();
    if (coming.stopped) return coming;
    const std::size_t facts = engine.facts().size();
    try {
      LocationPaths ways{question, engine, stop};
      auto found = ways.search(asked, max_stages.value_or(stage_limit(question, facts)));
      coming.places = std::move(found.coming);
      open = std::move(found.open);
      coming.statistics.facts += ways.size();
    } catch (const Interrupted& interrupted) {
      coming.stopped = interrupted.reason();
    }
    if (!distinguished && !open.symbols.empty()) carry_up(question, engine, open.symbols, coming, stop);
  }
  if (distinguished) one_by_one(question, flow, open, coming, stop, max_stages);
  return coming;
}

// Without locks there are few ways, and what none of them leads to need not be looked for with locks, where it would be
// looked for to the end.
bool pays_without_locks(const dpn::Network& network, const Problem& problem) {
  const auto asks_for_locks = [](const auto& standing) { return standing.holding || standing.wanting; };
  return problem.semantics == dpn::Semantics::LockSensitive && network.locks().size() > 0 &&
         std::ranges::none_of(problem.phases,
                              [&](const Phase& phase) { return std::ranges::any_of(phase.standing, asks_for_locks); });
}

Coming answer(const LocationQuestion& question, const std::vector<StackSymbol>& symbols, StopToken stop,
              std::optional<std::size_t> max_stages) {
  TargetsOfSymbols asked{symbols, std::vector<Targets>(symbols.size(), static_cast<Targets>(-1))};
  std::ranges::sort(asked.symbols);
  const BackwardFlow flow{question.network};
  if (!pays_without_locks(question.network, question.problem))
    return with_all_ways(question, flow, asked, stop, max_stages);
  Problem relaxed = question.problem;
  relaxed.semantics = dpn::Semantics::LockInsensitive;
  const Coming possible =
      with_all_ways({question.network, relaxed, question.distinguished}, flow, asked, stop, max_stages);
  if (possible.places.symbols.empty() || possible.stopped) return {{}, possible.stopped, possible.statistics};
  Coming coming = with_all_ways(question, flow, possible.places, stop, max_stages);
  coming.statistics += possible.statistics;
  return coming;
}

}  // namespace

LocationsAtEnd locations_at_end(const dpn::Network& network, const Problem& problem,
                                const std::vector<StackSymbol>& asked, StopToken stop,
                                std::optional<std::size_t> max_stages) {
  Coming coming = answer({network, problem, {}}, asked, stop, max_stages);
  return {std::move(coming.places.symbols), coming.stopped, coming.statistics};
}

LocationsByAction locations_at_end_by_action(const dpn::Network& network, const Problem& problem,
                                             PhaseIndex distinguished, const std::vector<StackSymbol>& asked,
                                             StopToken stop, std::optional<std::size_t> max_stages) {
  const LocationQuestion question{network, problem, distinguished};
  const Coming coming = answer(question, asked, stop, max_stages);
  LocationsByAction places{.symbols = std::vector<std::vector<StackSymbol>>(question.targets()),
                           .stopped = coming.stopped,
                           .statistics = coming.statistics};
  for (std::size_t i = 0; i < coming.places.symbols.size(); ++i)
    for (std::size_t number = 0; number < places.symbols.size(); ++number)
      if ((coming.places.targets[i] & target(number)) != 0) places.symbols[number].push_back(coming.places.symbols[i]);
  return places;
}

PossiblePlaces possible_places(const LocationQuestion& question, const BackwardFlow& flow,
                               const TargetsOfSymbols& asked, const LockFlags& respected,
                               std::optional<std::size_t> max_stages, StopToken stop,
                               const std::function<void(const PossiblePlaces& found, const TreeOfPlace& tree)>& look) {
  Run run{question, flow, asked.symbols, &respected, stop};
  (void)run.engine.run();
  stop.check();
  LocationPaths ways{question, run.engine, stop};
  auto found = ways.search(asked, max_stages.value_or(std::max(few_stages, 4 * run.engine.facts().size())));
  PossiblePlaces possible{std::move(found.coming), std::move(found.open), run.engine.statistics()};
  possible.statistics.facts += ways.size();
  look(possible, [&](StackSymbol symbol, Targets one, NodeBudget room) {
    return run.reduction.expanded(ways.tree(symbol, one, room), room);
  });
  return possible;
}

}  // namespace lockwood::solver
