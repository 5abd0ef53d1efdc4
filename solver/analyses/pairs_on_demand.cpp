#include "solver/analyses/pairs_on_demand.hpp"

#include <algorithm>
#include <cassert>
#include <set>

#include "dpn/semantics/small_step.hpp"
#include "dpn/trees/schedule.hpp"
#include "solver/engine/engine.hpp"
#include "solver/engine/witness.hpp"
#include "solver/reduction/reduction.hpp"

namespace lockwood::solver {
namespace {

using dpn::StackSymbol;

class PairsOnDemand {
 public:
  PairsOnDemand(const dpn::Network& network, const MhpOptions& options, const PossiblePairs& possible_pairs)
      : network_{network},
        options_{options},
        possible_pairs_{possible_pairs},
        flow_{network},
        in_left_{flags(options.left)},
        in_right_{flags(options.right)},
        excluding_(network.locks().size(), false) {}

  [[nodiscard]] MhpAnswer answer() {
    MhpAnswer found = possible_pairs_(LockFlags(network_.locks().size(), false));
    statistics_ = found.statistics;
    possible_ = std::move(found.pairs);
    std::erase_if(possible_, [&](const ParallelPair& pair) { return !is_asked(pair.first, pair.second); });
    stopped_ = found.stopped;
    while (!stopped_) {
      const auto missing = not_shown();
      if (!missing) break;
      exclude(*missing);
    }
    found.pairs.assign(shown_.begin(), shown_.end());
    assert(stopped_ || found.pairs == possible_);
    found.stopped = stopped_;
    found.statistics = statistics_;
    found.locks.emplace();
    for (dpn::Lock lock : excluding_.keys())
      if (excluding_[lock]) found.locks->push_back(lock);
    return found;
  }

 private:
  static constexpr std::uint64_t checked_nodes = 1'000'000;  // of a tree that many others could stand for

  [[nodiscard]] IdVector<StackSymbol, bool> flags(const std::optional<std::vector<StackSymbol>>& symbols) const {
    IdVector<StackSymbol, bool> flags(network_.stack_symbols().size(), !symbols);
    if (symbols)
      for (StackSymbol symbol : *symbols) flags[symbol] = true;
    return flags;
  }
  [[nodiscard]] bool is_asked(StackSymbol a, StackSymbol b) const {
    if (options_.classes && (*options_.classes)[a] != (*options_.classes)[b]) return false;
    return (in_left_[a] && in_right_[b]) || (in_left_[b] && in_right_[a]);
  }

  // Leaves out the pairs that cannot happen if these locks are respected, and no others.
  void exclude(const std::vector<dpn::Lock>& locks) {
    LockFlags respected(network_.locks().size(), false);
    for (dpn::Lock lock : locks) respected[lock] = excluding_[lock] = true;
    const MhpAnswer found = possible_pairs_(respected);
    statistics_ += found.statistics;
    stopped_ = found.stopped;
    if (stopped_) return;
    const std::size_t before = possible_.size();
    std::erase_if(possible_, [&](const ParallelPair& pair) { return !std::ranges::binary_search(found.pairs, pair); });
    if (possible_.size() == before) throw BrokenAnswer{"a pair is found and excluded with the same locks"};
  }

