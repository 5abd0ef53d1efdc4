#include "solver/analyses/mhp.hpp"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <cassert>
#include <limits>
#include <queue>
#include <utility>

#include "solver/analyses/pairs_on_demand.hpp"
#include "solver/engine/domains/plain_reachability.hpp"
#include "solver/engine/engine.hpp"
#include "solver/engine/run_log.hpp"
#include "solver/reduction/reduction.hpp"

namespace lockwood::solver {
namespace {

using dpn::StackSymbol;
using SymbolSet = boost::dynamic_bitset<>;

// A lock structure, and the symbols at which one thread of a tree with that structure can stand.
struct Single {
  StructureId locks;
  SymbolSet symbols;
  bool fresh = true;  // there are symbols that were not passed on yet
};

// What surrounds a subtree: the structure of everything else, and the locks that are finally acquired around the
// subtree, after which its uses come.
struct Surroundings {
  StructureId locks;
  LockSetId acquired;
};

// Pairs, inside and outside. *Inside*: which symbols can a thread of a tree of this slot stand at, and at the cost of
// which lock structure. *Outside*: what can surround a tree of this slot, nothing else being asked for. Where two
// subtrees meet, a symbol of the one and a symbol of the other make a pair iff the two structures and some surroundings
// are consistent. So no pair ever needs to be carried through the tree, and symbols with the same structure are carried
// together, as bits of a set: n symbols cost about n²/64 steps, not n² facts per slot.
//
// Nothing else being asked for, every thread may stand where it begins, which takes no locks.
class Pairs {
 public:
  Pairs(const dpn::Network& network, const MhpOptions& options, std::size_t context_limit, MhpAnswer& answer)
      : options_{options},
        answer_{answer},
        asked_{asked_symbols(network, options)},
        left_{set_of(options.left)},
        right_{set_of(options.right)},
        domain_{{options.semantics}, 1},
        graph_{network, domain_, options.stop, context_limit} {
    answer_.statistics.contexts = graph_.contexts().size();
  }

  // Nothing can be computed then.
  [[nodiscard]] bool too_many_contexts() const { return graph_.too_many_contexts(); }

  void compute() {
    assert(!too_many_contexts());
    index_productions();
    find_quiet_returns();
    find_singles();
    find_surroundings();
    assert(symbols_are_complete());
    for (const BinaryProduction& production : graph_.binary()) {
      look_up();
      find_pairs(production);
    }
  }

  [[nodiscard]] EngineStatistics statistics() const {
    EngineStatistics statistics = answer_.statistics;
    statistics.structures = domain_.structure_count();
    for (const auto& singles : singles_)
      statistics.widest_antichain = std::max(statistics.widest_antichain, singles.size());
    return statistics;
  }

  // The pairs found so far.
  [[nodiscard]] std::vector<ParallelPair> pairs() {
    for (std::size_t first = 0; first < together_.size(); ++first)
      for_each(together_[first], [&](std::size_t second) {
        if (second < first) record(second, first);
      });
    std::size_t most = 0;
    for (const auto& row : together_) most += row.count();
    std::vector<ParallelPair> pairs;
    pairs.reserve(most);
    for (std::size_t first = 0; first < together_.size(); ++first)
      for_each(together_[first], [&](std::size_t second) {
        if (second >= first) pairs.push_back({asked_[first], asked_[second]});
      });
    return pairs;
  }

 private:
  // Tells how far it is, and stops if it should.
  void look_up() const {
    options_.stop.report_progress({.contexts = answer_.statistics.contexts, .facts = answer_.statistics.facts});
    options_.stop.check();
  }

