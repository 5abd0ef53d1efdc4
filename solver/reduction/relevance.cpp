#include "solver/reduction/relevance.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <map>
#include <vector>

#include "dpn/model/control_flow.hpp"
#include "solver/locks/lock_domain.hpp"

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
  return Digraph{network.stack_symbols().size(), edges};
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
  Analysis(const Network& network, const BackwardFlow& flow, const Problem& problem, const Reductions& reductions,
           const LockFlags* respected)
      : network_{network}, flow_{flow}, problem_{problem}, reductions_{reductions}, respected_{respected} {}

  Relevance result() && {
    const std::size_t symbols = network_.stack_symbols().size();
    result_.everything =
        std::ranges::any_of(problem_.phases, [](const Phase& phase) { return !phase.observers.empty(); });
    find_required_actions();
    find_ordinary_actions();
    find_observed_places();
    result_.active = result_.everything ? SymbolSet(symbols, true) : active_places();
    result_.busy = SymbolSet(symbols, result_.everything);
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
    result_.observed = SymbolSet(network_.stack_symbols().size(), result_.everything);
    const auto observe = [&](const std::vector<StackSymbol>& tops) {
      for (StackSymbol top : tops) result_.observed[top] = true;
    };
    // Any thread that is before a join may be between one that waits and one for which it waits.
    const auto observe_joins = [&] {
      for (const Rule& rule : network_.rules())
        if (rule.kind() == dpn::RuleKind::Join) result_.observed[rule.from.top] = true;
    };
    if (problem_.collect)
      for (const auto& tops : problem_.collect->among) observe(tops);
    for (const Phase& phase : problem_.phases)
      for (const StandGoal& goal : phase.standing) {
        if (goal.joining || !phase.awaiting.empty()) observe_joins();
        if (goal.tops) {
          observe(*goal.tops);
          continue;
        }
        for (const Rule& rule : network_.rules()) {
          const auto* monitor = std::get_if<Monitor>(&rule.effect);
          if ((!goal.wanting && !goal.joining) || (monitor != nullptr && monitor->lock == goal.wanting))
            result_.observed[rule.from.top] = true;
        }
        if (!goal.wanting && !goal.joining) result_.observed = SymbolSet(network_.stack_symbols().size(), true);
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
    SymbolSet seen(network_.stack_symbols().size());
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
        if (const auto to = dpn::step_of(rule)) visit(to->top);
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

  // Which locks may constrain, and which frames are busy: the least sets such that, with n phases,
  //
  //   L1  a goal asks for holding or wanting x                                             => x constrains
  //   L2  a monitor on a contended x whose region matters for its own sake                  => x constrains
  //   L3  n > 1, a monitor on a contended x with an extraordinary action or a busy callee   => x constrains
  //   B1  a rule at γ has an extraordinary action                                          => γ is busy
  //   B1' a rule at γ says something about groups, or starts a thread whose end may matter  => γ is busy
  //   B2  a monitor at γ is on an x that constrains                                         => γ is busy
  //   B3  γ' is busy, and a thread may go from γ to γ' before it leaves the frame           => γ is busy
  //
  // Under the lock-insensitive semantics neither L2 nor L3 hold; if locks are not to be left out, every monitor's lock
  // constrains. Locks that are not respected constrain by L1 only. Two sets grow, and each makes the other grow. So
  // each new member of either is looked at once, with all that follows from it by one rule: the least fixed point is
  // reached when no new member is left.
  void find_locks() {
    const bool none = problem_.semantics == dpn::Semantics::LockInsensitive;
    const bool all = !none && (!reductions_.locks || result_.everything);
    const bool several_phases = problem_.phases.size() > 1;
    const auto contended = locks_of_spawned_threads();
    const auto respected = [&](Lock lock) { return respected_ == nullptr || (*respected_)[lock]; };
    const auto may_constrain = [&](Lock lock) { return !none && contended[lock] && respected(lock); };
    IdVector<Lock, std::vector<StackSymbol>> monitors_on(network_.locks().size());  // where they begin
    std::vector<std::pair<StackSymbol, Lock>> regions;                              // callees and their locks
    result_.locks = IdVector<Lock, bool>(network_.locks().size());
    std::vector<Lock> new_locks;
    std::vector<StackSymbol> new_busy;
    const auto add_lock = [&](Lock lock) {
      if (result_.locks[lock]) return;
      result_.locks[lock] = true;
      new_locks.push_back(lock);
    };
    const auto add_busy = [&](StackSymbol symbol) {
      if (result_.busy[symbol]) return;
      result_.busy[symbol] = true;
      new_busy.push_back(symbol);
    };
    for (const Phase& phase : problem_.phases)
      for (const StandGoal& goal : phase.standing) {
        if (goal.holding) add_lock(*goal.holding);  // L1
        if (goal.wanting) add_lock(*goal.wanting);
      }
    for (const Rule& rule : network_.rules()) {
      const bool extraordinary = !result_.ordinary[rule.action];
      if (extraordinary || result_.everything) add_busy(rule.from.top);                // B1
      if (dpn::concerns_groups(rule) || starts_member(rule)) add_busy(rule.from.top);  // B1'
      const auto* monitor = std::get_if<Monitor>(&rule.effect);
      if (monitor == nullptr) continue;
      monitors_on[monitor->lock].push_back(rule.from.top);
      if (several_phases) regions.emplace_back(monitor->callee.top, monitor->lock);
      const bool for_its_own_sake = matters(rule, monitor->callee) || (several_phases && extraordinary);
      if ((all && respected(monitor->lock)) || (may_constrain(monitor->lock) && for_its_own_sake))
        add_lock(monitor->lock);  // L2, L3
    }
    std::ranges::sort(regions);
    while (!new_locks.empty() || !new_busy.empty()) {
      if (!new_locks.empty()) {
        const Lock lock = new_locks.back();
        new_locks.pop_back();
        for (StackSymbol symbol : monitors_on[lock]) add_busy(symbol);  // B2
        continue;
      }
      const StackSymbol symbol = new_busy.back();
      new_busy.pop_back();
      flow_.for_each_before(symbol, add_busy);  // B3
      for (auto at = std::ranges::lower_bound(regions, symbol, {}, &std::pair<StackSymbol, Lock>::first);
           at != regions.end() && at->first == symbol; ++at)
        if (may_constrain(at->second)) add_lock(at->second);  // L3
    }
    assert(is_closed(several_phases, may_constrain));
  }

  // Whether the rules above that make the sets grow hold, read off one after the other. For assertions.
  template <class MayConstrain>
  [[nodiscard]] bool is_closed(bool several_phases, const MayConstrain& may_constrain) const {
    for (const Rule& rule : network_.rules()) {
      const auto* monitor = std::get_if<Monitor>(&rule.effect);
      const bool extraordinary = !result_.ordinary[rule.action];
      if ((extraordinary || (monitor != nullptr && result_.locks[monitor->lock])) && !result_.busy[rule.from.top])
        return false;  // B1, B2
      if (monitor != nullptr && may_constrain(monitor->lock) && !result_.locks[monitor->lock] &&
          (matters(rule, monitor->callee) || (several_phases && (extraordinary || result_.busy[monitor->callee.top]))))
        return false;  // L2, L3
    }
    for (StackSymbol symbol : result_.busy.keys()) {
      bool all_busy = true;
      if (result_.busy[symbol])
        flow_.for_each_before(symbol, [&](StackSymbol before) { all_busy = all_busy && result_.busy[before]; });
      if (!all_busy) return false;  // B3
    }
    return true;
  }

  // The rule starts a thread whose end somebody may wait for.
  [[nodiscard]] bool starts_member(const Rule& rule) const {
    const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect);
    return spawn != nullptr && (offspring_ || !spawn->memberships.empty());
  }

  // A frame should be left if what follows is wanted, or if the frame is a region of a lock that matters by itself, or
  // if it is the last one of a thread whose end somebody may wait for.
  void find_returns() {
    result_.returning = SymbolSet(network_.stack_symbols().size(), !reductions_.rules || result_.everything);
    std::vector<StackSymbol> pending;
    const auto mark = [&](StackSymbol symbol) {
      if (result_.returning[symbol]) return;
      result_.returning[symbol] = true;
      pending.push_back(symbol);
    };
    for (const Rule& rule : network_.rules()) {
      if (starts_member(rule)) mark(std::get<dpn::Spawn>(rule.effect).child.top);
      if (const auto entry = dpn::entry_of(rule)) {
        const bool region = entry->lock && result_.locks[*entry->lock] && matters(rule, entry->callee);
        if (region || result_.active[entry->return_point]) mark(entry->callee.top);
      }
    }
    while (!pending.empty()) {
      const StackSymbol symbol = pending.back();
      pending.pop_back();
      for (RuleId id : network_.rules_at(symbol)) {
        const Rule& rule = network_.rule(id);
        if (const auto to = dpn::step_of(rule)) mark(to->top);
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
  const LockFlags* respected_;
  bool offspring_ = group_use(network_) == GroupUse::Offspring;
  Relevance result_;
};

}  // namespace

Reductions allowed_for(const Network& network, Reductions reductions) {
  const GroupUse groups = group_use(network);
  if (groups != GroupUse::None) reductions.locks = false;
  if (groups == GroupUse::Offspring) reductions.spawns = false;
  return reductions;
}

BackwardFlow::BackwardFlow(const Network& network)
    : frames_{backwards(network, false)}, threads_{backwards(network, true)} {}

SymbolSet BackwardFlow::threads_leading_to(const SymbolSet& sources) const { return leading_to(threads_, sources); }

Relevance relevance(const Network& network, const BackwardFlow& flow, const Problem& problem,
                    const Reductions& reductions, const LockFlags* respected) {
  assert(allowed_for(network, reductions) == reductions);
  return Analysis{network, flow, problem, reductions, respected}.result();
}

}  // namespace lockwood::solver
