#include "frontend/findings/narrative/marked_thread.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "dpn/model/network_builder.hpp"
#include "frontend/findings/analyses/fresh_name.hpp"

namespace lockwood::findings {

ThreadMarks::ThreadMarks(dpn::NetworkBuilder& builder, const dpn::Network& network) {
  for (dpn::ControlState control : network.control_states().keys()) {
    copies_.push_back(
        builder.control(fresh_name(builder.symbols().controls, network.control_states().name(control), "marked")));
    builder.label(copies_[control], std::string{network.control_states().shown(control)});
  }
}

dpn::Rule ThreadMarks::marked(dpn::Rule rule) const {
  struct {
    const IdVector<dpn::ControlState, dpn::ControlState>& copy;
    void operator()(dpn::Base& base) const { base.to.control = copy[base.to.control]; }
    void operator()(dpn::Call& call) const { call.callee.control = copy[call.callee.control]; }
    void operator()(dpn::Return& ret) const { ret.to = copy[ret.to]; }
    void operator()(dpn::Spawn& spawn) const { spawn.parent.control = copy[spawn.parent.control]; }
    void operator()(dpn::Join& join) const { join.to.control = copy[join.to.control]; }
    void operator()(dpn::Forget& forget) const { forget.to.control = copy[forget.to.control]; }
    void operator()(dpn::Monitor& monitor) const { monitor.callee.control = copy[monitor.callee.control]; }
  } mark{copies_};
  rule.from.control = copies_[rule.from.control];
  std::visit(mark, rule.effect);
  return rule;
}

MarkedThread marked_thread(const dpn::Network& network, const std::vector<dpn::Action>& marking,
                           const std::vector<dpn::StackSymbol>& places) {
  assert(std::ranges::is_sorted(places));
  dpn::NetworkBuilder builder{network.symbols()};
  IdVector<dpn::RuleId, std::optional<dpn::RuleId>> original;
  const auto add = [&](const dpn::Rule& rule, std::optional<dpn::RuleId> of) {
    builder.add(rule);
    original.push_back(of);
  };
  const ThreadMarks copies{builder, network};
  std::vector<dpn::Action> marks;
  IdVector<dpn::Action, std::optional<dpn::Action>> mark_of(network.actions().size());
  for (dpn::Action action : marking) {
    if (!mark_of[action])
      mark_of[action] =
          builder.action(fresh_name(builder.symbols().actions, network.actions().name(action), "marking"));
    marks.push_back(*mark_of[action]);
  }
  const dpn::Action probe = builder.action(fresh_name(builder.symbols().actions, "probe", ""));

  builder.initial(network.initial());
  for (dpn::RuleId id : network.rules().keys()) {
    const dpn::Rule& rule = network.rule(id);
    add(rule, id);
    add(copies.marked(rule), id);
    if (!mark_of[rule.action]) continue;
    assert(rule.kind() == dpn::RuleKind::Base);
    dpn::Rule marking_rule = copies.marked(rule);
    marking_rule.from = rule.from;
    marking_rule.action = *mark_of[rule.action];
    add(marking_rule, id);
  }

  std::vector<MarkedThread::Probe> probes;
  for (dpn::StackSymbol place : places) {
    const std::string_view name = network.stack_symbols().name(place);
    const dpn::StackSymbol by_marked = builder.stack(fresh_name(builder.symbols().stacks, name, "by the marked"));
    const dpn::StackSymbol by_other = builder.stack(fresh_name(builder.symbols().stacks, name, "by another"));
    for (dpn::StackSymbol probed : {by_marked, by_other})
      builder.label(probed, std::string{network.stack_symbols().shown(place)});
    probes.push_back({place, by_marked, by_other});
    std::optional<dpn::ControlState> previous;  // rules at a place are grouped by control state
    for (dpn::RuleId id : network.rules_at(place)) {
      const dpn::ControlState control = network.rule(id).from.control;
      if (previous == control) continue;
      previous = control;
      add({{control, place}, probe, dpn::Base{{control, by_other}}}, std::nullopt);
      add({{copies.copy(control), place}, probe, dpn::Base{{copies.copy(control), by_marked}}}, std::nullopt);
    }
  }
  return {.instrumented = {std::move(builder).build(), std::move(original)},
          .marks = std::move(marks),
          .probe = probe,
          .probes = std::move(probes)};
}

}  // namespace lockwood::findings