  // Ascending. A set of symbols is a set of their places in this list.
  [[nodiscard]] static std::vector<StackSymbol> asked_symbols(const dpn::Network& network, const MhpOptions& options) {
    IdVector<StackSymbol, bool> asked(network.stack_symbols().size(), !options.left || !options.right);
    for (const auto& symbols : {options.left, options.right})
      if (symbols)
        for (StackSymbol symbol : *symbols) asked[symbol] = true;
    std::vector<StackSymbol> list;
    for (StackSymbol symbol : asked.keys())
      if (asked[symbol]) list.push_back(symbol);
    return list;
  }
  [[nodiscard]] std::optional<std::size_t> place_of(StackSymbol symbol) const {
    const auto at = std::ranges::lower_bound(asked_, symbol);
    if (at == asked_.end() || *at != symbol) return std::nullopt;
    return static_cast<std::size_t>(at - asked_.begin());
  }
  [[nodiscard]] SymbolSet set_of(const std::optional<std::vector<StackSymbol>>& symbols) const {
    SymbolSet set(asked_.size());
    if (!symbols) return set.set();
    for (StackSymbol symbol : *symbols) {
      assert(place_of(symbol));
      set.set(*place_of(symbol));
    }
    return set;
  }
  template <class F>
  static void for_each(const SymbolSet& set, F f) {
    for (auto member = set.find_first(); member != SymbolSet::npos; member = set.find_next(member)) f(member);
  }

  [[nodiscard]] std::optional<StructureId> join(StructureId a, StructureId b) {
    return domain_.join(a, b, OwnUses::OfRight);
  }
  // The structure with the lock around it, used or finally acquired.
  [[nodiscard]] std::optional<StructureId> around(std::optional<Lock> lock, bool returned, StructureId body) {
    if (!lock) return body;
    const auto result = domain_.monitor(*lock, 0, returned ? std::optional<PhaseIndex>{0} : std::nullopt, body);
    return result ? std::optional{domain_.as_thread(*result)} : std::nullopt;
  }
  [[nodiscard]] std::optional<StructureId> used(const BinaryProduction& production, StructureId left) {
    return around(production.used, true, left);
  }

  // Adds to an antichain; false if there is something at least as small.
  template <class T, class Smaller>
  static bool add_minimal(std::vector<T>& antichain, const T& candidate, const Smaller& smaller) {
    for (const T& known : antichain)
      if (smaller(known, candidate)) return false;
    std::erase_if(antichain, [&](const T& known) { return smaller(candidate, known); });
    antichain.push_back(candidate);
    assert(smaller(candidate, candidate));  // an order is reflexive
    return true;
  }

  // --- the productions that use a slot, and those that make it ---

  struct Uses {
    std::vector<std::uint32_t> unary;
    std::vector<std::uint32_t> left;
    std::vector<std::uint32_t> right;
    std::vector<std::uint32_t> makes_unary;
    std::vector<std::uint32_t> makes_binary;
  };
  void index_productions() {
    uses_.resize(graph_.slots().size());
    for (std::uint32_t i = 0; i < graph_.unary().size(); ++i) {
      uses_[graph_.unary()[i].below].unary.push_back(i);
      uses_[graph_.unary()[i].target].makes_unary.push_back(i);
    }
    for (std::uint32_t i = 0; i < graph_.binary().size(); ++i) {
      uses_[graph_.binary()[i].left].left.push_back(i);
      uses_[graph_.binary()[i].right].right.push_back(i);
      uses_[graph_.binary()[i].target].makes_binary.push_back(i);
    }
  }

  // Slots to look at, each at most once at a time. Slots are numbered from the root down, so what flows up is passed on
  // least often if the last slot comes first, and what flows down if the first does.
  enum class Direction { Up, Down };
  class Worklist {
   public:
    Worklist(std::size_t slots, Direction direction) : waiting_(slots), direction_{direction} {}
    void add(SlotId slot) {
      if (waiting_[slot]) return;
      waiting_[slot] = true;
      queue_.push(direction_ == Direction::Up ? slot.index() : waiting_.size() - 1 - slot.index());
    }
    std::optional<SlotId> next() {
      if (queue_.empty()) return std::nullopt;
      const std::size_t top = queue_.top();
      const SlotId slot{direction_ == Direction::Up ? top : waiting_.size() - 1 - top};
      assert(waiting_[slot]);
      queue_.pop();
      waiting_[slot] = false;
      return slot;
    }

