#include "frontend/findings/held_locks.hpp"

#include <algorithm>
#include <iterator>

#include "solver/engine.hpp"
#include "solver/problem.hpp"

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
}

}  // namespace

IdVector<dpn::StackSymbol, HeldLocks> held_locks(const dpn::Network& network, StopToken stop) {
  const solver::Problem visits_all = solver::unanswerable();
  solver::Engine engine{network, visits_all, {.objective = solver::Objective::Any, .stop = stop}};
  (void)engine.run();
  stop.check();
  IdVector<dpn::StackSymbol, HeldLocks> held(network.stacks().size());
  for (const solver::Context& context : engine.contexts()) {
    if (context.whole_thread) continue;
    HeldLocks here{.visited = true, .always = {}, .sometimes = {}};
    const auto& set = engine.domain().lock_set(context.held);
    for (dpn::Lock lock : network.locks().keys())
      if (set.contains(lock)) here.always.push_back(lock);
    add(held[context.head.top], here);
  }
  return held;
}

HeldLocks held_at(const IdVector<dpn::StackSymbol, HeldLocks>& held, const std::vector<dpn::StackSymbol>& symbols) {
  HeldLocks result;
  for (dpn::StackSymbol symbol : symbols) add(result, held[symbol]);
  return result;
}

}  // namespace lockwood::findings