  // Shows the pairs, those with the same first place together; of the first pair that cannot happen, the locks that
  // exclude it. Nothing if all are shown, or it was stopped.
  [[nodiscard]] std::optional<std::vector<dpn::Lock>> not_shown() {
    for (std::size_t begin = 0, end = 0; begin < possible_.size(); begin = end) {
      const StackSymbol first = possible_[begin].first;
      std::vector<StackSymbol> partners;
      for (end = begin; end < possible_.size() && possible_[end].first == first; ++end)
        if (!shown_.contains(possible_[end])) partners.push_back(possible_[end].second);
      options_.stop.report_progress({.contexts = statistics_.contexts, .facts = shown_.size()});
      try {
        if (partners.size() > 1 && tried_.insert(first).second) show_by_one_run(first, partners);
      } catch (const Interrupted& interrupted) {
        stopped_ = interrupted.reason();
        return std::nullopt;
      }
      for (StackSymbol partner : partners) {
        if (shown_.contains({first, partner})) continue;
        if (auto missing = not_shown(ParallelPair{first, partner})) return missing;
        if (stopped_) return std::nullopt;
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::vector<dpn::Lock>> not_shown(const ParallelPair& pair) {
    const Answer answer =
        solve(network_, {.phases = {Phase{.standing = {at(pair.first), at(pair.second)}}}},
              {.locks = LockChoice::Lazy, .reductions = options_.reductions, .flow = &flow_, .stop = options_.stop});
    statistics_ += answer.statistics;
    if (answer.verdict == dpn::Verdict::Unknown) stopped_ = answer.stopped;
    if (answer.verdict == dpn::Verdict::Unreachable) return missing_locks(answer);
    if (answer.verdict != dpn::Verdict::Reachable) return std::nullopt;
    // A schedule that is too large to be written shows nothing but its own pair.
    if (answer.witness) show(answer.witness->schedule);
    assert(!answer.witness || shown_.contains(pair));
    shown_.insert(pair);
    return std::nullopt;
  }

  // One run without locks has a tree for each partner. Most of these trees respect the locks all the same.
  void show_by_one_run(StackSymbol first, const std::vector<StackSymbol>& partners) {
    const Problem problem{.phases = {Phase{.standing = {at(first)}}}, .collect = Collect{{partners}}};
    const LockFlags no_locks(network_.locks().size(), false);
    const Reduction reduction{network_, flow_, problem, options_.reductions, 0, options_.stop, &no_locks};
    Engine engine{network_, problem, {.objective = Objective::Any, .reduction = &reduction, .stop = options_.stop}};
    (void)engine.run();
    options_.stop.check();
    for (FactId fact : engine.answers()) {
      const StackSymbol partner = collected_symbols(engine.facts()[fact].observation).front();
      if (shown_.contains({std::min(first, partner), std::max(first, partner)})) continue;
      try {
        const NodeBudget room{checked_nodes, options_.stop};
        const dpn::ExecutionTree tree = reduction.expanded(witness_tree(engine, fact, room), room);
        if (const auto schedule = dpn::schedule_of(network_, tree, options_.semantics, options_.stop)) show(*schedule);
      } catch (const TreeTooLarge&) {
        // The pair is asked for by itself.
      }
    }
  }
  [[nodiscard]] static StandGoal at(StackSymbol symbol) {
    return {.tops = std::vector{symbol}, .holding = {}, .wanting = {}};
  }
  [[nodiscard]] std::vector<dpn::Lock> missing_locks(const Answer& answer) const {
    if (answer.locks) return *answer.locks;
    const auto all = network_.locks().keys();  // it took all of them
    return {all.begin(), all.end()};
  }

  // Every pair of places at which two threads are on the way.
  void show(const dpn::Schedule& schedule) {
    dpn::Configuration configuration = dpn::initial_configuration(network_);
    for (const dpn::Move& move : schedule.moves) {
      const std::size_t threads = configuration.threads.size();
      if (dpn::blocked(network_, configuration, move, options_.semantics))
        throw BrokenAnswer{"the schedule of a pair does not replay"};
      dpn::apply(network_, configuration, move);
      show(configuration, move.thread);
      if (configuration.threads.size() > threads) show(configuration, dpn::ThreadId{threads});
    }
  }
  void show(const dpn::Configuration& configuration, dpn::ThreadId moved) {
    const dpn::Thread& thread = configuration.threads[moved];
    if (thread.ended()) return;
    const StackSymbol here = thread.head().top;
    for (dpn::ThreadId other : configuration.threads.keys()) {
      if (other == moved || configuration.threads[other].ended()) continue;
      const StackSymbol there = configuration.threads[other].head().top;
      if (is_asked(here, there)) shown_.insert({std::min(here, there), std::max(here, there)});
    }
  }

  const dpn::Network& network_;
  const MhpOptions& options_;
  const PossiblePairs& possible_pairs_;
  BackwardFlow flow_;
  IdVector<StackSymbol, bool> in_left_;
  IdVector<StackSymbol, bool> in_right_;
  std::vector<ParallelPair> possible_;  // not yet excluded, ascending
  std::set<ParallelPair> shown_;
  std::set<StackSymbol> tried_;  // whose pairs one run has looked for
  LockFlags excluding_;          // those that exclude some pair
  std::optional<StopReason> stopped_;
  EngineStatistics statistics_;
};

}  // namespace

MhpAnswer pairs_on_demand(const dpn::Network& network, const MhpOptions& options, const PossiblePairs& possible_pairs) {
  return PairsOnDemand{network, options, possible_pairs}.answer();
}

}  // namespace lockwood::solver
