#include "frontend/findings/chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "dpn/network_builder.hpp"
#include "frontend/findings/def_use.hpp"
#include "frontend/findings/fresh_name.hpp"

namespace lockwood::findings {
namespace {

// How the read and the write of one transfer are told from all others.
struct TransferActions {
  dpn::Action reads;
  dpn::Action writes;
};

class ChainBuilder {
 public:
  ChainBuilder(const program::Program& program, const program::Lowered& lowered)
      : program_{program}, lowered_{lowered}, builder_{lowered.network.symbols()} {
    builder_.initial(lowered.network.initial());
    for (dpn::RuleId id : lowered.network.rules().keys()) add(lowered.network.rule(id), id);
  }

  TransferActions add(const Transfer& transfer, std::size_t number) {
    const program::Access& use = access(lowered_, transfer.use);
    const program::Access& definition = access(lowered_, transfer.definition);
    copies_.assign(lowered_.network.stacks().size(), std::nullopt);
    number_ = number;
    const auto action = [&](const char* what) {
      return builder_.action(fresh_name(builder_.symbols().actions, what, std::to_string(number)));
    };
    const TransferActions actions{.reads = action("transfer reads"), .writes = action("transfer writes")};

    std::vector<dpn::StackSymbol> worklist;
    const auto copy_of = [&](dpn::StackSymbol symbol) {
      if (!belongs(symbol, use)) return symbol;  // the statement was left without the write: by an exception
      if (!copies_[symbol.index()]) worklist.push_back(symbol);
      return copy(symbol);
    };
    for (dpn::StackSymbol symbol : use.before)
      for (dpn::RuleId id : lowered_.network.rules_at(symbol)) {
        dpn::Rule rule = lowered_.network.rule(id);
        if (rule.action != use.action) continue;
        redirect(rule, copy_of);
        rule.action = actions.reads;
        add(rule, id);
      }
    while (!worklist.empty()) {
      const dpn::StackSymbol symbol = worklist.back();
      worklist.pop_back();
      for (dpn::RuleId id : lowered_.network.rules_at(symbol)) {
        dpn::Rule rule = lowered_.network.rule(id);
        rule.from.top = copy(symbol);
        if (rule.action == definition.action) {
          rule.action = actions.writes;
        } else {
          redirect(rule, copy_of);
        }
        add(rule, id);
      }
    }
    return actions;
  }

  [[nodiscard]] Instrumented build() && { return {std::move(builder_).build(), std::move(original_)}; }

 private:
  void add(const dpn::Rule& rule, dpn::RuleId of) {
    builder_.add(rule);
    original_.push_back(of);
  }
  [[nodiscard]] bool belongs(dpn::StackSymbol symbol, const program::Access& use) const {
    const program::SymbolOrigin& origin = lowered_.symbols[symbol];
    return origin.procedure == use.procedure &&
           program_.procedures[origin.procedure].points[origin.point].statement == use.statement;
  }
  dpn::StackSymbol copy(dpn::StackSymbol symbol) {
    auto& known = copies_[symbol.index()];
    if (!known) {
      const std::string_view name = lowered_.network.stacks().name(symbol);
      known = builder_.stack(fresh_name(builder_.symbols().stacks, name, fmt::format("transfer {}", number_)));
      builder_.label(*known, std::string{lowered_.network.stacks().shown(symbol)});
    }
    return *known;
  }
  // Where the frame goes on.
  template <class Copy>
  static void redirect(dpn::Rule& rule, const Copy& copy_of) {
    struct {
      const Copy& copy_of;
      void operator()(dpn::Base& base) const { base.to.top = copy_of(base.to.top); }
      void operator()(dpn::Call& call) const { call.return_point = copy_of(call.return_point); }
      void operator()(dpn::Return&) const {}
      void operator()(dpn::Spawn& spawn) const { spawn.parent.top = copy_of(spawn.parent.top); }
      void operator()(dpn::Monitor& monitor) const { monitor.return_point = copy_of(monitor.return_point); }
    } on{copy_of};
    std::visit(on, rule.effect);
  }

  const program::Program& program_;
  const program::Lowered& lowered_;
  dpn::NetworkBuilder builder_;
  IdVector<dpn::RuleId, std::optional<dpn::RuleId>> original_;
  std::vector<std::optional<dpn::StackSymbol>> copies_;  // of the transfer at hand
  std::size_t number_ = 0;
};

std::vector<dpn::Action> joined(std::vector<dpn::Action> a, const std::vector<dpn::Action>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

ChainQuestion chain_question(const program::Program& program, const program::Lowered& lowered, const Chain& chain,
                             dpn::Semantics semantics) {
  ChainBuilder builder{program, lowered};
  std::vector<TransferActions> transfers;
  std::vector<dpn::Action> special;  // each of these only where it is asked for
  for (const Transfer& transfer : chain.transfers) {
    transfers.push_back(builder.add(transfer, transfers.size() + 1));
    special.insert(special.end(), {transfers.back().reads, transfers.back().writes});
  }
  Instrumented instrumented = std::move(builder).build();

  const auto only = [&](dpn::Action allowed) {
    solver::Phase phase{.fired = {{allowed}}};
    for (dpn::Action action : instrumented.network.actions().keys())
      if (action != allowed) phase.avoiding.push_back(action);
    return phase;
  };
  // The definitions of a variable, except on behalf of a transfer.
  const auto overwriting = [&](AccessId definition) {
    std::vector<dpn::Action> actions;
    for (AccessId other : definitions(lowered, access(lowered, definition).variable))
      actions.push_back(access(lowered, other).action);
    return actions;
  };
  std::vector<solver::Phase> phases{solver::Phase{.avoiding = special}, only(access(lowered, chain.source).action)};
  AccessId carrier = chain.source;
  for (std::size_t i = 0; i < chain.transfers.size(); ++i) {
    std::vector<dpn::Action> others = special;
    std::erase(others, transfers[i].reads);
    phases.push_back({.avoiding = joined(overwriting(carrier), others), .fired = {{transfers[i].reads}}});
    phases.push_back({.avoiding = special});
    phases.push_back(only(transfers[i].writes));
    carrier = chain.transfers[i].definition;
  }
  if (chain.sink) {
    solver::Phase last{.avoiding = joined(overwriting(carrier), special)};
    last.standing.push_back({.tops = access(lowered, *chain.sink).before, .holding = {}, .wanting = {}});
    phases.push_back(std::move(last));
  }
  return {.instrumented = std::move(instrumented),
          .problem = {.semantics = semantics, .phases = std::move(phases), .collect = {}}};
}

}  // namespace lockwood::findings
