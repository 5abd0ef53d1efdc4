#include "frontend/findings/analyses/guarded_statement.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>

#include "dpn/model/network_builder.hpp"
#include "frontend/findings/analyses/fresh_name.hpp"

namespace lockwood::findings {
namespace {

// Each statement becomes a procedure of its own, entered by a monitor wherever control comes to it. It is left in as
// many ways as there are places to go on at: each is a control state, with which its frame is popped and which the
// return point looks at.
class Guarding {
 public:
  Guarding(const program::Program& program, const program::Lowered& lowered, const std::vector<StatementId>& statements,
           dpn::Lock lock)
      : program_{program},
        lowered_{lowered},
        lock_{lock},
        builder_{lowered.network.symbols()},
        enter_{builder_.action(fresh_name(builder_.symbols().actions, "enter the added lock", ""))},
        leave_{builder_.action(fresh_name(builder_.symbols().actions, "leave the added lock", ""))} {
    for (StatementId statement : statements)
      pieces_.push_back({.statement = statement,
                         .after = builder_.stack(fresh_name(builder_.symbols().stacks, "after the added lock", ""))});
  }

  GuardedStatements run() && {
    const dpn::Network& network = lowered_.network;
    for (dpn::StackSymbol symbol : network.stack_symbols().keys()) {
      piece_of_.push_back(find_piece(symbol));
      inside_.push_back(piece_of_[symbol] != nullptr
                            ? builder_.stack(fresh_name(builder_.symbols().stacks, network.stack_symbols().name(symbol),
                                                        "with the lock"))
                            : symbol);
    }
    builder_.initial(network.initial());
    for (const dpn::Rule& rule : network.rules()) {
      here_ = piece_of_[rule.from.top];
      if (here_ == nullptr) {
        builder_.add(rule);
        continue;
      }
      const dpn::Head inner{rule.from.control, inside_[rule.from.top]};
      if (entered_.insert(rule.from).second)
        builder_.add({rule.from, enter_, dpn::Monitor{inner, here_->after, lock_}});
      dpn::Rule copy = rule;
      copy.from = inner;
      copy.effect = std::visit([this](const auto& effect) { return guarded(effect); }, rule.effect);
      builder_.add(copy);
    }
    return {std::move(builder_).build(), std::move(inside_)};
  }

 private:
  struct Piece {
    StatementId statement;
    dpn::StackSymbol after;
    std::map<dpn::StackSymbol, dpn::StackSymbol> exits = {};
    std::set<dpn::Head> left = {};
    std::map<dpn::ControlState, dpn::ControlState> returns = {};
  };

  // None if the symbol belongs to none of the statements.
  [[nodiscard]] Piece* find_piece(dpn::StackSymbol symbol) {
    const program::SymbolOrigin& origin = lowered_.symbols[symbol];
    if (origin.role != program::SymbolRole::Before && origin.role != program::SymbolRole::Returning) return nullptr;
    const StatementId statement{origin.procedure, program_.procedures[origin.procedure].points[origin.point].statement};
    for (Piece& piece : pieces_)
      if (piece.statement == statement) return &piece;
    return nullptr;
  }

  // Where to go on inside: at the symbol itself, or at one that leaves for it.
  dpn::StackSymbol onward(dpn::StackSymbol symbol, std::optional<dpn::ControlState> only = {}) {
    if (piece_of_[symbol] == here_) return inside_[symbol];
    const auto [at, inserted] = here_->exits.try_emplace(symbol, here_->after);
    if (inserted)
      at->second = builder_.stack(
          fresh_name(builder_.symbols().stacks, lowered_.network.stack_symbols().name(symbol), "after the lock"));
    for (dpn::ControlState control : lowered_.network.control_states().keys()) {
      if (only && control != *only) continue;
      if (!here_->left.insert(dpn::Head{control, symbol}).second) continue;
      const dpn::ControlState way =
          builder_.control(fresh_name(builder_.symbols().controls, lowered_.network.control_states().name(control),
                                      lowered_.network.stack_symbols().name(symbol)));
      builder_.add({{control, at->second}, leave_, dpn::Return{way}});
      builder_.add({{way, here_->after}, leave_, dpn::Base{{control, symbol}}});
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
    const auto [at, inserted] = here_->returns.try_emplace(ret.to, ret.to);
    if (inserted) {
      at->second = builder_.control(
          fresh_name(builder_.symbols().controls, lowered_.network.control_states().name(ret.to), "returns"));
      builder_.add({{at->second, here_->after}, leave_, dpn::Return{ret.to}});
    }
    return dpn::Return{at->second};
  }

  const program::Program& program_;
  const program::Lowered& lowered_;
  dpn::Lock lock_;
  dpn::NetworkBuilder builder_;
  dpn::Action enter_;
  dpn::Action leave_;
  std::vector<Piece> pieces_;
  IdVector<dpn::StackSymbol, Piece*> piece_of_;
  Piece* here_ = nullptr;  // the one that is being guarded
  IdVector<dpn::StackSymbol, dpn::StackSymbol> inside_;
  std::set<dpn::Head> entered_;
};

}  // namespace

GuardedStatements guarded_statements(const program::Program& program, const program::Lowered& lowered,
                                     const std::vector<StatementId>& statements, dpn::Lock lock) {
  return Guarding{program, lowered, statements, lock}.run();
}

}  // namespace lockwood::findings
