#pragma once

#include "dpn/formats/model_file.hpp"

namespace lockwood::dpn {

// Calls `visit` with the symbols of a rule in the order in which they are written.
template <class Visitor>
void visit_symbols(const Rule& rule, const Visitor& visit) {
  const auto visit_head = [&](Head head) {
    visit(head.control);
    visit(head.top);
  };
  visit_head(rule.from);
  visit(rule.action);
  if (const auto to = step_of(rule)) visit_head(*to);
  if (const auto* ret = std::get_if<Return>(&rule.effect)) visit(ret->to);
  if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) {
    visit_head(spawn->parent);
    visit_head(spawn->child);
  }
  if (const auto entry = entry_of(rule)) {
    if (entry->lock) visit(*entry->lock);
    visit_head(entry->callee);
    visit(entry->return_point);
  }
  for_each_group(rule, visit);
}

// Calls `visit` with the symbols of the initial configuration and of the rules, in the order in which they are written.
template <class Visitor>
void visit_symbols(const Network& network, const Visitor& visit) {
  visit(network.initial().control);
  visit(network.initial().top);
  for (const Rule& rule : network.rules()) visit_symbols(rule, visit);
}

// The same model with its symbols numbered in the order of their first appearance, those that do not appear last: it
// prints without lists of symbols. Throws Interrupted if asked to stop.
[[nodiscard]] ModelFile in_order_of_appearance(const ModelFile& model, StopToken stop = {});

}  // namespace lockwood::dpn
