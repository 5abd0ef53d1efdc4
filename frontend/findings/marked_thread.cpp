#include "frontend/findings/marked_thread.hpp"

#include <cassert>
#include <string>

#include "dpn/network_builder.hpp"
#include "frontend/findings/fresh_name.hpp"

namespace lockwood::findings {
namespace {

// The rule as a marked thread uses it.
dpn::Rule marked(dpn::Rule rule, const IdVector<dpn::ControlState, dpn::ControlState>& copy) {
  struct {
    const IdVector<dpn::ControlState, dpn::ControlState>& copy;
    void operator()(dpn::Base& base) const { base.to.control = copy[base.to.control]; }
    void operator()(dpn::Call& call) const { call.callee.control = copy[call.callee.control]; }
    void operator()(dpn::Return& ret) const { ret.to = copy[ret.to]; }
    void operator()(dpn::Spawn& spawn) const { spawn.parent.control = copy[spawn.parent.control]; }
    void operator()(dpn::Monitor& monitor) const { monitor.callee.control = copy[monitor.callee.control]; }
  } mark{copy};
  rule.from.control = copy[rule.from.control];
  std::visit(mark, rule.effect);
  return rule;
}

}  // namespace

MarkedThread marked_thread(const dpn::Network& network, dpn::Action marking,
                           const std::vector<dpn::StackSymbol>& places) {
  dpn::NetworkBuilder builder{network.symbols()};
  IdVector<dpn::RuleId, std::optional<dpn::RuleId>> original;
  const auto add = [&](const dpn::Rule& rule, std::optional<dpn::RuleId> of) {
    builder.add(rule);
    original.push_back(of);
  };
  IdVector<dpn::ControlState, dpn::ControlState> copy;
  // For people, the copies look like what they are copies of.
  for (dpn::ControlState control : network.controls().keys()) {
    copy.push_back(builder.control(fresh_name(builder.symbols().controls, network.controls().name(control), "marked")));
    builder.label(copy[control], std::string{network.controls().shown(control)});
  }
  const dpn::Action mark = builder.action(fresh_name(builder.symbols().actions, "mark", ""));
  const dpn::Action probe = builder.action(fresh_name(builder.symbols().actions, "probe", ""));

  builder.initial(network.initial());
  for (dpn::RuleId id : network.rules().keys()) {
    const dpn::Rule& rule = network.rule(id);
    add(rule, id);
    add(marked(rule, copy), id);
    if (rule.action != marking) continue;
    assert(rule.kind() == dpn::RuleKind::Base);
    dpn::Rule marks = marked(rule, copy);
    marks.from = rule.from;
    marks.action = mark;
    add(marks, id);
  }

  std::vector<MarkedThread::Probe> probes;
  for (dpn::StackSymbol place : places) {
    const std::string_view name = network.stacks().name(place);
    const dpn::StackSymbol by_marked = builder.stack(fresh_name(builder.symbols().stacks, name, "by the marked"));
    const dpn::StackSymbol by_other = builder.stack(fresh_name(builder.symbols().stacks, name, "by another"));
    for (dpn::StackSymbol probed : {by_marked, by_other})
      builder.label(probed, std::string{network.stacks().shown(place)});
    probes.push_back({place, by_marked, by_other});
    std::optional<dpn::ControlState> previous;  // rules at a place are grouped by control state
    for (dpn::RuleId id : network.rules_at(place)) {
      const dpn::ControlState control = network.rule(id).from.control;
      if (previous == control) continue;
      previous = control;
      add({{control, place}, probe, dpn::Base{{control, by_other}}}, std::nullopt);
      add({{copy[control], place}, probe, dpn::Base{{copy[control], by_marked}}}, std::nullopt);
    }
  }
  return {.instrumented = {std::move(builder).build(), std::move(original)},
          .mark = mark,
          .probe = probe,
          .probes = std::move(probes)};
}

}  // namespace lockwood::findings
