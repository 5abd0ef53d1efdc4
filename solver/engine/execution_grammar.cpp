#include "solver/engine/execution_grammar.hpp"

#include <cassert>

namespace lockwood::solver {

using dpn::NodeKind;
using dpn::Reentrance;
using dpn::RuleId;
using Shape = Production::Shape;
using Step = Derivation::Step;

AvoidedActions avoided_actions(const dpn::Network& network, const Problem& problem) {
  AvoidedActions avoided;
  for (const Phase& phase : problem.phases) {
    auto& actions = avoided.emplace_back(network.actions().size(), false);
    for (dpn::Action action : phase.avoiding) actions[action] = true;
  }
  return avoided;
}

ExecutionGrammar::ExecutionGrammar(const dpn::Network& network, AvoidedActions avoided, LockDomain& held,
                                   ThreadContexts threads)
    : network_{network}, avoided_{std::move(avoided)}, held_{held}, threads_{threads}, contexts_{network} {
  assert(!avoided_.empty());
}

Context ExecutionGrammar::root_context() const {
  return {network_.initial(), LockDomain::no_locks, 0, threads_ == ThreadContexts::Whole};
}

// A thread is in the last phase only; in the others it goes on to the next phase. Then come the rules, in the order
// of the network.
void ExecutionGrammar::productions_of(ContextId id, std::vector<Production>& productions) {
  assert(id.index() < contexts_.size());
  productions.clear();
  const Context context = contexts_[id];
  const Outcome standing = Outcome::standing();
  if (context.whole_thread) {
    const Context inside{context.head, context.held, context.phase, false};
    productions.push_back({Shape::Step, Step::Thread, {}, standing, inside, inside});
    return;
  }
  assert(context.phase <= last_phase());
  if (context.phase == last_phase()) {
    productions.push_back({Shape::Leaf, Step::Stand, {}, standing, context, context});
  } else {
    const Context next{context.head, context.held, context.phase + 1, false};
    productions.push_back({Shape::Step, Step::Cut, {}, standing, next, next});
  }
  for (RuleId rule : network_.rules_from(context.head))
    if (!avoided_[context.phase][network_.rule(rule).action]) add_rule(context, rule, productions);
}

void ExecutionGrammar::add_rule(const Context& context, RuleId id, std::vector<Production>& productions) {
  const dpn::Rule& rule = network_.rule(id);
  const auto in_frame = [&](dpn::Head head) { return Context{head, context.held, context.phase, false}; };
  switch (rule.kind()) {
    case dpn::RuleKind::Base:
    case dpn::RuleKind::Join:
    case dpn::RuleKind::Forget: {
      const Context next = in_frame(*dpn::step_of(rule));
      const bool joins = rule.kind() == dpn::RuleKind::Join;
      const Step step = rule.kind() == dpn::RuleKind::Base ? Step::Base : joins ? Step::Join : Step::Forget;
      productions.push_back({Shape::Step, step, id, Outcome::standing(), next, next});
      return;
    }
    case dpn::RuleKind::Return: {
      const Outcome returned = Outcome::returned(std::get<dpn::Return>(rule.effect).to, context.phase);
      productions.push_back({Shape::Leaf, Step::Return, id, returned, context, context});
      return;
    }
    case dpn::RuleKind::Spawn: {
      const auto& spawn = std::get<dpn::Spawn>(rule.effect);
      // Of a member of groups it matters how it ends.
      const bool whole = threads_ == ThreadContexts::Whole && spawn.memberships.empty();
      const Context child{spawn.child, LockDomain::no_locks, context.phase, whole};
      productions.push_back({Shape::Spawn, Step::Spawn, id, Outcome::standing(), child, in_frame(spawn.parent)});
      return;
    }
    case dpn::RuleKind::Call:
    case dpn::RuleKind::Monitor: {
      const dpn::Entry entry = *dpn::entry_of(rule);
      const LockSetId held = entry.lock ? held_.with(context.held, *entry.lock) : context.held;
      const Context body{entry.callee, held, context.phase, false};
      productions.push_back({Shape::Entry, Step::Enter, id, Outcome::standing(), body, body});
      return;
    }
  }
}

Context ExecutionGrammar::rest_of(ContextId caller, RuleId rule, Outcome body) const {
  assert(body.has_returned());
  const dpn::Entry entry = *dpn::entry_of(network_.rule(rule));
  assert(contexts_[caller].phase <= body.phase() && body.phase() <= last_phase());
  return {
      {body.control(), entry.return_point}, contexts_[caller].held, static_cast<std::uint32_t>(body.phase()), false};
}

NodeLabel ExecutionGrammar::label_of(const Node& node) const {
  assert(node.rule);
  switch (node.step) {
    case Step::Return: return {NodeKind::Ret, *node.rule};
    case Step::Base: return {NodeKind::Base, *node.rule};
    case Step::Spawn: return {NodeKind::Spawn, *node.rule};
    case Step::Join: return {NodeKind::Join, *node.rule};
    case Step::Forget: return {NodeKind::Forget, *node.rule};
    default: break;
  }
  assert(node.step == Step::Enter || node.step == Step::Complete);
  return entering(node).label;
}

void ExecutionGrammar::append(dpn::TreeBuilder& builder, const Node& node) const {
  const dpn::Head head = contexts_[node.context].head;
  switch (node.step) {
    case Step::Thread: return;
    case Step::Stand: builder.nil(head); return;
    case Step::Cut: builder.cut(head); return;
    case Step::Return: builder.ret(*node.rule); return;
    case Step::Base: builder.base(*node.rule); return;
    case Step::Spawn: builder.spawn(*node.rule); return;
    case Step::Join: builder.join(*node.rule); return;
    case Step::Forget: builder.forget(*node.rule); return;
    case Step::Enter:
    case Step::Complete: break;
  }
  const NodeLabel label = label_of(node);
  switch (label.kind) {
    case NodeKind::NCall: builder.ncall(*node.rule); return;
    case NodeKind::RCall: builder.rcall(*node.rule); return;
    case NodeKind::Acq: builder.acq(*node.rule, label.reentrance); return;
    default: builder.use(*node.rule, label.reentrance); return;
  }
}

}  // namespace lockwood::solver