   private:
    IdVector<SlotId, bool> waiting_;
    Direction direction_;
    std::priority_queue<std::size_t> queue_;
  };

  // --- nothing asked for: the locks that must be used to return ---

  void find_quiet_returns() {
    quiet_.resize(graph_.slots().size());
    Worklist worklist{graph_.slots().size(), Direction::Up};
    const auto add = [&](SlotId slot, std::optional<StructureId> locks) {
      if (locks && add_minimal(quiet_[slot], *locks, [&](auto a, auto b) { return domain_.subsumes(a, b); }))
        worklist.add(slot);
    };
    for (SlotId slot : graph_.slots().keys())
      if (!graph_.slots()[slot].outcome.has_returned()) add(slot, LockDomain::empty);
    for (SlotId slot : graph_.returns()) add(slot, LockDomain::empty);
    while (const auto slot = worklist.next()) {
      look_up();
      const Uses& uses = uses_[*slot];
      for (std::uint32_t i : uses.unary) {
        const UnaryProduction& production = graph_.unary()[i];
        if (returned(production.target))
          for (StructureId below : copy(quiet_[*slot])) add(production.target, below);
      }
      const auto combine = [&](const BinaryProduction& production) {
        if (!returned(production.target)) return;
        for (StructureId left : copy(quiet_[production.left]))
          for (StructureId right : copy(quiet_[production.right]))
            if (const auto around_left = used(production, left)) add(production.target, join(*around_left, right));
      };
      for (std::uint32_t i : uses.left) combine(graph_.binary()[i]);
      for (std::uint32_t i : uses.right) combine(graph_.binary()[i]);
    }
  }
  [[nodiscard]] bool returned(SlotId slot) const { return graph_.slots()[slot].outcome.has_returned(); }
  template <class T>
  [[nodiscard]] static std::vector<T> copy(const std::vector<T>& values) {
    return values;
  }

  // --- inside: one symbol ---

  // Adds the symbols that no smaller structure has already; true if there are any.
  bool add_single(SlotId slot, StructureId locks, const SymbolSet& symbols) {
    Single* same = nullptr;
    for (Single& known : singles_[slot]) {
      if (known.locks == locks) same = &known;
      if (domain_.subsumes(known.locks, locks) && symbols.is_subset_of(known.symbols)) return false;
    }
    SymbolSet added = symbols;
    for (const Single& known : singles_[slot])
      if (domain_.subsumes(known.locks, locks)) added -= known.symbols;
    if (added.none()) return false;
    assert(same == nullptr || !added.intersects(same->symbols));
    ++answer_.statistics.candidates;
    if (same != nullptr) {
      same->symbols |= added;
      same->fresh = true;
    } else {
      singles_[slot].push_back({locks, std::move(added)});
      ++answer_.statistics.facts;
    }
    return true;
  }

  void find_singles() {
    singles_.resize(graph_.slots().size());
    Worklist worklist{graph_.slots().size(), Direction::Up};
    for (ContextId context : graph_.contexts().keys()) {
      const auto place = place_of(graph_.contexts()[context].head.top);
      if (!place) continue;
      SymbolSet symbols(asked_.size());
      symbols.set(*place);
      if (add_single(graph_.standing(context), LockDomain::empty, symbols)) worklist.add(graph_.standing(context));
    }
    const auto add = [&](SlotId slot, std::optional<StructureId> locks, const SymbolSet& symbols) {
      if (locks && add_single(slot, *locks, symbols)) worklist.add(slot);
    };
    while (const auto slot = worklist.next()) {
      look_up();
      std::vector<Single> singles;
      for (Single& single : singles_[*slot])
        if (std::exchange(single.fresh, false)) singles.push_back(single);
      for (std::uint32_t i : uses_[*slot].unary) {
        const UnaryProduction& production = graph_.unary()[i];
        for (const Single& single : singles)
          add(production.target, around(production.acquired, false, single.locks), single.symbols);
      }
      for (std::uint32_t i : uses_[*slot].left) {
        const BinaryProduction& production = graph_.binary()[i];
        for (const Single& single : singles)
          if (const auto left = used(production, single.locks))
            for (StructureId right : quiet_[production.right])
              add(production.target, join(*left, right), single.symbols);
      }
      for (std::uint32_t i : uses_[*slot].right) {
        const BinaryProduction& production = graph_.binary()[i];
        for (StructureId quiet : quiet_[production.left])
          if (const auto left = used(production, quiet))
            for (const Single& single : singles) add(production.target, join(*left, single.locks), single.symbols);
      }
    }
  }

