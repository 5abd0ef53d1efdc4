// The domain of joins (docs/theory.md, Sect. 10.5) on whole execution trees: the structure of a tree is consistent iff
// the theorem of Sect. 10.3, written down literally, says that the tree has a schedule.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "dpn/trees/tree_joins.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "dpn/trees/tree_threads.hpp"
#include "solver/locks/lock_structure.hpp"
#include "tests/oracle/dpn/join_theorem.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

// The structure of a subtree, and the phase in which its own thread has returned, if it has.
struct Value {
  std::optional<PhaseIndex> returned;
  LockStructure locks;
};

// Computes the structure of a tree from the leaves up, without regard to contexts and antichains.
class Fold {
 public:
  Fold(const Network& network, const ExecutionTree& tree)
      : network_{network}, tree_{tree}, threads_{threads_of(tree)}, phases_{threads_.phases} {}

  // Nothing if it is inconsistent.
  [[nodiscard]] std::optional<Value> of(NodeId node) const {
    const PhaseIndex phase = threads_.phase[node];
    const LockStructure empty{.own_uses = {}, .phases = std::vector<PhaseLocks>(phases_), .groups = {}};
    switch (tree_.kind(node)) {
      case NodeKind::Nil: return Value{std::nullopt, empty};
      case NodeKind::Ret: return Value{phase, empty};
      case NodeKind::Base:
      case NodeKind::Cut: return of(tree_.first_child(node));
      case NodeKind::Join:
      case NodeKind::Forget: {
        const auto rest = of(tree_.first_child(node));
        if (!rest) return std::nullopt;
        if (tree_.kind(node) == NodeKind::Forget)
          return Value{rest->returned, forget_groups(rest->locks, std::get<Forget>(effect(node)).groups)};
        return Value{rest->returned, join_groups(rest->locks, phase, std::get<Join>(effect(node)).groups)};
      }
      case NodeKind::Spawn: {
        const auto thread = of(tree_.first_child(node));
        const auto parent = of(tree_.second_child(node));
        if (!thread || !parent) return std::nullopt;
        const auto started =
            fork(thread->locks, thread->returned, true, phase, std::get<Spawn>(effect(node)).memberships);
        return sequence(Value{phase, started}, *parent, OwnUses::OfRight);
      }
      case NodeKind::NCall:
      case NodeKind::Acq: return entered(node, of(tree_.first_child(node)));
      case NodeKind::RCall:
      case NodeKind::Use: {
        const auto body = entered(node, of(tree_.first_child(node)));
        const auto rest = of(tree_.second_child(node));
        if (!body || !rest) return std::nullopt;
        return sequence(*body, *rest, rest->returned == body->returned ? OwnUses::OfBoth : OwnUses::OfRight);
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] const Effect& effect(NodeId node) const { return network_.rule(tree_.rule(node)).effect; }

  [[nodiscard]] std::optional<Value> entered(NodeId node, const std::optional<Value>& body) const {
    if (!body) return std::nullopt;
    const auto entry = entry_of(network_.rule(tree_.rule(node)));
    std::optional<LockStructure> inside = open_groups(body->locks, entry->opening);
    if (tree_.takes_lock(node)) inside = monitor(*entry->lock, threads_.phase[node], body->returned, *inside);
    return inside ? std::optional{Value{body->returned, *inside}} : std::nullopt;
  }
  [[nodiscard]] static std::optional<Value> sequence(const Value& left, const Value& right, OwnUses own_uses) {
    auto both = join(left.locks, right.locks, own_uses, right.returned);
    return both ? std::optional{Value{right.returned, std::move(*both)}} : std::nullopt;
  }

  const Network& network_;
  const ExecutionTree& tree_;
  TreeThreads threads_;
  PhaseIndex phases_;
};

void compare(std::uint64_t first_seed, std::uint64_t last_seed) {
  std::size_t consistent = 0;
  std::size_t inconsistent = 0;
  std::size_t joining = 0;
  testing::each_joining_execution(first_seed, last_seed, [&](const Network& network, const Schedule& execution) {
    const ExecutionTree tree = tree_of_execution(network, execution.moves, execution.cuts);
    const bool has_schedule = !reference::violated_condition(network, tree).has_value();
    CHECK(Fold{network, tree}.of(ExecutionTree::root).has_value() == has_schedule);
    ++(has_schedule ? consistent : inconsistent);
    const TreeJoins joins = joins_of(network, tree, threads_of(tree));
    if (std::ranges::any_of(joins.joins, [](const TreeJoin& join) { return !join.awaited.empty(); })) ++joining;
  });
  MESSAGE(consistent << " consistent and " << inconsistent << " inconsistent trees, " << joining << " with joins");
  CHECK(joining > (consistent + inconsistent) / 10);
  CHECK(inconsistent > consistent / 10);
}

}  // namespace

TEST_CASE("the structure of a tree with joins is consistent iff the theorem says that it has a schedule") {
  compare(0, 12'000);
}

TEST_CASE("[full] the structure of a tree with joins is consistent iff the theorem says so, on many more trees") {
  compare(12'000, 160'000);
}
