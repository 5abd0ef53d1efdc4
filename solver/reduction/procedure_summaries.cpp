#include "solver/reduction/procedure_summaries.hpp"

#include <algorithm>
#include <cassert>

#include "solver/reduction/weight.hpp"

namespace lockwood::solver {

using dpn::Head;
using dpn::Rule;
using dpn::RuleId;

SummarizedHead ProcedureSummaries::number_of(Head head) {
  const auto [number, is_new] = numbers_.try_emplace(head, SummarizedHead{heads_.size()});
  if (is_new) heads_.push_back({head, {}, {}});
  return number;
}

void ProcedureSummaries::compute() {
  while (true) {
    for (; expanded_ < heads_.size(); ++expanded_) expand(SummarizedHead{expanded_});
    if (queue_.empty()) return;
    const Return found = queue_.top().what;
    queue_.pop();
    assert(!found.rest || returns_[*found.rest].weight < found.weight || found.weight == heaviest_weight);
    Entry& entry = heads_[found.from];
    // [knuth.77.generalization]: a tree is heavier than its parts. So the returns of a head come lightest first,
    // whenever the heads are found out that its trees go through.
    assert(entry.returns.empty() || returns_[entry.returns.back()].weight <= found.weight);
    if (std::ranges::any_of(entry.returns, [&](SummarizedReturn id) {
          return returns_[id].to == found.to && (found.limited || !returns_[id].limited);
        }))
      continue;
    const SummarizedReturn id = returns_.push_back(found);
    entry.returns.push_back(id);
    // Those who come to listen meanwhile are told when they come.
    const std::size_t listeners = entry.listeners.size();
    for (std::size_t i = 0; i < listeners; ++i) {
      const Listener listener = heads_[found.from].listeners[i];
      deliver(listener, id);
    }
  }
}

void ProcedureSummaries::expand(SummarizedHead number) {
  const Head head = heads_[number].head;
  for (RuleId id : network_->rules_from(head)) {
    const Rule& rule = network_->rule(id);
    if (const auto* base = std::get_if<dpn::Base>(&rule.effect)) {
      listen(base->to, {number, id, false, {}});
    } else if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) {
      listen(spawn->parent, {number, id, false, {}});
    } else if (const auto* ret = std::get_if<dpn::Return>(&rule.effect)) {
      propose({number, ret->to, node_weight, limited_[rule.action], id, {}, {}});
    } else if (const auto entry = dpn::entry_of(rule)) {
      listen(entry->callee, {number, id, true, {}});
    }
  }
}

void ProcedureSummaries::listen(Head to, const Listener& listener) {
  const SummarizedHead number = number_of(to);
  heads_[number].listeners.push_back(listener);
  const std::vector<SummarizedReturn> known = heads_[number].returns;
  for (SummarizedReturn id : known) deliver(listener, id);
}

void ProcedureSummaries::deliver(const Listener& listener, SummarizedReturn id) {
  const Return& found = returns_[id];
  const Rule& rule = network_->rule(listener.rule);
  assert(rule.from == heads_[listener.head].head);
  if (listener.is_body)
    return listen({found.to, dpn::entry_of(rule)->return_point}, {listener.head, listener.rule, false, id});
  std::uint64_t weight = rule.kind() == dpn::RuleKind::Spawn ? spawn_weight_ : node_weight;
  bool limited = limited_[rule.action] || found.limited;
  if (listener.body) {
    weight = sum_of_weights(weight, returns_[*listener.body].weight);
    limited = limited || returns_[*listener.body].limited;
  }
  propose({listener.head, found.to, sum_of_weights(weight, found.weight), limited, listener.rule, listener.body, id});
}

void ProcedureSummaries::propose(const Return& candidate) { queue_.push({age_++, candidate}); }

}  // namespace lockwood::solver