  // --- outside ---

  // The surroundings with one more tree beside the subtree.
  [[nodiscard]] std::optional<StructureId> beside(const Surroundings& surroundings, StructureId locks) {
    auto enclosed = std::optional{locks};
    domain_.lock_set(surroundings.acquired).for_each([&](Lock lock) {
      if (enclosed) enclosed = domain_.after_acquisition(lock, *enclosed);
    });
    return enclosed ? join(surroundings.locks, *enclosed) : std::nullopt;
  }

  void find_surroundings() {
    surroundings_.resize(graph_.slots().size());
    Worklist worklist{graph_.slots().size(), Direction::Down};
    const auto add = [&](SlotId slot, std::optional<StructureId> locks, LockSetId acquired) {
      const auto smaller = [&](const Surroundings& a, const Surroundings& b) {
        return domain_.subsumes(a.locks, b.locks) &&
               domain_.lock_set(a.acquired).subset_of(domain_.lock_set(b.acquired));
      };
      if (locks && add_minimal(surroundings_[slot], Surroundings{*locks, acquired}, smaller)) worklist.add(slot);
    };
    for (SlotId slot : graph_.slots_of(PlainReachability::root())) add(slot, LockDomain::empty, LockDomain::no_locks);
    while (const auto slot = worklist.next()) {
      look_up();
      const std::vector<Surroundings> all = surroundings_[*slot];
      for (std::uint32_t i : uses_[*slot].makes_unary) {
        const UnaryProduction& production = graph_.unary()[i];
        for (const Surroundings& outer : all) {
          if (!production.acquired) {
            add(production.below, outer.locks, outer.acquired);
          } else if (const auto lock = around(production.acquired, false, LockDomain::empty)) {
            add(production.below, beside(outer, *lock), domain_.with(outer.acquired, *production.acquired));
          }
        }
      }
      for (std::uint32_t i : uses_[*slot].makes_binary) {
        const BinaryProduction& production = graph_.binary()[i];
        const auto lock = used(production, LockDomain::empty);
        for (const Surroundings& outer : all) {
          if (lock)
            for (StructureId right : quiet_[production.right])
              if (const auto rest = join(*lock, right)) add(production.left, beside(outer, *rest), outer.acquired);
          for (StructureId quiet : quiet_[production.left])
            if (const auto left = used(production, quiet)) add(production.right, beside(outer, *left), outer.acquired);
        }
      }
    }
  }

  // --- pairs ---

  void find_pairs(const BinaryProduction& production) {
    const auto& outers = surroundings_[production.target];
    for (const Single& single : singles_[production.left]) {
      const auto left = used(production, single.locks);
      if (!left) continue;
      SymbolSet partners(asked_.size());
      for (const Single& other : singles_[production.right]) {
        const auto both = join(*left, other.locks);
        if (both &&
            std::ranges::any_of(outers, [&](const Surroundings& outer) { return beside(outer, *both).has_value(); }))
          partners |= other.symbols;
      }
      if (partners.none()) continue;
      const SymbolSet partners_left = partners & left_;
      const SymbolSet partners_right = partners & right_;
      for_each(single.symbols, [&](std::size_t symbol) {
        if (left_.test(symbol)) record(symbol, partners_right);
        if (right_.test(symbol)) record(symbol, partners_left);
      });
    }
  }

