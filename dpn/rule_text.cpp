#include "dpn/rule_text.hpp"

#include <initializer_list>
#include <string_view>

namespace lockwood::dpn {
namespace {

std::string tuple(std::initializer_list<std::string_view> parts) {
  std::string text = "(";
  for (std::string_view part : parts) {
    if (text.size() > 1) text += ", ";
    text += part;
  }
  return text + ')';
}

// What a rule leads to.
class Target {
 public:
  explicit Target(const Network& network) : network_{network} {}

  std::string operator()(const Base& base) const { return head_text(network_, base.to); }
  std::string operator()(const Call& call) const { return entered(call.callee, call.return_point); }
  std::string operator()(const Monitor& monitor) const { return entered(monitor.callee, monitor.return_point); }
  std::string operator()(const Return& ret) const {
    return one_control() ? "()" : tuple({network_.controls().shown(ret.to)});
  }
  std::string operator()(const Spawn& spawn) const {
    std::string text = head_text(network_, spawn.parent);
    text.back() = ' ';
    return text + ":> " + head_text(network_, spawn.child).substr(1);
  }

 private:
  [[nodiscard]] bool one_control() const { return network_.controls().size() == 1; }
  [[nodiscard]] std::string entered(Head callee, StackSymbol return_point) const {
    const auto& stacks = network_.stacks();
    if (one_control()) return tuple({stacks.shown(callee.top), stacks.shown(return_point)});
    return tuple({network_.controls().shown(callee.control), stacks.shown(callee.top), stacks.shown(return_point)});
  }

  const Network& network_;
};

}  // namespace

std::string head_text(const Network& network, Head head) {
  if (network.controls().size() == 1) return tuple({network.stacks().shown(head.top)});
  return tuple({network.controls().shown(head.control), network.stacks().shown(head.top)});
}

std::string rule_text(const Network& network, RuleId id) {
  const Rule& rule = network.rule(id);
  std::string text = head_text(network, rule.from) + " -- ";
  text += network.actions().shown(rule.action);
  if (const auto* monitor = std::get_if<Monitor>(&rule.effect)) {
    text += " - ";
    text += network.locks().shown(monitor->lock);
  }
  return text + " --> " + std::visit(Target{network}, rule.effect);
}

}  // namespace lockwood::dpn
