#include "solver/standing_places.hpp"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <queue>
#include <tuple>
#include <utility>

#include "base/digraph.hpp"
#include "solver/engine.hpp"
#include "solver/reduction.hpp"

namespace lockwood::solver {
namespace {

using dpn::StackSymbol;
using SymbolBits = boost::dynamic_bitset<>;
using StageId = Id<struct StageTag>;

// Symbols that are carried at a time: with many more, sets take more memory than they save time.
constexpr std::size_t most_symbols = 8192;

// Trees of a context with the thread that is looked for: a fact, and the symbols at which that thread can stand.
struct Stage {
  Fact fact;
  SymbolBits symbols;
  bool fresh = false;                             // there are symbols that were not passed on yet
  std::optional<std::vector<StageId>> following;  // known once it was needed: it does not depend on the symbols
};

class Ways {
 public:
  Ways(Engine& engine, StopToken stop)
      : engine_{engine},
        stop_{stop},
        of_context_(engine.contexts().size()),
        waiting_(engine.contexts().size()),
        components_{strongly_connected_components(flow_of(engine))} {}

  // The symbols, as bits of a set, that come up to the root with all goals met.
  SymbolBits carry(const std::vector<StackSymbol>& symbols) {
    arrived_ = SymbolBits(symbols.size());
    for (Stage& stage : stages_) {
      stage.symbols = SymbolBits(symbols.size());
      stage.fresh = false;
    }
    start(symbols);
    while (!queue_.empty()) {
      const ContextId context = queue_.top().context;
      queue_.pop();
      waiting_[context] = false;
      pass_on(context);
    }
    return arrived_;
  }

  // Those that have arrived before a stop.
  [[nodiscard]] const SymbolBits& arrived() const { return arrived_; }
  [[nodiscard]] std::size_t size() const { return stages_.size(); }

 private:
  // Marks a fact as one about the thread that is looked for: no fact of the run is comparable with it.
  static constexpr std::uint64_t looked_for = 1;

  // From each context to those that make use of its facts.
  static Digraph flow_of(const Engine& engine) {
    std::vector<Edge> edges;
    for (ContextId context : engine.contexts().keys())
      for (ContextId user : engine.users_of(context))
        edges.push_back({static_cast<std::uint32_t>(context.index()), static_cast<std::uint32_t>(user.index())});
    return Digraph{engine.contexts().size(), edges};
  }

  void start(const std::vector<StackSymbol>& symbols) {
    const PhaseIndex last = engine_.last_phase();
    for (ContextId id : engine_.contexts().keys()) {
      const Context& context = engine_.contexts()[id];
      if (context.phase != last || context.whole_thread) continue;
      const auto at = std::ranges::lower_bound(symbols, context.head.top);
      if (at == symbols.end() || *at != context.head.top) continue;
      SymbolBits one(symbols.size());
      one.set(static_cast<std::size_t>(at - symbols.begin()));
      const Derivation leaf{Derivation::Step::Stand, {}, {}, {}};
      add(stage_of({id, Outcome::standing(), {.collected = looked_for}, LockDomain::empty, 0, leaf}), one);
    }
  }

  void pass_on(ContextId context) {
    stop_.check();
    const std::vector<StageId> stages = of_context_[context];
    for (StageId id : stages) {
      if (!std::exchange(stages_[id].fresh, false)) continue;
      if (!stages_[id].following) {
        std::vector<StageId> following;
        for (const Fact& fact : engine_.consequences(stages_[id].fact)) following.push_back(stage_of(fact));
        stages_[id].following = std::move(following);
      }
      for (StageId next : *stages_[id].following) add(next, SymbolBits{stages_[id].symbols});
    }
  }

  StageId stage_of(const Fact& fact) {
    for (StageId id : of_context_[fact.context]) {
      const Fact& known = stages_[id].fact;
      if (known.outcome == fact.outcome && known.observation == fact.observation && known.locks == fact.locks)
        return id;
    }
    const StageId created = stages_.push_back({fact, SymbolBits(arrived_.size()), false, {}});
    of_context_[fact.context].push_back(created);
    return created;
  }

  // Symbols that another stage of the same outcome has, at the cost of no more locks, need not go this way.
  void add(StageId id, SymbolBits symbols) {
    const Fact& fact = stages_[id].fact;
    for (StageId other : of_context_[fact.context]) {
      const Fact& known = stages_[other].fact;
      if (known.outcome == fact.outcome && dominates(known.observation, fact.observation) &&
          engine_.domain().subsumes(known.locks, fact.locks))
        symbols -= stages_[other].symbols;
    }
    if (symbols.none()) return;
    stages_[id].symbols |= symbols;
    stages_[id].fresh = true;
    if (fact.context == engine_.root() && fact.observation.goals == engine_.algebra().all_goals()) arrived_ |= symbols;
    if (waiting_[fact.context]) return;
    waiting_[fact.context] = true;
    queue_.push({components_.of[fact.context.index()], age_++, fact.context});
  }

  Engine& engine_;
  StopToken stop_;
  IdVector<StageId, Stage> stages_;
  IdVector<ContextId, std::vector<StageId>> of_context_;
  IdVector<ContextId, bool> waiting_;
  // Symbols are passed on least often if a context comes after all from which it gets some; in loops, by age.
  struct Waiting {
    std::uint32_t component;
    std::uint64_t age;
    ContextId context;
    friend bool operator<(const Waiting& a, const Waiting& b) {
      return std::tuple{a.component, b.age} < std::tuple{b.component, a.age};
    }
  };
  Components components_;
  std::priority_queue<Waiting> queue_;
  std::uint64_t age_ = 0;
  SymbolBits arrived_;
};

}  // namespace

StandingPlaces standing_places(const dpn::Network& network, const Problem& problem,
                               const std::vector<StackSymbol>& asked, StopToken stop) {
  StandingPlaces places;
  Problem collecting = problem;
  collecting.collect = Collect{{asked}};
  const Reduction reduction{network, BackwardFlow{network}, collecting, Reductions{}, 0};
  Engine engine{
      network,
      problem,
      {.objective = Objective::Any, .reduction = &reduction, .exhaustive = true, .drop_hopeless = true, .stop = stop}};
  if (engine.run() == dpn::Verdict::Unknown) places.stopped = stop.reason();
  places.statistics = engine.statistics();
  if (places.stopped) return places;

  Ways ways{engine, stop};
  std::vector<StackSymbol> sorted = asked;
  std::ranges::sort(sorted);
  for (std::size_t begin = 0; begin < sorted.size() && !places.stopped; begin += most_symbols) {
    const std::size_t end = std::min(sorted.size(), begin + most_symbols);
    const std::vector<StackSymbol> some(sorted.begin() + static_cast<std::ptrdiff_t>(begin),
                                        sorted.begin() + static_cast<std::ptrdiff_t>(end));
    try {
      ways.carry(some);
    } catch (const Interrupted& interrupted) {
      places.stopped = interrupted.reason();
    }
    const SymbolBits& arrived = ways.arrived();
    for (auto bit = arrived.find_first(); bit != SymbolBits::npos; bit = arrived.find_next(bit))
      places.symbols.push_back(some[bit]);
  }
  places.statistics.facts += ways.size();
  return places;
}

}  // namespace lockwood::solver
