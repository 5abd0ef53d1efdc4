#include "solver/reduction/relevance.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "dpn/model/control_flow.hpp"

namespace lockwood::solver {

using dpn::Action;
using dpn::Lock;
using dpn::Monitor;
using dpn::Network;
using dpn::Rule;
using dpn::RuleId;
using dpn::StackSymbol;

namespace {

using SymbolSet = IdVector<StackSymbol, bool>;

Digraph backwards(const Network& network, bool across_spawns) {
  std::vector<Edge> edges;
  for (const dpn::FlowEdge& edge : dpn::flow_edges(network))
    if (across_spawns || edge.flow != dpn::Flow::Spawning)
      edges.push_back({static_cast<std::uint32_t>(edge.to.index()), static_cast<std::uint32_t>(edge.from.index())});
  return Digraph{network.stacks().size(), edges};
}

SymbolSet leading_to(const Digraph& backward, const SymbolSet& sources) {
  std::vector<std::uint32_t> vertices;
  for (StackSymbol symbol : sources.keys())
    if (sources[symbol]) vertices.push_back(static_cast<std::uint32_t>(symbol.index()));
  const std::vector<bool> reached = reachable_from(backward, vertices);
  SymbolSet result(sources.size());
  for (StackSymbol symbol : result.keys()) result[symbol] = reached[symbol.index()];
  return result;
}

// For each action, the phases that avoid it; actions in the same phases are of one class.
using PhaseSet = std::vector<bool>;
IdVector<Action, PhaseSet> avoiding_phases(const Network& network, const Problem& problem) {
  IdVector<Action, PhaseSet> phases(network.actions().size(), PhaseSet(problem.phases.size()));
  for (std::size_t i = 0; i < problem.phases.size(); ++i)
    for (Action action : problem.phases[i].avoiding) phases[action][i] = true;
  return phases;
}

class Analysis {
 public:
  Analysis(const Network& network, const BackwardFlow& flow, const Problem& problem, const Reductions& reductions)
      : network_{network}, flow_{flow}, problem_{problem}, reductions_{reductions} {}

  Relevance result() && {
    const std::size_t symbols = network_.stacks().size();
    result_.everything =
        std::ranges::any_of(problem_.phases, [](const Phase& phase) { return !phase.observers.empty(); });
    find_required_actions();
    find_ordinary_actions();
    find_observed_places();
    result_.active = result_.everything ? SymbolSet(symbols, true) : active_places();
    result_.busy = SymbolSet(symbols);
    find_locks();
    find_returns();
    return std::move(result_);
  }

 private:
  void find_required_actions() {
    result_.required = IdVector<Action, bool>(network_.actions().size());
    for (const Phase& phase : problem_.phases)
      for (const auto& actions : phase.fired)
        for (Action action : actions) result_.required[action] = true;
  }

  // The class of actions that most rules have.
  void find_ordinary_actions() {
    const auto phases = avoiding_phases(network_, problem_);
    std::map<PhaseSet, std::size_t> rules_of;
    for (const Rule& rule : network_.rules()) ++rules_of[phases[rule.action]];
    const PhaseSet none(problem_.phases.size());
    PhaseSet commonest = none;
    for (const auto& [set, count] : rules_of)
      if (count > rules_of[commonest]) commonest = set;
    result_.ordinary = IdVector<Action, bool>(network_.actions().size());
    for (Action action : result_.ordinary.keys())
      result_.ordinary[action] = !result_.required[action] && (phases[action] == none || phases[action] == commonest);
  }

  void find_observed_places() {
    result_.observed = SymbolSet(network_.stacks().size(), result_.everything);
    const auto observe = [&](const std::vector<StackSymbol>& tops) {
      for (StackSymbol top : tops) result_.observed[top] = true;
    };
    if (problem_.collect)
      for (const auto& tops : problem_.collect->among) observe(tops);
    for (const Phase& phase : problem_.phases)
      for (const StandGoal& goal : phase.standing) {
        if (goal.tops) {
          observe(*goal.tops);
          continue;
        }
        for (const Rule& rule : network_.rules()) {
          const auto* monitor = std::get_if<Monitor>(&rule.effect);
          if (!goal.wanting || (monitor != nullptr && monitor->lock == *goal.wanting))
            result_.observed[rule.from.top] = true;
        }
        if (!goal.wanting) result_.observed = SymbolSet(network_.stacks().size(), true);
      }
  }

  [[nodiscard]] SymbolSet active_places() const {
    SymbolSet sources = result_.observed;
    for (const Rule& rule : network_.rules())
      if (result_.required[rule.action] || (!reductions_.spawns && rule.kind() == dpn::RuleKind::Spawn))
        sources[rule.from.top] = true;
    return flow_.threads_leading_to(sources);
  }

