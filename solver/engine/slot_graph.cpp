#include "solver/engine/slot_graph.hpp"

namespace lockwood::solver {

using dpn::RuleId;

SlotGraph::SlotGraph(const dpn::Network& network, LockDomain& domain, StopToken stop)
    : network_{network}, domain_{domain} {
  demand({network.initial(), LockDomain::no_locks});
  std::size_t expanded = 0;
  while (true) {
    stop.check();
    if (expanded < contexts_.size()) {
      expand(ContextId{expanded++});
    } else if (!news_.empty()) {
      const SlotId news = news_.back();
      news_.pop_back();
      announced_[news] = true;
      // Those who come to listen meanwhile are told when they come.
      const ContextId context = slots_[news].context;
      const std::size_t listeners = listeners_[context].size();
      for (std::size_t i = 0; i < listeners; ++i) {
        const Listener listener = listeners_[context][i];
        tell(listener, news);
      }
    } else {
      return;
    }
  }
}

ContextId SlotGraph::demand(const Place& place) {
  const auto [at, inserted] = numbers_.try_emplace(place, ContextId{contexts_.size()});
  if (inserted) {
    contexts_.push_back(place);
    slots_of_.push_back({});
    listeners_.push_back({});
    (void)slot(at->second, Outcome::standing());
  }
  return at->second;
}

SlotId SlotGraph::slot(ContextId context, Outcome outcome) {
  for (SlotId known : slots_of_[context])
    if (slots_[known].outcome == outcome) return known;
  const SlotId created = slots_.push_back({context, outcome});
  slots_of_[context].push_back(created);
  announced_.push_back(!outcome.has_returned());  // nobody listens yet to a context that has just been asked for
  if (outcome.has_returned()) news_.push_back(created);
  return created;
}

void SlotGraph::expand(ContextId id) {
  const Place place = contexts_[id];
  using Role = Listener::Role;
  for (RuleId rule_id : network_.rules_from(place.head)) {
    const dpn::Rule& rule = network_.rule(rule_id);
    if (const auto* base = std::get_if<dpn::Base>(&rule.effect)) {
      listen(demand({base->to, place.held}), {Role::Next, id, {}, {}, {}, {}});
    } else if (const auto* ret = std::get_if<dpn::Return>(&rule.effect)) {
      returns_.push_back(slot(id, Outcome::returned(ret->to, 0)));
    } else if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) {
      const ContextId child = demand({spawn->child, LockDomain::no_locks});
      const ContextId parent = demand({spawn->parent, place.held});
      // Only the second of the two is told of the slots that are there already, so that no pair is made twice.
      listeners_[child].push_back({Role::Child, id, {}, parent, {}, {}});
      listen(parent, {Role::Parent, id, {}, child, {}, {}});
    } else {
      const dpn::Entry entry = *dpn::entry_of(rule);
      const bool takes = entry.lock && !domain_.lock_set(place.held).contains(*entry.lock);
      const LockSetId held = entry.lock ? domain_.with(place.held, *entry.lock) : place.held;
      listen(demand({entry.callee, held}), {Role::Body, id, rule_id, {}, {}, takes ? entry.lock : std::nullopt});
    }
  }
}

// The listener is told of the slots that were announced and of all that will be.
void SlotGraph::listen(ContextId to, const Listener& listener) {
  listeners_[to].push_back(listener);
  const std::vector<SlotId> known = slots_of_[to];
  for (SlotId slot : known)
    if (announced_[slot]) tell(listener, slot);
}

void SlotGraph::tell(const Listener& listener, SlotId news) {
  const Outcome outcome = slots_[news].outcome;
  switch (listener.role) {
    case Listener::Role::Next: unary_.push_back({slot(listener.target, outcome), news, {}}); break;
    case Listener::Role::Body: {
      if (!outcome.has_returned()) {
        unary_.push_back({standing(listener.target), news, listener.lock});
        break;
      }
      const dpn::Entry entry = *dpn::entry_of(network_.rule(*listener.rule));
      const ContextId rest = demand({{outcome.control(), entry.return_point}, contexts_[listener.target].held});
      listen(rest, {Listener::Role::Rest, listener.target, {}, {}, news, listener.lock});
      break;
    }
    case Listener::Role::Rest:
      binary_.push_back({slot(listener.target, outcome), *listener.body, news, listener.lock});
      break;
    case Listener::Role::Child: {
      const std::vector<SlotId> parents = slots_of_[*listener.partner];
      for (SlotId parent : parents)
        if (announced_[parent]) binary_.push_back({slot(listener.target, slots_[parent].outcome), news, parent, {}});
      break;
    }
    case Listener::Role::Parent: {
      const std::vector<SlotId> children = slots_of_[*listener.partner];
      for (SlotId child : children)
        if (announced_[child]) binary_.push_back({slot(listener.target, outcome), child, news, {}});
      break;
    }
  }
}

}  // namespace lockwood::solver