  // All symbols that were found were passed on: singles are closed before pairs are made.
  [[nodiscard]] bool symbols_are_complete() const {
    return std::ranges::all_of(
        singles_, [](const std::vector<Single>& singles) { return std::ranges::none_of(singles, &Single::fresh); });
  }

  SymbolSet& partners_of(std::size_t symbol) {
    assert(symbol < asked_.size());
    if (together_.size() <= symbol) together_.resize(symbol + 1);
    if (together_[symbol].empty()) together_[symbol].resize(asked_.size());
    return together_[symbol];
  }
  void record(std::size_t symbol, const SymbolSet& partners) {
    if (partners.any()) partners_of(symbol) |= partners;
  }
  void record(std::size_t symbol, std::size_t partner) { partners_of(symbol).set(partner); }

  const MhpOptions& options_;
  MhpAnswer& answer_;
  std::vector<StackSymbol> asked_;
  SymbolSet left_;
  SymbolSet right_;
  LockDomain domain_;
  PlainReachability graph_;
  IdVector<SlotId, Uses> uses_;
  IdVector<SlotId, std::vector<StructureId>> quiet_;  // antichains
  IdVector<SlotId, std::vector<Single>> singles_;
  IdVector<SlotId, std::vector<Surroundings>> surroundings_;  // antichains
  std::vector<SymbolSet> together_;                           // by symbol
};

}  // namespace

namespace {

Problem all_pairs(const dpn::Network& network, const MhpOptions& options) {
  const auto keys = network.stack_symbols().keys();
  const std::vector<StackSymbol> all(keys.begin(), keys.end());
  return {.semantics = options.semantics,
          .phases = {Phase{}},
          .collect = Collect{{options.left.value_or(all), options.right.value_or(all)}}};
}

constexpr std::size_t no_context_limit = std::numeric_limits<std::size_t>::max();

// Which locks a run respects (all if nothing), and when it gives up.
struct LocksOfRun {
  const LockFlags* respected = nullptr;
  std::size_t context_limit = no_context_limit;
};

// Nothing if nothing may be left out.
std::optional<Reduction> reduced(const dpn::Network& network, const MhpOptions& options, const Problem& problem,
                                 const LocksOfRun& locks) {
  if (options.reductions == Reductions::none() && locks.respected == nullptr) return std::nullopt;
  return std::optional<Reduction>{std::in_place,      network, BackwardFlow{network}, problem,
                                  options.reductions, 0,       options.stop,          locks.respected};
}

// With groups a thread that nobody asks for may have to move, since somebody waits for it. So pairs are carried through
// the tree: the engine collects them. That is slower. Nothing if there are too many contexts.
std::optional<MhpAnswer> pairs_with_groups(const dpn::Network& network, const MhpOptions& options,
                                           const LocksOfRun& locks) {
  MhpAnswer answer;
  try {
    const Problem problem = all_pairs(network, options);
    const std::optional<Reduction> reduction = reduced(network, options, problem, locks);
    if (reduction) answer.reduction = reduction->statistics();
    Engine engine{network,
                  problem,
                  {.objective = Objective::Any,
                   .reduction = reduction ? &*reduction : nullptr,
                   .context_limit = locks.context_limit,
                   .stop = options.stop}};
    if (engine.run() == dpn::Verdict::Unknown) {
      if (engine.too_many_contexts()) return std::nullopt;
      answer.stopped = options.stop.reason();
    }
    for (FactId fact : engine.answers()) {
      const std::vector<StackSymbol> symbols = collected_symbols(engine.facts()[fact].observation);
      answer.pairs.push_back({symbols.front(), symbols.back()});
    }
    std::ranges::sort(answer.pairs);
    answer.statistics = engine.statistics();
  } catch (const Interrupted& interrupted) {
    answer.stopped = interrupted.reason();
  }
  return answer;
}

// Nothing if there are too many contexts.
std::optional<MhpAnswer> pairs_of_one_run(const dpn::Network& network, const MhpOptions& options,
                                          const LocksOfRun& locks) {
  if (network.uses_groups()) return pairs_with_groups(network, options, locks);
  MhpAnswer answer;
  try {
    const std::optional<Reduction> reduction = reduced(network, options, all_pairs(network, options), locks);
    if (reduction) answer.reduction = reduction->statistics();
    Pairs pairs{reduction ? reduction->network() : network, options, locks.context_limit, answer};
    if (pairs.too_many_contexts()) return std::nullopt;
    try {
      pairs.compute();
    } catch (const Interrupted& interrupted) {
      answer.stopped = interrupted.reason();
    }
    answer.pairs = pairs.pairs();
    answer.statistics = pairs.statistics();
  } catch (const Interrupted& interrupted) {
    answer.stopped = interrupted.reason();
  }
  log_run(
      &RunTotals::one_by_one, [&] { return answer.statistics; }, [&] { return answer.reduction; });
  return answer;
}

}  // namespace

MhpAnswer parallel_pairs(const dpn::Network& network, const MhpOptions& options) {
  const bool may_choose = options.semantics == dpn::Semantics::LockSensitive && network.locks().size() > 0;
  if (options.locks == LockChoice::All || !may_choose) return *pairs_of_one_run(network, options, {});
  if (options.locks == LockChoice::Auto)
    if (auto found = pairs_of_one_run(network, options, {.context_limit = many_contexts(network, 1)}))
      return *std::move(found);
  return pairs_on_demand(network, options, [&](const LockFlags& respected) {
    return *pairs_of_one_run(network, options, {.respected = &respected});
  });
}

std::vector<dpn::Query> claims_of(const dpn::Network& network, const MhpOptions& options, const MhpAnswer& answer) {
  std::vector<dpn::Query> claims;
  const auto claim = [&](std::vector<StackSymbol> first, std::vector<StackSymbol> second, dpn::Verdict verdict) {
    claims.push_back({.form = dpn::QueryForm::Conflict,
                      .semantics = options.semantics,
                      .steps = {{.positions = {std::move(first), std::move(second)}, .avoiding = {}, .requiring = {}}},
                      .expected = verdict,
                      .at = {}});
  };
  for (const auto& [first, second] : answer.pairs) claim({first}, {second}, dpn::Verdict::Reachable);
  if (answer.stopped) return claims;
  const auto keys = network.stack_symbols().keys();
  const std::vector<StackSymbol> all(keys.begin(), keys.end());
  const std::vector<StackSymbol> right = options.right.value_or(all);
  for (StackSymbol first : options.left.value_or(all)) {
    std::vector<StackSymbol> apart;
    for (StackSymbol second : right)
      if (!has_pair_between(answer.pairs, {&first, 1}, {&second, 1})) apart.push_back(second);
    if (!apart.empty()) claim({first}, std::move(apart), dpn::Verdict::Unreachable);
  }
  return claims;
}

void replay_some(const dpn::Network& network, const MhpOptions& options, const MhpAnswer& answer,
                 ReplaySample& sample) {
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(most, answer.pairs.size()) && !options.stop.stop_requested(); ++i) {
    const ParallelPair& pair = answer.pairs[sample.any_of(answer.pairs.size())];
    const Problem problem{.semantics = options.semantics,
                          .phases = {Phase{.standing = {StandGoal{.tops = std::vector{pair.first}},
                                                        StandGoal{.tops = std::vector{pair.second}}}}}};
    replay_again(network, problem, options.reductions, sample, options.stop);
  }
}

bool has_pair_between(const std::vector<ParallelPair>& pairs, std::span<const StackSymbol> first,
                      std::span<const StackSymbol> second) {
  for (StackSymbol a : first)
    for (StackSymbol b : second)
      if (std::ranges::binary_search(pairs, ParallelPair{std::min(a, b), std::max(a, b)})) return true;
  return false;
}

}  // namespace lockwood::solver
