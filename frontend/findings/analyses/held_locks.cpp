#include "frontend/findings/analyses/held_locks.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "dpn/model/network_builder.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/analyses/thread_locks.hpp"
#include "solver/engine/engine.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::findings {
namespace {

using Locks = std::vector<dpn::Lock>;

Locks meet(const Locks& a, const Locks& b) {
  Locks result;
  std::ranges::set_intersection(a, b, std::back_inserter(result));
  return result;
}
Locks join(const Locks& a, const Locks& b) {
  Locks result;
  std::ranges::set_union(a, b, std::back_inserter(result));
  return result;
}
Locks without(const Locks& a, const Locks& b) {
  Locks result;
  std::ranges::set_difference(a, b, std::back_inserter(result));
  return result;
}

void add(HeldLocks& to, const HeldLocks& other) {
  if (!other.visited) return;
  if (!to.visited) {
    to = other;
    return;
  }
  const Locks any = join(join(to.always, to.sometimes), join(other.always, other.sometimes));
  to.always = meet(to.always, other.always);
  to.sometimes = without(any, to.always);
  to.reading = meet(to.reading, other.reading);
}

// Without sets of held locks, which may be very many.
IdVector<dpn::StackSymbol, HeldLocks> held_locks_of_heads(const dpn::Network& network,
                                                          const solver::ThreadLocks& locks) {
  IdVector<dpn::StackSymbol, HeldLocks> found(network.stack_symbols().size());
  for (const dpn::Head& head : locks.heads()) {
    const solver::LockSet held = locks.held(head);
    const solver::LockSet lacked = locks.lacked(head);
    HeldLocks here{.visited = true, .always = {}, .sometimes = {}, .reading = {}};
    held.for_each([&](dpn::Lock lock) { (lacked.contains(lock) ? here.sometimes : here.always).push_back(lock); });
    here.reading = here.always;
    add(found[head.top], here);
  }
  return found;
}

// The network in which regions that the model takes for calls are monitors: where a thread with the symbol takes a lock
// for certain, for itself or, with `shared`, for reading too.
std::optional<dpn::Network> with_ignored_locks(const program::Lowered& lowered, bool shared) {
  std::map<dpn::StackSymbol, dpn::Lock> ignored;
  for (const program::Acquisition& acquisition : lowered.acquisitions)
    if (!acquisition.monitor && acquisition.certain && (shared || !acquisition.shared))
      for (dpn::StackSymbol symbol : acquisition.before) ignored.emplace(symbol, acquisition.lock.index());
  if (ignored.empty()) return std::nullopt;
  dpn::NetworkBuilder builder{lowered.network.symbols()};
  builder.initial(lowered.network.initial());
  for (dpn::Rule rule : lowered.network.rules()) {
    const auto lock = ignored.find(rule.from.top);
    const auto* call = std::get_if<dpn::Call>(&rule.effect);
    if (call != nullptr && lock != ignored.end())
      rule.effect = dpn::Monitor{call->callee, call->return_point, lock->second, call->opening};
    builder.add(rule);
  }
  return std::move(builder).build();
}

}  // namespace

IdVector<dpn::StackSymbol, HeldLocks> held_locks(const dpn::Network& network, StopToken stop,
                                                 std::optional<std::size_t> max_contexts) {
  const solver::Problem visits_all = solver::unanswerable();
  solver::Engine engine{network,
                        visits_all,
                        {.objective = solver::Objective::Any,
                         .context_limit = max_contexts.value_or(solver::many_contexts(network, 1)),
                         .stop = stop}};
  (void)engine.run();
  stop.check();
  if (engine.too_many_contexts()) return held_locks_of_heads(network, solver::ThreadLocks{network, stop});
  IdVector<dpn::StackSymbol, HeldLocks> held(network.stack_symbols().size());
  for (const solver::Context& context : engine.contexts()) {
    if (context.whole_thread) continue;
    HeldLocks here{.visited = true, .always = {}, .sometimes = {}, .reading = {}};
    const auto& set = engine.domain().lock_set(context.held);
    for (dpn::Lock lock : network.locks().keys())
      if (set.contains(lock)) here.always.push_back(lock);
    here.reading = here.always;
    add(held[context.head.top], here);
  }
  return held;
}

IdVector<dpn::StackSymbol, HeldLocks> held_locks(const program::Lowered& lowered, StopToken stop) {
  const auto exclusive = with_ignored_locks(lowered, false);
  auto held = held_locks(exclusive ? *exclusive : lowered.network, stop);
  const bool reads = std::ranges::any_of(lowered.acquisitions, &program::Acquisition::shared);
  if (!reads) return held;
  if (const auto all = with_ignored_locks(lowered, true)) {
    const auto any = held_locks(*all, stop);
    for (dpn::StackSymbol symbol : held.keys()) held[symbol].reading = any[symbol].always;
  }
  return held;
}

std::vector<dpn::Lock> ignored_locks(const program::Lowered& lowered) {
  std::set<dpn::Lock> locks;
  for (const program::Acquisition& acquisition : lowered.acquisitions)
    if (!acquisition.monitor && acquisition.certain && !acquisition.before.empty())
      locks.emplace(acquisition.lock.index());
  return {locks.begin(), locks.end()};
}

HeldLocks held_at(const IdVector<dpn::StackSymbol, HeldLocks>& held, const std::vector<dpn::StackSymbol>& symbols) {
  HeldLocks result;
  for (dpn::StackSymbol symbol : symbols) add(result, held[symbol]);
  return result;
}

}  // namespace lockwood::findings
