#include "frontend/findings/analyses/guarded_statement.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

#include "dpn/model/network_builder.hpp"
#include "frontend/findings/analyses/fresh_name.hpp"

namespace lockwood::findings {
namespace {

// The statement becomes a procedure of its own, entered by a monitor wherever control comes to it. It is left in as
// many ways as there are places to go on at: each is a control state, with which its frame is popped and which the
// return point looks at.
class Guarding {
 public:
  Guarding(const program::Program& program, const program::Lowered& lowered, StatementId statement, dpn::Lock lock)
      : program_{program},
        lowered_{lowered},
        statement_{statement},
        lock_{lock},
        builder_{lowered.network.symbols()},
        enter_{builder_.action(fresh_name(builder_.symbols().actions, "enter the added lock", ""))},
        leave_{builder_.action(fresh_name(builder_.symbols().actions, "leave the added lock", ""))},
        after_{builder_.stack(fresh_name(builder_.symbols().stacks, "after the added lock", ""))} {}

  GuardedStatement run() && {
    const dpn::Network& network = lowered_.network;
    for (dpn::StackSymbol symbol : network.stacks().keys())
      inside_.push_back(belongs(symbol) ? builder_.stack(fresh_name(builder_.symbols().stacks,
                                                                    network.stacks().name(symbol), "with the lock"))
                                        : symbol);
    builder_.initial(network.initial());
    for (const dpn::Rule& rule : network.rules()) {
      if (!belongs(rule.from.top)) {
        builder_.add(rule);
        continue;
      }
      const dpn::Head inner{rule.from.control, inside_[rule.from.top]};
      if (entered_.insert(rule.from).second) builder_.add({rule.from, enter_, dpn::Monitor{inner, after_, lock_}});
      dpn::Rule copy = rule;
      copy.from = inner;
      copy.effect = std::visit([this](const auto& effect) { return guarded(effect); }, rule.effect);
      builder_.add(copy);
    }
    return {std::move(builder_).build(), std::move(inside_)};
  }

 private:
  [[nodiscard]] bool belongs(dpn::StackSymbol symbol) const {
    const program::SymbolOrigin& origin = lowered_.symbols[symbol];
    const bool in_text = origin.role == program::SymbolRole::Before || origin.role == program::SymbolRole::Returning;
    return in_text && origin.procedure == statement_.procedure &&
           program_.procedures[origin.procedure].points[origin.point].statement == statement_.statement;
  }

  // Where to go on inside: at the symbol itself, or at one that leaves for it.
  dpn::StackSymbol onward(dpn::StackSymbol symbol, std::optional<dpn::ControlState> only = {}) {
    if (belongs(symbol)) return inside_[symbol];
    const auto [at, inserted] = exits_.try_emplace(symbol, after_);
    if (inserted)
      at->second = builder_.stack(
          fresh_name(builder_.symbols().stacks, lowered_.network.stacks().name(symbol), "after the lock"));
    for (dpn::ControlState control : lowered_.network.controls().keys()) {
      if (only && control != *only) continue;
      if (!left_.insert(dpn::Head{control, symbol}).second) continue;
      const dpn::ControlState way =
          builder_.control(fresh_name(builder_.symbols().controls, lowered_.network.controls().name(control),
                                      lowered_.network.stacks().name(symbol)));
      builder_.add({{control, at->second}, leave_, dpn::Return{way}});
      builder_.add({{way, after_}, leave_, dpn::Base{{control, symbol}}});
    }
    return at->second;
  }

  dpn::Effect guarded(const dpn::Base& base) {
    return dpn::Base{{base.to.control, onward(base.to.top, base.to.control)}};
  }
  dpn::Effect guarded(const dpn::Call& call) { return dpn::Call{call.callee, onward(call.return_point), call.opening}; }
  dpn::Effect guarded(const dpn::Spawn& spawn) {
    return dpn::Spawn{
        {spawn.parent.control, onward(spawn.parent.top, spawn.parent.control)}, spawn.child, spawn.memberships};
  }
  dpn::Effect guarded(const dpn::Monitor& monitor) {
    return dpn::Monitor{monitor.callee, onward(monitor.return_point), monitor.lock, monitor.opening};
  }
  dpn::Effect guarded(const dpn::Join& join) {
    return dpn::Join{{join.to.control, onward(join.to.top, join.to.control)}, join.groups};
  }
  dpn::Effect guarded(const dpn::Forget& forget) {
    return dpn::Forget{{forget.to.control, onward(forget.to.top, forget.to.control)}, forget.groups};
  }
  dpn::Effect guarded(const dpn::Return& ret) {
    const auto [at, inserted] = returns_.try_emplace(ret.to, ret.to);
    if (inserted) {
      at->second = builder_.control(
          fresh_name(builder_.symbols().controls, lowered_.network.controls().name(ret.to), "returns"));
      builder_.add({{at->second, after_}, leave_, dpn::Return{ret.to}});
    }
    return dpn::Return{at->second};
  }

  const program::Program& program_;
  const program::Lowered& lowered_;
  StatementId statement_;
  dpn::Lock lock_;
  dpn::NetworkBuilder builder_;
  dpn::Action enter_;
  dpn::Action leave_;
  dpn::StackSymbol after_;
  IdVector<dpn::StackSymbol, dpn::StackSymbol> inside_;
  std::set<dpn::Head> entered_;
  std::map<dpn::StackSymbol, dpn::StackSymbol> exits_;
  std::set<dpn::Head> left_;
  std::map<dpn::ControlState, dpn::ControlState> returns_;
};

}  // namespace

GuardedStatement guarded_statement(const program::Program& program, const program::Lowered& lowered,
                                   StatementId statement, dpn::Lock lock) {
  return Guarding{program, lowered, statement, lock}.run();
}

}  // namespace lockwood::findings
