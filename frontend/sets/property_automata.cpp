#include "frontend/sets/property_automata.hpp"

#include <algorithm>
#include <map>
#include <type_traits>
#include <utility>

#include "solver/construction/intersection.hpp"
#include "solver/construction/labelled_automaton.hpp"
#include "solver/construction/threads_at.hpp"
#include "treeauto/automaton/automaton_builder.hpp"

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

// Whether a thread that is at the head is before a monitor with the lock.
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

// The automaton of a definition, with transitions only for values that occur. For each stack symbol that a subtree
// begins with, and whether its frame is popped there, the values of such subtrees are found, and they are combined
// where a rule puts such subtrees together. Over all trees, each spawn and each call would combine all values with all.
template <class Definition>
class ObserverMaker {
 public:
  ObserverMaker(const Model& model, Definition definition, StopToken stop)
      : model_{model}, definition_{std::move(definition)}, stop_{stop}, builder_{model.alphabet.symbols()} {}

  treeauto::Automaton run() {
    const std::size_t places = 2 * model_.network.stack_symbols().size();
    values_at_.resize(places);
    seen_at_.resize(places);
    uses_of_.resize(places);
    for (treeauto::Symbol symbol : model_.alphabet.symbols().symbols()) add_symbol(symbol);
    while (!waiting_.empty()) {
      stop_.check();
      const Occurrence next = waiting_.back();
      waiting_.pop_back();
      values_at_[next.place].push_back(next.value);
      for (const auto& [number, position] : uses_of_[next.place]) combine(formations_[number], position, next.value);
    }
    return solver::reference::reduced(std::move(builder_).build(), stop_);
  }

 private:
  using Value = typename Definition::Value;
  using Location = std::size_t;  // a stack symbol, and whether its frame is popped within the subtree
  struct Formation {             // a node with the symbol, above subtrees that begin there
    treeauto::Symbol symbol;
    std::vector<Location> children;
    Location target;
  };
  struct Occurrence {
    Location place;
    treeauto::State value;
  };

  static Location place(dpn::StackSymbol top, bool popped) { return 2 * top.index() + (popped ? 1 : 0); }

  void add_symbol(treeauto::Symbol symbol) {
    const dpn::NodeLabel& label = model_.alphabet.label(symbol);
    if (label.kind == NodeKind::Cut) return;
    if (label.kind == NodeKind::Nil) return add({symbol, {}, place(std::get<dpn::Head>(label.what).top, false)});
    const dpn::Rule& rule = model_.network.rule(std::get<dpn::RuleId>(label.what));
    const dpn::StackSymbol from = rule.from.top;
    if (label.kind == NodeKind::Ret) return add({symbol, {}, place(from, true)});
    if (label.kind == NodeKind::NCall || label.kind == NodeKind::Acq)
      return add({symbol, {place(dpn::entry_of(rule)->callee.top, false)}, place(from, false)});
    for (const bool popped : {false, true}) {
      const Location target = place(from, popped);
      if (const auto to = dpn::step_of(rule)) {
        add({symbol, {place(to->top, popped)}, target});
      } else if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) {
        for (const bool ended : {false, true})
          add({symbol, {place(spawn->child.top, ended), place(spawn->parent.top, popped)}, target});
      } else {
        const auto entry = dpn::entry_of(rule);
        add({symbol, {place(entry->callee.top, true), place(entry->return_point, popped)}, target});
      }
    }
  }
  void add(Formation formation) {
    if (formation.children.empty()) return form(formation, {});
    for (std::size_t i = 0; i < formation.children.size(); ++i)
      uses_of_[formation.children[i]].emplace_back(formations_.size(), i);
    formations_.push_back(std::move(formation));
  }

  // All nodes with the value at this position, and at the other one a value that was settled before, or this one.
  void combine(const Formation& formation, std::size_t position, treeauto::State value) {
    if (formation.children.size() == 1) return form(formation, {value});
    const Location other = formation.children[1 - position];
    for (treeauto::State beside : values_at_[other])
      form(formation, position == 0 ? std::vector{value, beside} : std::vector{beside, value});
  }
  void form(const Formation& formation, const std::vector<treeauto::State>& children) {
    std::vector<Value> below;
    for (treeauto::State child : children) below.push_back(values_[child]);
    for (const Value& value :
         definition_.targets(model_.alphabet.label(formation.symbol), std::span<const Value>{below})) {
      const treeauto::State target = state_of(value);
      builder_.add(formation.symbol, children, target);
      std::vector<bool>& seen = seen_at_[formation.target];
      if (seen.size() <= target.index()) seen.resize(target.index() + 1);
      if (seen[target.index()]) continue;
      seen[target.index()] = true;
      waiting_.push_back({formation.target, target});
    }
  }
  treeauto::State state_of(const Value& value) {
    const auto [at, is_new] = numbers_.try_emplace(value, treeauto::State{values_.size()});
    if (is_new) {
      stop_.check_states(values_.size() + 1);
      values_.push_back(value);
      builder_.set_final(builder_.add_state(), definition_.is_final(value));
    }
    return at->second;
  }

  const Model& model_;
  Definition definition_;
  StopToken stop_;
  treeauto::AutomatonBuilder builder_;
  std::map<Value, treeauto::State> numbers_;
  IdVector<treeauto::State, Value> values_;
  std::vector<Formation> formations_;
  std::vector<std::vector<treeauto::State>> values_at_;                    // by place: settled
  std::vector<std::vector<bool>> seen_at_;                                 // by place and value: settled or waiting
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> uses_of_;  // by place: formation, position
  std::vector<Occurrence> waiting_;
};

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
    case NodeKind::Join:
    case NodeKind::Forget:
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
  if (label.kind == NodeKind::Cut) return {};
  if (std::ranges::count(children, least) > 0) return {least};
  switch (label.kind) {
    case NodeKind::Nil: return {1};
    case NodeKind::NCall:
    case NodeKind::Acq: return {children[0] + 1};
    case NodeKind::Base:
    case NodeKind::Join:
    case NodeKind::Forget: return {children[0]};
    case NodeKind::Spawn:
    case NodeKind::RCall:
    case NodeKind::Use: return {children[1]};
    case NodeKind::Ret:
    case NodeKind::Cut: break;
  }
  return {0};
}

std::vector<StackWordTrees::Value> StackWordTrees::targets(const dpn::NodeLabel& label,
                                                           std::span<const Value> children) const {
  if (label.kind == NodeKind::Cut) return {};
  if (std::ranges::any_of(children, &Value::other)) return {{std::nullopt, true}};
  switch (label.kind) {
    case NodeKind::Cut: return {};
    case NodeKind::Nil: return {{stacks.after_top(std::get<dpn::Head>(label.what).top), false}};
    case NodeKind::Ret: return {{std::nullopt, false}};
    case NodeKind::Base:
    case NodeKind::Join:
    case NodeKind::Forget: return {children[0]};
    case NodeKind::NCall:
    case NodeKind::Acq: {
      const auto entry = dpn::entry_of(network.rule(std::get<dpn::RuleId>(label.what)));
      if (!children[0].own) return {};  // no execution tree
      return {{stacks.after(*children[0].own, entry->return_point), false}};
    }
    case NodeKind::Spawn:
      if (accepts(children[0])) return {{std::nullopt, true}};
      return {children[1]};
    case NodeKind::RCall:
    case NodeKind::Use: return {children[1]};
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
      return ObserverMaker{model, std::move(definition), stop}.run();
  });
}

}  // namespace lockwood::sets
