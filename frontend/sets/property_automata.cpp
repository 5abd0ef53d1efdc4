#include "frontend/sets/property_automata.hpp"

#include <algorithm>
#include <type_traits>

#include "solver/reference/intersection.hpp"
#include "solver/reference/labelled_automaton.hpp"
#include "solver/reference/standing.hpp"
#include "treeauto/universal.hpp"

namespace lockwood::sets {
namespace {

using dpn::NodeKind;

Presence united(std::span<const Presence> children) {
  return std::ranges::count(children, Presence::Present) > 0 ? Presence::Present : Presence::Absent;
}

// Whether the node enters a monitor with the lock, reentrantly or not.
bool enters(const dpn::Network& network, const dpn::NodeLabel& label, dpn::Lock lock) {
  if (!dpn::is_monitor(label.kind)) return false;
  return std::get<dpn::Monitor>(network.rule(std::get<dpn::RuleId>(label.what)).effect).lock == lock;
}

// Whether a thread that stands at the head is before a monitor with the lock.
bool is_before(const dpn::Network& network, dpn::Head head, dpn::Lock lock) {
  return std::ranges::any_of(network.rules_from(head), [&](dpn::RuleId rule) {
    const auto* monitor = std::get_if<dpn::Monitor>(&network.rule(rule).effect);
    return monitor != nullptr && monitor->lock == lock;
  });
}

// Calls use(definition) with the automaton that defines the property.
template <class Use>
treeauto::Automaton defined(const Model& model, const Property& property, Use&& use) {
  const dpn::Network& network = model.network;
  return std::visit(
      [&](const auto& kind) -> treeauto::Automaton {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<Kind, Standing>) {
          return use(solver::reference::Standing{network, kind.places});
        } else if constexpr (std::is_same_v<Kind, Holding>) {
          return use(HoldingTrees{network, kind.lock});
        } else if constexpr (std::is_same_v<Kind, Wanting>) {
          return use(WantingTrees{network, kind.lock});
        } else if constexpr (std::is_same_v<Kind, Fired>) {
          IdVector<dpn::Action, bool> actions(network.actions().size());
          for (dpn::Action action : kind.actions) actions[action] = true;
          return use(FiredTrees{network, std::move(actions)});
        } else if constexpr (std::is_same_v<Kind, ThreadCount>) {
          return use(ThreadCountTrees{kind.least});
        } else if constexpr (std::is_same_v<Kind, StackDepth>) {
          return use(StackDepthTrees{kind.least});
        } else if constexpr (std::is_same_v<Kind, StackWord>) {
          return use(StackWordTrees{network, kind.stacks});
        } else {
          return use(kind.automaton);
        }
      },
      property);
}

}  // namespace

std::vector<HoldingTrees::Value> HoldingTrees::targets(const dpn::NodeLabel& label,
                                                       std::span<const Value> children) const {
  if (label.kind == NodeKind::Cut) return {};
  if (label.kind == NodeKind::Acq && enters(network, label, lock)) return {Presence::Present};
  return {united(children)};
}

std::vector<WantingTrees::Value> WantingTrees::targets(const dpn::NodeLabel& label,
                                                       std::span<const Value> children) const {
  switch (label.kind) {
    case NodeKind::Cut: return {};
    case NodeKind::Nil: return {{is_before(network, std::get<dpn::Head>(label.what), lock), false}};
    case NodeKind::Ret: return {{false, false}};
    case NodeKind::Base:
    case NodeKind::NCall: return {children[0]};
    case NodeKind::Acq: return {{children[0].own && !enters(network, label, lock), children[0].other}};
    case NodeKind::Spawn: return {{children[1].own, children[0].own || children[0].other || children[1].other}};
    case NodeKind::RCall:
    case NodeKind::Use: return {{children[1].own, children[0].other || children[1].other}};
  }
  return {};
}

std::vector<FiredTrees::Value> FiredTrees::targets(const dpn::NodeLabel& label, std::span<const Value> children) const {
  if (label.kind == NodeKind::Cut) return {};
  const auto* rule = std::get_if<dpn::RuleId>(&label.what);
  if (rule != nullptr && actions[network.rule(*rule).action]) return {Presence::Present};
  return {united(children)};
}

std::vector<ThreadCountTrees::Value> ThreadCountTrees::targets(const dpn::NodeLabel& label,
                                                               std::span<const Value> children) const {
  if (label.kind == NodeKind::Cut) return {};
  Value spawned = label.kind == NodeKind::Spawn ? 1 : 0;
  for (Value child : children) spawned += child;
  return {std::min(spawned, least - 1)};
}

std::vector<StackDepthTrees::Value> StackDepthTrees::targets(const dpn::NodeLabel& label,
                                                             std::span<const Value> children) const {
  switch (label.kind) {
    case NodeKind::Cut: return {};
    case NodeKind::Nil: return {{1, false}};
    case NodeKind::Ret: return {{0, false}};
    case NodeKind::Base: return {children[0]};
    case NodeKind::NCall:
    case NodeKind::Acq: return {{std::min(children[0].own + 1, least), children[0].other}};
    case NodeKind::Spawn:
      return {{children[1].own, children[0].own >= least || children[0].other || children[1].other}};
    case NodeKind::RCall:
    case NodeKind::Use: return {{children[1].own, children[0].other || children[1].other}};
  }
  return {};
}

std::vector<StackWordTrees::Value> StackWordTrees::targets(const dpn::NodeLabel& label,
                                                           std::span<const Value> children) const {
  switch (label.kind) {
    case NodeKind::Cut: return {};
    case NodeKind::Nil: return {{stacks.after_top(std::get<dpn::Head>(label.what).top), false}};
    case NodeKind::Ret: return {{std::nullopt, false}};
    case NodeKind::Base: return {children[0]};
    case NodeKind::NCall:
    case NodeKind::Acq: {
      const auto entry = dpn::entry_of(network.rule(std::get<dpn::RuleId>(label.what)));
      if (!children[0].own) return {};  // no execution tree
      return {{stacks.after(*children[0].own, entry->return_point), children[0].other}};
    }
    case NodeKind::Spawn: return {{children[1].own, accepts(children[0]) || children[0].other || children[1].other}};
    case NodeKind::RCall:
    case NodeKind::Use: return {{children[1].own, children[0].other || children[1].other}};
  }
  return {};
}

treeauto::Automaton with_property(const Model& model, const treeauto::Automaton& trees, const Property& property,
                                  StopToken stop) {
  return defined(model, property, [&](auto definition) {
    if constexpr (std::is_same_v<decltype(definition), treeauto::Automaton>)
      return solver::reference::intersected(trees, definition, stop);
    else
      return solver::reference::intersected(trees, model.alphabet, std::move(definition), stop);
  });
}

treeauto::Automaton property_automaton(const Model& model, const Property& property, StopToken stop) {
  return defined(model, property, [&](auto definition) -> treeauto::Automaton {
    if constexpr (std::is_same_v<decltype(definition), treeauto::Automaton>)
      return definition;
    else
      return solver::reference::intersected(treeauto::universal_automaton(model.alphabet.symbols()), model.alphabet,
                                            std::move(definition), stop);
  });
}

}  // namespace lockwood::sets
