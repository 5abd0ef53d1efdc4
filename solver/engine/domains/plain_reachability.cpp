#include "solver/engine/domains/plain_reachability.hpp"

#include <cassert>

namespace lockwood::solver {
namespace {

AvoidedActions one_phase(const dpn::Network& network) {
  return {IdVector<dpn::Action, bool>(network.actions().size(), false)};
}

}  // namespace

PlainReachability::PlainReachability(const dpn::Network& network, LockDomain& held, StopToken stop,
                                     std::size_t context_limit)
    : grammar_{network, one_phase(network), held, ThreadContexts::LikeFrames},
      stop_{stop},
      context_limit_{context_limit} {
  Saturation<PlainReachability, Agenda, Expansion::InOrder> saturation{grammar_, *this, agenda_};
  saturation.close();
}

// A thread may stand wherever it is, so the first slot of a context is there from the beginning, and counts as
// announced: a context that was just requested has no dependents yet.
void PlainReachability::add_context() {
  const ContextId context = slots_of_.push_back({});
  (void)slot(context, Outcome::standing());
}

SlotId PlainReachability::slot(ContextId context, Outcome outcome) {
  for (SlotId known : slots_of_[context])
    if (slots_[known].outcome == outcome) return known;
  const SlotId created = slots_.push_back({context, outcome});
  slots_of_[context].push_back(created);
  announced_.push_back(!outcome.has_returned());
  if (outcome.has_returned()) agenda_.add(created);
  return created;
}

void PlainReachability::announce(const std::vector<SlotId>& batch, std::vector<Announcement<SlotId>>& announcements) {
  for (SlotId slot : batch) {
    assert(!announced_[slot]);
    announced_[slot] = true;
    announcements.push_back({slot, true, 0});
  }
}

void PlainReachability::derive_leaf(const Node& node, Outcome outcome) {
  if (node.step == Derivation::Step::Return) returns_.push_back(slot(node.context, outcome));
}

void PlainReachability::derive(const Node& node, SlotId below) {
  const bool enters = node.step == Derivation::Step::Enter;
  const auto lock = enters ? grammar_.entering(node).taken : std::nullopt;
  unary_.push_back({slot(node.context, slots_[below].outcome), below, lock});
}

void PlainReachability::derive(const Node& node, SlotId left, SlotId right) {
  const bool completes = node.step == Derivation::Step::Complete;
  const auto lock = completes ? grammar_.entering(node).taken : std::nullopt;
  binary_.push_back({slot(node.context, slots_[right].outcome), left, right, lock});
}

}  // namespace lockwood::solver
