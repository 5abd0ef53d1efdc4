#include "solver/engine/witness.hpp"

#include <vector>

namespace lockwood::solver {
namespace {

using dpn::Reentrance;
using dpn::TreeBuilder;
using Step = Derivation::Step;

void append_entry(TreeBuilder& builder, const Engine& engine, const Fact& fact) {
  const dpn::RuleId rule = *fact.derivation.rule;
  const auto lock = dpn::entry_of(engine.network().rule(rule))->lock;
  const bool returns = fact.derivation.step == Step::Complete;
  if (!lock) {
    returns ? builder.rcall(rule) : builder.ncall(rule);
    return;
  }
  const LockSet& held = engine.domain().lock_set(engine.contexts()[fact.context].held);
  const Reentrance reentrance = held.contains(*lock) ? Reentrance::Yes : Reentrance::No;
  returns ? builder.use(rule, reentrance) : builder.acq(rule, reentrance);
}

}  // namespace

dpn::ExecutionTree witness_tree(const Engine& engine, FactId fact, TreeRoom room) {
  TreeBuilder builder;
  std::vector<FactId> pending{fact};  // subtrees to append, the next one last
  while (!pending.empty()) {
    room.take();
    const Fact& next = engine.facts()[pending.back()];
    pending.pop_back();
    const Derivation& derivation = next.derivation;
    switch (derivation.step) {
      case Step::Stand: builder.nil(engine.contexts()[next.context].head); break;
      case Step::Cut: builder.cut(engine.contexts()[next.context].head); break;
      case Step::Return: builder.ret(*derivation.rule); break;
      case Step::Base: builder.base(*derivation.rule); break;
      case Step::Enter:
      case Step::Complete: append_entry(builder, engine, next); break;
      case Step::Spawn: builder.spawn(*derivation.rule); break;
      case Step::Thread: break;
    }
    if (derivation.right) pending.push_back(*derivation.right);
    if (derivation.left) pending.push_back(*derivation.left);
  }
  return std::move(builder).build();
}

}  // namespace lockwood::solver
