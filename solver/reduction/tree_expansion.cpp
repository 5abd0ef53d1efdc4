#include <cassert>
#include <vector>

#include "solver/locks/lock_domain.hpp"
#include "solver/reduction/reduction.hpp"

namespace lockwood::solver {

using dpn::Head;
using dpn::NodeId;
using dpn::NodeKind;
using dpn::Reentrance;
using dpn::Rule;
using dpn::RuleId;

// Writes the original's tree in preorder. What is to be written after the current node lies on a stack, the next last.
class TreeExpansion {
 public:
  TreeExpansion(const Reduction& reduction, const dpn::ExecutionTree& tree)
      : reduction_{reduction}, original_{*reduction.original_}, tree_{tree} {}

  dpn::ExecutionTree result(NodeBudget room) && {
    pending_.push_back({Item{dpn::ExecutionTree::root}, LockDomain::no_locks});
    while (!pending_.empty()) {
      room.take();
      const Pending next = pending_.back();
      pending_.pop_back();
      held_ = next.held;
      std::visit([this](const auto& item) { write(item); }, next.item);
    }
    assert(pending_.empty());
    return std::move(builder_).build();
  }

 private:
  // The rest of a way of steps, and the node that follows it.
  struct Steps {
    Reduction::DraftId next;
    Head end;
    NodeId after;
  };
  using Item = std::variant<NodeId, Steps, SummarizedReturn>;  // a subtree; a way; the body of a procedure
  struct Pending {
    Item item;
    LockSetId held;
  };

  void then(Item item, LockSetId held) { pending_.push_back({item, held}); }

  // A call or monitor of the original; the locks held inside.
  LockSetId write_entry(RuleId id, bool returns) {
    const auto lock = dpn::entry_of(original_.rule(id))->lock;
    if (!lock) {
      returns ? builder_.rcall(id) : builder_.ncall(id);
      return held_;
    }
    const auto reentrance = locks_.lock_set(held_).contains(*lock) ? Reentrance::Yes : Reentrance::No;
    returns ? builder_.use(id, reentrance) : builder_.acq(id, reentrance);
    return locks_.with(held_, *lock);
  }

  // A step, a spawn of a thread that does not move, or a call of an inert procedure; `rest` follows.
  void write_step(RuleId id, std::optional<SummarizedReturn> body, Item rest) {
    const Rule& rule = original_.rule(id);
    then(rest, held_);
    if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) {
      builder_.spawn(id);
      builder_.nil(spawn->child);
    } else if (body) {
      const LockSetId inside = write_entry(id, true);
      then(*body, inside);
    } else {
      builder_.base(id);
    }
  }

  void write(SummarizedReturn id) {
    const ProcedureSummaries::Return& found = reduction_.inert_[id];
    if (!found.rest) {
      builder_.ret(found.rule);
    } else {
      write_step(found.rule, found.body, *found.rest);
    }
  }

  void write(const Steps& steps) {
    const Reduction::Draft& draft = reduction_.drafts_[steps.next];
    const Head to = std::get<dpn::Base>(draft.rule.effect).to;
    Item rest = steps.after;
    if (to != steps.end) rest = Steps{*reduction_.places_[reduction_.numbers_.at(to)].pass, steps.end, steps.after};
    write_step(draft.origin, draft.body, rest);
  }

  void write(NodeId node) {
    const NodeKind kind = tree_.kind(node);
    if (dpn::has_head(kind)) {
      kind == NodeKind::Nil ? builder_.nil(tree_.head(node)) : builder_.cut(tree_.head(node));
      if (kind == NodeKind::Cut) then(tree_.first_child(node), held_);
      return;
    }
    const RuleId reduced = tree_.rule(node);
    const RuleId origin = reduction_.drafts_[reduction_.draft_of_[reduced]].origin;
    switch (kind) {
      case NodeKind::Ret: builder_.ret(origin); break;
      case NodeKind::Join:
      case NodeKind::Forget:
        kind == NodeKind::Join ? builder_.join(origin) : builder_.forget(origin);
        then(tree_.first_child(node), held_);
        break;
      case NodeKind::Base:
        write(Steps{reduction_.draft_of_[reduced], std::get<dpn::Base>(reduction_.network().rule(reduced).effect).to,
                    tree_.first_child(node)});
        break;
      case NodeKind::Spawn:
        builder_.spawn(origin);
        then(tree_.second_child(node), held_);
        then(tree_.first_child(node), LockDomain::no_locks);
        break;
      default: {
        const bool returns = dpn::is_returning(kind);
        const LockSetId inside = write_entry(origin, returns);
        if (returns) then(tree_.second_child(node), held_);
        then(tree_.first_child(node), inside);
      }
    }
  }

  const Reduction& reduction_;
  const dpn::Network& original_;
  const dpn::ExecutionTree& tree_;
  LockDomain locks_{{}, 1};  // only for sets of held locks
  dpn::TreeBuilder builder_;
  std::vector<Pending> pending_;
  LockSetId held_ = LockDomain::no_locks;
};

dpn::ExecutionTree Reduction::expanded(const dpn::ExecutionTree& tree, NodeBudget room) const {
  return TreeExpansion{*this, tree}.result(room);
}

}  // namespace lockwood::solver
