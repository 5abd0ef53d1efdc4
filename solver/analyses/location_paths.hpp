#pragma once

#include <boost/dynamic_bitset.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "base/graph/digraph.hpp"
#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "solver/engine/engine.hpp"
#include "solver/engine/fact.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/reduction/node_budget.hpp"

namespace lockwood::solver {

using Targets = std::uint64_t;  // a set: of the actions that can be told, or only the first if none is told

constexpr Targets target(std::size_t number) { return Targets{1} << number; }

// Symbols, ascending, and targets of each: those that are asked about, or those for which a thread can stand there.
struct TargetsOfSymbols {
  std::vector<dpn::StackSymbol> symbols;
  std::vector<Targets> targets;

  void add(dpn::StackSymbol symbol, Targets some) {
    if (some == 0) return;
    symbols.push_back(symbol);
    targets.push_back(some);
  }
};

// What is asked about standing places, and which phase tells whose answer it is.
struct LocationQuestion {
  const dpn::Network& network;
  const Problem& problem;
  std::optional<PhaseIndex> distinguished;

  [[nodiscard]] const std::vector<dpn::Action>& told() const { return problem.phases[*distinguished].fired.front(); }
  [[nodiscard]] std::size_t targets() const { return distinguished ? told().size() : 1; }
};

// The ways up to the root from the places where a thread can stand, through the facts of an engine that has run: see
// locations_at_end.hpp. Everything here throws Interrupted.
class LocationPaths {
 public:
  // All must outlive it.
  LocationPaths(const LocationQuestion& question, Engine& engine, StopToken stop);

  struct Found {
    TargetsOfSymbols coming;  // come up to the root with all goals met
    TargetsOfSymbols open;    // may come up, too: there were too many stages to tell
  };
  // By one search back from the root, once the graph of stages is known, but for ways that one with fewer locks might
  // replace: hardly any symbol needs them. Those that do go up them one by one, until they meet a way that is known.
  Found search(const TargetsOfSymbols& asked, std::size_t max_stages);

  // A tree of the engine's network in which the thread that is looked for is at a symbol that `search` has found to
  // come up for this one target. Throws what the room for it does, too.
  [[nodiscard]] dpn::ExecutionTree tree(dpn::StackSymbol symbol, Targets one, NodeBudget room);

  // The symbols, as bits of a set, go up together. Only if nothing is told.
  void carry(const std::vector<dpn::StackSymbol>& symbols);
  // Those that have come up to the root with all goals met, at least before a stop.
  [[nodiscard]] const boost::dynamic_bitset<>& arrived() const { return arrived_; }

  [[nodiscard]] std::size_t size() const { return stages_.size(); }

 private:
  using SymbolBits = boost::dynamic_bitset<>;
  using StageId = Id<struct StageTag>;

  // Trees of a context with the thread that is looked for: a fact, and the symbols at which that thread can stand.
  struct Stage {
    Fact fact;
    SymbolBits symbols;
    bool fresh = false;                             // there are symbols that were not passed on yet
    std::optional<std::vector<StageId>> following;  // known once it was needed: it does not depend on the symbols
  };
  // Those of a context with the same outcome and observation.
  struct Stages {
    Outcome outcome;
    Observation observation;
    std::vector<std::pair<StructureId, StageId>> stages;
  };
  // What is known of a stage: the targets for which some way from there leads to the root, and those for which none
  // does.
  struct Marks {
    Targets leading = 0;
    Targets unsatisfiable = 0;
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

  // A step up a way, or its start: the node of the tree, and the facts below it. One of these may be about the thread
  // that is looked for: its number is the next after all facts.
  using Way = std::vector<Fact>;

  std::vector<std::vector<StageId>> starts_of(const std::vector<dpn::StackSymbol>& symbols);
  [[nodiscard]] Way way_up(dpn::StackSymbol symbol, Targets one);
  [[nodiscard]] std::uint32_t component(ContextId context) const { return components_.of[context.index()]; }
  [[nodiscard]] Targets targets_of(const Observation& observation) const;
  [[nodiscard]] bool accepting(const Fact& fact) const;
  StageId stage_of(const Fact& fact);
  const std::vector<StageId>& following(StageId id);
  [[nodiscard]] Targets covered(const Stages& by, const Fact& fact) const;
  [[nodiscard]] bool replaceable(StageId id) const;

  Marks& marks(StageId id);
  void mark_leading();
  [[nodiscard]] std::uint32_t few_first(StructureId id) const;
  std::optional<bool> go_up(const std::vector<StageId>& starts, Targets one, std::size_t max_stages);

  void pass_on(ContextId context);
  void add(StageId id, SymbolBits symbols);

  Engine& engine_;
  const LockDomain& locks_;  // of the engine
  StopToken stop_;
  std::size_t targets_;
  IdVector<dpn::Action, std::size_t> target_of_;  // the number of an action's target
  IdVector<StageId, Stage> stages_;
  IdVector<StageId, Marks> marks_;  // of those that were asked for, and all before them
  IdVector<ContextId, std::vector<Stages>> of_context_;
  IdVector<dpn::StackSymbol, std::vector<ContextId>> frames_at_;  // contexts of the last phase in which one can stand
  IdVector<ContextId, bool> waiting_;
  Components components_;  // there is least to do if a context comes after all from which ways lead there
  std::priority_queue<Waiting<ContextId>> queue_;
  std::uint64_t age_ = 0;
  SymbolBits arrived_;
};

}  // namespace lockwood::solver
