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
constexpr std::size_t few_stages = 100'000;  // always worth a search

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

  struct Found {
    std::vector<StackSymbol> symbols;  // come up to the root with all goals met
    std::vector<StackSymbol> open;     // may come up, too: there were too many stages to tell
  };
  // By one search back from the root, once the graph of all stages is known. Ways that one with fewer locks might
  // replace are looked at after all others, since hardly any symbol needs them.
  Found search(const std::vector<StackSymbol>& symbols, std::size_t most_stages) {
    std::vector<StageId> near;
    std::vector<StageId> far;
    const auto follow = [&](StageId id) {
      stop_.check();
      const StageId first_new{stages_.size()};
      (void)following(id);
      for (StageId created = first_new; created.index() < stages_.size(); created = StageId{created.index() + 1})
        (replaceable(created) ? far : near).push_back(created);
    };
    const std::vector<Start> starts = starts_at(symbols);
    for (const Start& start : starts) near.push_back(start.stage);
    Found found;
    const auto search_back = [&] {
      const std::vector<bool> leading = leading_to_root();
      std::vector<bool> come(symbols.size());
      for (const Start& start : starts)
        if (leading[start.stage.index()]) come[start.symbol] = true;
      std::vector<bool> open(symbols.size());
      for (const Start& start : starts) open[start.symbol] = !come[start.symbol];
      found = {};
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        if (come[i]) found.symbols.push_back(symbols[i]);
        if (open[i]) found.open.push_back(symbols[i]);
      }
    };
    const auto follow_all = [&](std::vector<StageId>& stages) {
      while (!stages.empty() && stages_.size() <= most_stages) {
        const StageId id = stages.back();
        stages.pop_back();
        follow(id);
      }
    };
    follow_all(near);
    search_back();
    if (found.open.empty() || (near.empty() && far.empty())) {
      found.open.clear();
      return found;
    }
    while (stages_.size() <= most_stages && !(near.empty() && far.empty())) {
      follow_all(far);
      follow_all(near);
    }
    search_back();
    if (near.empty() && far.empty()) found.open.clear();
    return found;
  }

  // The symbols, as bits of a set, that come up to the root with all goals met.
  SymbolBits carry(const std::vector<StackSymbol>& symbols) {
    arrived_ = SymbolBits(symbols.size());
    for (Stage& stage : stages_) {
      stage.symbols = SymbolBits(symbols.size());
      stage.fresh = false;
    }
    for (const Start& start : starts_at(symbols)) {
      SymbolBits one(symbols.size());
      one.set(start.symbol);
      add(start.stage, std::move(one));
    }
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

  // A thread that is looked for stands at a symbol, by its place in the list.
  struct Start {
    StageId stage;
    std::size_t symbol;
  };
  std::vector<Start> starts_at(const std::vector<StackSymbol>& symbols) {
    std::vector<Start> starts;
    const PhaseIndex last = engine_.last_phase();
    for (ContextId id : engine_.contexts().keys()) {
      const Context& context = engine_.contexts()[id];
      if (context.phase != last || context.whole_thread) continue;
      const auto at = std::ranges::lower_bound(symbols, context.head.top);
      if (at == symbols.end() || *at != context.head.top) continue;
      const Derivation leaf{Derivation::Step::Stand, {}, {}, {}};
      starts.push_back({stage_of({id, Outcome::standing(), {.collected = looked_for}, LockDomain::empty, 0, leaf}),
                        static_cast<std::size_t>(at - symbols.begin())});
    }
    return starts;
  }

  [[nodiscard]] bool accepting(const Fact& fact) const {
    return fact.context == engine_.root() && fact.observation.goals == engine_.algebra().all_goals();
  }

  // By stage.
  [[nodiscard]] std::vector<bool> leading_to_root() const {
    std::vector<Edge> edges;
    std::vector<std::uint32_t> accepted;
    for (StageId id : stages_.keys()) {
      const auto number = static_cast<std::uint32_t>(id.index());
      if (accepting(stages_[id].fact)) accepted.push_back(number);
      if (stages_[id].following)
        for (StageId next : *stages_[id].following) edges.push_back({static_cast<std::uint32_t>(next.index()), number});
    }
    return reachable_from(Digraph{stages_.size(), edges}, accepted);
  }

  // Where a way leads on.
  const std::vector<StageId>& following(StageId id) {
    if (!stages_[id].following) {
      std::vector<StageId> following;
      for (const Fact& fact : engine_.consequences(stages_[id].fact)) following.push_back(stage_of(fact));
      stages_[id].following = std::move(following);
    }
    return *stages_[id].following;
  }

  // The first fact can stand for the other.
  [[nodiscard]] bool covers(const Fact& fact, const Fact& other) const {
    return fact.outcome == other.outcome && dominates(fact.observation, other.observation) &&
           engine_.domain().subsumes(fact.locks, other.locks);
  }
  [[nodiscard]] bool replaceable(StageId id) const {
    const Fact& fact = stages_[id].fact;
    return std::ranges::any_of(of_context_[fact.context],
                               [&](StageId other) { return other != id && covers(stages_[other].fact, fact); });
  }

  void pass_on(ContextId context) {
    stop_.check();
    const std::vector<StageId> stages = of_context_[context];
    for (StageId id : stages) {
      if (!std::exchange(stages_[id].fresh, false)) continue;
      for (StageId next : following(id)) add(next, SymbolBits{stages_[id].symbols});
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
    for (StageId other : of_context_[fact.context])
      if (covers(stages_[other].fact, fact)) symbols -= stages_[other].symbols;
    if (symbols.none()) return;
    stages_[id].symbols |= symbols;
    stages_[id].fresh = true;
    if (accepting(fact)) arrived_ |= symbols;
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

// Adds those of the symbols that come up to the places.
void carry_up(Engine& engine, const std::vector<StackSymbol>& symbols, StandingPlaces& places, StopToken stop) {
  Ways ways{engine, stop};
  for (std::size_t begin = 0; begin < symbols.size() && !places.stopped; begin += most_symbols) {
    const std::size_t end = std::min(symbols.size(), begin + most_symbols);
    const std::vector<StackSymbol> some(symbols.begin() + static_cast<std::ptrdiff_t>(begin),
                                        symbols.begin() + static_cast<std::ptrdiff_t>(end));
    try {
      ways.carry(some);
    } catch (const Interrupted& interrupted) {
      places.stopped = interrupted.reason();
    }
    const SymbolBits& arrived = ways.arrived();
    for (auto bit = arrived.find_first(); bit != SymbolBits::npos; bit = arrived.find_next(bit))
      places.symbols.push_back(some[bit]);
  }
  std::ranges::sort(places.symbols);
  places.statistics.facts += ways.size();
}

}  // namespace

StandingPlaces standing_places(const dpn::Network& network, const Problem& problem,
                               const std::vector<StackSymbol>& asked, StopToken stop,
                               std::optional<std::size_t> most_stages) {
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

  std::vector<StackSymbol> sorted = asked;
  std::ranges::sort(sorted);
  std::vector<StackSymbol> open;
  try {
    Ways ways{engine, stop};
    auto found = ways.search(sorted, most_stages.value_or(std::max(few_stages, engine.facts().size())));
    places.symbols = std::move(found.symbols);
    open = std::move(found.open);
    places.statistics.facts += ways.size();
  } catch (const Interrupted& interrupted) {
    places.stopped = interrupted.reason();
  }
  if (!open.empty()) carry_up(engine, open, places, stop);
  return places;
}

}  // namespace lockwood::solver