  // Locks that threads besides the first may take: a lock of which only the first thread makes use stops nobody.
  [[nodiscard]] IdVector<Lock, bool> locks_of_spawned_threads() const {
    SymbolSet seen(network_.stacks().size());
    std::vector<StackSymbol> pending;
    const auto visit = [&](StackSymbol symbol) {
      if (seen[symbol]) return;
      seen[symbol] = true;
      pending.push_back(symbol);
    };
    for (const Rule& rule : network_.rules())
      if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect); spawn != nullptr && moves(spawn->child.top))
        visit(spawn->child.top);
    IdVector<Lock, bool> locks(network_.locks().size());
    while (!pending.empty()) {
      const StackSymbol symbol = pending.back();
      pending.pop_back();
      for (RuleId id : network_.rules_at(symbol)) {
        const Rule& rule = network_.rule(id);
        if (const auto* base = std::get_if<dpn::Base>(&rule.effect)) visit(base->to.top);
        if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) visit(spawn->parent.top);
        if (const auto* monitor = std::get_if<Monitor>(&rule.effect)) locks[monitor->lock] = true;
        if (const auto entry = dpn::entry_of(rule)) {
          visit(entry->callee.top);
          visit(entry->return_point);
        }
      }
    }
    return locks;
  }

  // A thread that begins here may have a reason to do anything.
  [[nodiscard]] bool moves(StackSymbol begin) const { return !reductions_.spawns || result_.active[begin]; }

  // The call may be done for its own sake, whether it returns or not.
  [[nodiscard]] bool matters(const Rule& call, dpn::Head callee) const {
    return result_.active[callee.top] || result_.required[call.action];
  }

  void find_locks() {
    SymbolSet sources(network_.stacks().size(), result_.everything);
    for (const Rule& rule : network_.rules())
      if (!result_.ordinary[rule.action]) sources[rule.from.top] = true;
    result_.locks = IdVector<Lock, bool>(network_.locks().size());
    for (const Phase& phase : problem_.phases)
      for (const StandGoal& goal : phase.standing) {
        if (goal.holding) result_.locks[*goal.holding] = true;
        if (goal.wanting) result_.locks[*goal.wanting] = true;
      }
    const bool all = !reductions_.locks || result_.everything;
    const bool none = problem_.semantics == dpn::Semantics::LockInsensitive;
    const auto contended = locks_of_spawned_threads();
    const auto relevant = [&](const Rule& rule, const Monitor& monitor) {
      if (none || all) return !none;
      const bool spans_phases =
          problem_.phases.size() > 1 && (result_.busy[monitor.callee.top] || !result_.ordinary[rule.action]);
      return contended[monitor.lock] && (matters(rule, monitor.callee) || spans_phases);
    };
    // With several phases a region with something in it that cannot be moved is such a thing itself.
    result_.busy = flow_.frames_leading_to(sources);
    for (bool grown = true; grown;) {
      grown = false;
      for (const Rule& rule : network_.rules()) {
        const auto* monitor = std::get_if<Monitor>(&rule.effect);
        if (monitor == nullptr || (!result_.locks[monitor->lock] && !relevant(rule, *monitor))) continue;
        result_.locks[monitor->lock] = true;
        if (!sources[rule.from.top]) grown = sources[rule.from.top] = true;
      }
      if (grown) result_.busy = flow_.frames_leading_to(sources);
    }
  }

  // A frame should be left if what follows is wanted, or if the frame is a region of a lock that matters by itself.
  void find_returns() {
    result_.returning = SymbolSet(network_.stacks().size(), !reductions_.rules || result_.everything);
    std::vector<StackSymbol> pending;
    const auto mark = [&](StackSymbol symbol) {
      if (result_.returning[symbol]) return;
      result_.returning[symbol] = true;
      pending.push_back(symbol);
    };
    for (const Rule& rule : network_.rules())
      if (const auto entry = dpn::entry_of(rule)) {
        const bool region = entry->lock && result_.locks[*entry->lock] && matters(rule, entry->callee);
        if (region || result_.active[entry->return_point]) mark(entry->callee.top);
      }
    while (!pending.empty()) {
      const StackSymbol symbol = pending.back();
      pending.pop_back();
      for (RuleId id : network_.rules_at(symbol)) {
        const Rule& rule = network_.rule(id);
        if (const auto* base = std::get_if<dpn::Base>(&rule.effect)) mark(base->to.top);
        if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) mark(spawn->parent.top);
        if (const auto entry = dpn::entry_of(rule)) {
          mark(entry->return_point);
          mark(entry->callee.top);
        }
      }
    }
  }

  const Network& network_;
  const BackwardFlow& flow_;
  const Problem& problem_;
  const Reductions& reductions_;
  Relevance result_;
};

}  // namespace

BackwardFlow::BackwardFlow(const Network& network)
    : frames_{backwards(network, false)}, threads_{backwards(network, true)} {}

SymbolSet BackwardFlow::frames_leading_to(const SymbolSet& sources) const { return leading_to(frames_, sources); }
SymbolSet BackwardFlow::threads_leading_to(const SymbolSet& sources) const { return leading_to(threads_, sources); }

Relevance relevance(const Network& network, const BackwardFlow& flow, const Problem& problem,
                    const Reductions& reductions) {
  return Analysis{network, flow, problem, reductions}.result();
}

}  // namespace lockwood::solver
