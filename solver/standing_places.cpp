#include "solver/standing_places.hpp"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <queue>
#include <tuple>
#include <unordered_map>
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
constexpr std::size_t few_stages = 1'000'000;  // always worth a search

// Trees of a context with the thread that is looked for: a fact, and the symbols at which that thread can stand.
struct Stage {
  Fact fact;
  SymbolBits symbols;
  bool fresh = false;                             // there are symbols that were not passed on yet
  std::optional<std::vector<StageId>> following;  // known once it was needed: it does not depend on the symbols
};

// The most urgent first, then the oldest.
template <class What>
struct Waiting {
  std::uint32_t urgency;
  std::uint64_t age;
  What what;
  friend bool operator<(const Waiting& a, const Waiting& b) {
    return std::tuple{a.urgency, b.age} < std::tuple{b.urgency, a.age};
  }
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
  // By one search back from the root, once the graph of stages is known, but for ways that one with fewer locks might
  // replace: hardly any symbol needs them. Those that do go up them one by one, until they meet a way that is known.
  Found search(const std::vector<StackSymbol>& symbols, std::size_t most_stages) {
    const std::vector<std::vector<StageId>> starts = starts_of(symbols);
    std::priority_queue<Waiting<StageId>> pending;
    const auto wait = [&](StageId id) { pending.push({component(stages_[id].fact.context), age_++, id}); };
    for (const auto& of_symbol : starts) std::ranges::for_each(of_symbol, wait);
    bool complete = true;
    while (!pending.empty() && stages_.size() <= most_stages) {
      stop_.check();
      const StageId id = pending.top().what;
      pending.pop();
      if (replaceable(id)) {
        complete = false;
        continue;
      }
      const StageId first_new{stages_.size()};
      (void)following(id);
      for (StageId created = first_new; created.index() < stages_.size(); created = StageId{created.index() + 1})
        wait(created);
    }
    complete = complete && pending.empty();
    mark_leading();

    Found found;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const auto leads = [&](StageId id) { return mark(id) == Mark::Leading; };
      if (std::ranges::any_of(starts[i], leads)) {
        found.symbols.push_back(symbols[i]);
      } else if (!complete && !starts[i].empty()) {
        const std::optional<bool> comes = go_up(starts[i], most_stages);
        if (!comes) found.open.push_back(symbols[i]);
        if (comes.value_or(false)) found.symbols.push_back(symbols[i]);
      }
    }
    return found;
  }

  // The symbols, as bits of a set, that come up to the root with all goals met.
  SymbolBits carry(const std::vector<StackSymbol>& symbols) {
    arrived_ = SymbolBits(symbols.size());
    for (Stage& stage : stages_) {
      stage.symbols = SymbolBits(symbols.size());
      stage.fresh = false;
    }
    const std::vector<std::vector<StageId>> starts = starts_of(symbols);
    for (std::size_t i = 0; i < symbols.size(); ++i)
      for (StageId start : starts[i]) {
        SymbolBits one(symbols.size());
        one.set(i);
        add(start, std::move(one));
      }
    while (!queue_.empty()) {
      const ContextId context = queue_.top().what;
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

  // Where a thread that is looked for stands at each symbol.
  std::vector<std::vector<StageId>> starts_of(const std::vector<StackSymbol>& symbols) {
    std::vector<std::vector<StageId>> starts(symbols.size());
    const PhaseIndex last = engine_.last_phase();
    for (ContextId id : engine_.contexts().keys()) {
      const Context& context = engine_.contexts()[id];
      if (context.phase != last || context.whole_thread) continue;
      const auto at = std::ranges::lower_bound(symbols, context.head.top);
      if (at == symbols.end() || *at != context.head.top) continue;
      const Derivation leaf{Derivation::Step::Stand, {}, {}, {}};
      starts[static_cast<std::size_t>(at - symbols.begin())].push_back(
          stage_of({id, Outcome::standing(), {.collected = looked_for}, LockDomain::empty, 0, leaf}));
    }
    return starts;
  }

  [[nodiscard]] std::uint32_t component(ContextId context) const { return components_.of[context.index()]; }

  [[nodiscard]] bool accepting(const Fact& fact) const {
    return fact.context == engine_.root() && fact.observation.goals == engine_.algebra().all_goals();
  }

  // What is known of a stage.
  enum class Mark : std::uint8_t { None, Leading, Hopeless };  // to the root
  Mark& mark(StageId id) {
    while (marks_.size() < stages_.size())
      marks_.push_back(accepting(stages_[StageId{marks_.size()}].fact) ? Mark::Leading : Mark::None);
    return marks_[id];
  }
  void mark_leading() {
    std::vector<Edge> edges;
    std::vector<std::uint32_t> accepted;
    for (StageId id : stages_.keys()) {
      const auto number = static_cast<std::uint32_t>(id.index());
      if (mark(id) == Mark::Leading) accepted.push_back(number);
      if (stages_[id].following)
        for (StageId next : *stages_[id].following) edges.push_back({static_cast<std::uint32_t>(next.index()), number});
    }
    const std::vector<bool> leading = reachable_from(Digraph{stages_.size(), edges}, accepted);
    for (StageId id : stages_.keys())
      if (leading[id.index()]) mark(id) = Mark::Leading;
  }

  // The more, the fewer locks the structure has.
  [[nodiscard]] std::uint32_t few_first(StructureId id) const {
    std::size_t locks = 0;
    for (const auto& phase : engine_.domain().structure(id).phases)
      locks += phase.held.size() + phase.acquired.size() + phase.used.size();
    return static_cast<std::uint32_t>(-1) - static_cast<std::uint32_t>(locks);
  }

  // Whether some way from there leads to the root; nothing if there were too many stages to tell.
  std::optional<bool> go_up(const std::vector<StageId>& starts, std::size_t most_stages) {
    std::unordered_map<std::size_t, std::optional<StageId>> before;  // where a stage was come to from, by its number
    std::priority_queue<Waiting<StageId>> pending;
    const auto meet = [&](StageId id, std::optional<StageId> from) {
      if (mark(id) == Mark::Hopeless || !before.try_emplace(id.index(), from).second) return;
      pending.push({few_first(stages_[id].fact.locks), age_++, id});
    };
    for (StageId start : starts) meet(start, {});
    while (!pending.empty()) {
      stop_.check();
      if (stages_.size() > most_stages) return std::nullopt;
      const StageId id = pending.top().what;
      pending.pop();
      const std::vector<StageId> next = following(id);
      if (std::ranges::any_of(next, [&](StageId each) { return mark(each) == Mark::Leading; })) {
        for (std::optional<StageId> each = id; each; each = before.at(each->index())) mark(*each) = Mark::Leading;
        return true;
      }
      for (StageId each : next) meet(each, id);
    }
    for (const auto& [number, from] : before) mark(StageId{number}) = Mark::Hopeless;
    return false;
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
    queue_.push({component(fact.context), age_++, fact.context});
  }

  Engine& engine_;
  StopToken stop_;
  IdVector<StageId, Stage> stages_;
  IdVector<StageId, Mark> marks_;  // of those that were asked for, and all before them
  IdVector<ContextId, std::vector<StageId>> of_context_;
  IdVector<ContextId, bool> waiting_;
  Components components_;  // there is least to do if a context comes after all from which ways lead there
  std::priority_queue<Waiting<ContextId>> queue_;
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

StandingPlaces with_all_ways(const dpn::Network& network, const Problem& problem, const std::vector<StackSymbol>& asked,
                             StopToken stop, std::optional<std::size_t> most_stages) {
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
    auto found = ways.search(sorted, most_stages.value_or(std::max(few_stages, 4 * engine.facts().size())));
    places.symbols = std::move(found.symbols);
    open = std::move(found.open);
    places.statistics.facts += ways.size();
  } catch (const Interrupted& interrupted) {
    places.stopped = interrupted.reason();
  }
  if (!open.empty()) carry_up(engine, open, places, stop);
  return places;
}

// Without locks there are few ways, and what none of them leads to need not be looked for with locks, where it would be
// looked for to the end.
bool pays_without_locks(const dpn::Network& network, const Problem& problem) {
  const auto asks_for_locks = [](const auto& standing) { return standing.holding || standing.wanting; };
  return problem.semantics == dpn::Semantics::LockSensitive && network.locks().size() > 0 &&
         std::ranges::none_of(problem.phases,
                              [&](const Phase& phase) { return std::ranges::any_of(phase.standing, asks_for_locks); });
}

}  // namespace

StandingPlaces standing_places(const dpn::Network& network, const Problem& problem,
                               const std::vector<StackSymbol>& asked, StopToken stop,
                               std::optional<std::size_t> most_stages) {
  if (!pays_without_locks(network, problem)) return with_all_ways(network, problem, asked, stop, most_stages);
  Problem relaxed = problem;
  relaxed.semantics = dpn::Semantics::LockInsensitive;
  const StandingPlaces possible = with_all_ways(network, relaxed, asked, stop, most_stages);
  if (possible.symbols.empty() || possible.stopped) return {{}, possible.stopped, possible.statistics};
  StandingPlaces places = with_all_ways(network, problem, possible.symbols, stop, most_stages);
  places.statistics += possible.statistics;
  return places;
}

}  // namespace lockwood::solver
