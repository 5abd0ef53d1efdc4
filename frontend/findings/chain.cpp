#include "frontend/findings/chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "dpn/network_builder.hpp"
#include "frontend/findings/def_use.hpp"
#include "frontend/findings/fresh_name.hpp"
#include "frontend/findings/marked_thread.hpp"

namespace lockwood::findings {
namespace {

// How the read and the write of one transfer are told from all others.
struct TransferActions {
  dpn::Action reads;
  dpn::Action writes;  // or arrives
};

class ChainBuilder {
 public:
  ChainBuilder(const program::Program& program, const program::Lowered& lowered, const program::ValueFlow& flow)
      : program_{program}, lowered_{lowered}, flow_{flow}, builder_{lowered.network.symbols()} {
    for (dpn::RuleId id : lowered.network.rules().keys()) add(lowered.network.rule(id), id);
  }

  TransferActions add_by_frame(const Transfer& transfer, std::size_t number) {
    const program::Access& use = access(lowered_, transfer.use);
    const program::Access& definition = access(lowered_, transfer.definition);
    copies_.assign(lowered_.network.stacks().size(), std::nullopt);
    number_ = number;
    const TransferActions actions = actions_of(number);

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

  TransferActions add_by_thread(const Transfer& transfer, std::size_t number) {
    const TransferActions actions = actions_of(number);
    const program::Access& definition = access(lowered_, transfer.definition);
    carried_.push_back({transfer.use, actions});
    for (dpn::StackSymbol symbol : definition.before)
      for (dpn::RuleId id : lowered_.network.rules_at(symbol)) {
        dpn::Rule rule = lowered_.network.rule(id);
        if (rule.action != definition.action) continue;
        rule.action = actions.writes;
        unmarking_.emplace_back(rule, id);
      }
    return actions;
  }
  TransferActions add_by_thread(const Sink& sink, std::size_t number) {
    const TransferActions actions = actions_of(number);
    carried_.push_back({sink.use, actions});
    for (dpn::StackSymbol place : sink.places) {
      std::optional<dpn::ControlState> previous;  // rules at a place are grouped by control state
      for (dpn::RuleId id : lowered_.network.rules_at(place)) {
        const dpn::Head head = lowered_.network.rule(id).from;
        if (previous == head.control) continue;
        previous = head.control;
        unmarking_.emplace_back(dpn::Rule{head, actions.writes, dpn::Base{head}}, std::nullopt);
      }
    }
    return actions;
  }

  [[nodiscard]] Instrumented build() && {
    if (!carried_.empty()) mark_threads();
    builder_.initial(lowered_.network.initial());
    IdVector<dpn::RuleId, std::optional<dpn::RuleId>> original;
    for (const auto& [rule, of] : rules_) {
      builder_.add(rule);
      original.push_back(of);
    }
    return {std::move(builder_).build(), std::move(original)};
  }

 private:
  using MadeRule = std::pair<dpn::Rule, std::optional<dpn::RuleId>>;  // and what it was made of

  // A thread that has read a value of interest, and whatever it gives it to, has marked control states; it may do all
  // that others do, until it writes.
  void mark_threads() {
    const ThreadMarks marks{builder_, lowered_.network};
    std::vector<MadeRule> marked;
    for (const auto& [rule, of] : rules_) {
      dpn::Rule copy = marks.marked(rule);
      if (auto* spawn = std::get_if<dpn::Spawn>(&copy.effect); spawn != nullptr && of && gives_value(*of))
        spawn->child.control = marks.copy(spawn->child.control);
      marked.emplace_back(copy, of);
    }
    for (const auto& [use, actions] : carried_)
      for (dpn::StackSymbol symbol : access(lowered_, use).before)
        for (dpn::RuleId id : lowered_.network.rules_at(symbol)) {
          const dpn::Rule& rule = lowered_.network.rule(id);
          if (rule.action != access(lowered_, use).action) continue;
          dpn::Rule reads = marks.marked(rule);
          reads.action = actions.reads;
          marked.emplace_back(reads, id);
          reads.from = rule.from;
          marked.emplace_back(reads, id);
        }
    for (const auto& [rule, of] : unmarking_) {
      dpn::Rule writes = rule;
      writes.from = marks.marked(rule).from;
      marked.emplace_back(writes, of);
    }
    rules_.insert(rules_.end(), marked.begin(), marked.end());
  }
  // Whether the rule starts a thread with something that is made of a value of interest.
  [[nodiscard]] bool gives_value(dpn::RuleId rule) const {
    const program::RuleOrigin& origin = lowered_.rules[rule];
    return std::ranges::any_of(carried_, [&](const CarriedUse& carried) {
      return reached_by(program_, lowered_, flow_, carried.use).used_at(origin.procedure, origin.point);
    });
  }

  [[nodiscard]] TransferActions actions_of(std::size_t number) {
    const auto action = [&](const char* what) {
      return builder_.action(fresh_name(builder_.symbols().actions, what, std::to_string(number)));
    };
    return {.reads = action("transfer reads"), .writes = action("transfer writes")};
  }
  void add(const dpn::Rule& rule, dpn::RuleId of) { rules_.emplace_back(rule, of); }
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
  const program::ValueFlow& flow_;
  dpn::NetworkBuilder builder_;
  std::vector<MadeRule> rules_;
  struct CarriedUse {
    AccessId use;
    TransferActions actions;
  };
  std::vector<CarriedUse> carried_;                      // what threads read and carry
  std::vector<MadeRule> unmarking_;                      // what a marked thread does with it
  std::vector<std::optional<dpn::StackSymbol>> copies_;  // of the transfer at hand
  std::size_t number_ = 0;
};

std::vector<dpn::Action> joined(std::vector<dpn::Action> a, const std::vector<dpn::Action>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

program::ValueFlow::Reached reached_by(const program::Program& program, const program::Lowered& lowered,
                                       const program::ValueFlow& flow, AccessId use) {
  const program::Access& here = access(lowered, use);
  const auto& read = std::get<program::Read>(program.procedures[here.procedure].points[here.point].instruction);
  return flow.reached({{here.procedure, read.target, here.statement}});
}

ChainQuestion chain_question(const program::Program& program, const program::Lowered& lowered,
                             const program::ValueFlow& flow, const Chain& chain, dpn::Semantics semantics) {
  ChainBuilder builder{program, lowered, flow};
  std::vector<TransferActions> transfers;
  std::vector<dpn::Action> special;  // each of these only where it is asked for
  const auto add = [&](const TransferActions& actions) {
    transfers.push_back(actions);
    special.insert(special.end(), {actions.reads, actions.writes});
  };
  for (const Transfer& transfer : chain.transfers)
    add(transfer.carrier == Carrier::Frame ? builder.add_by_frame(transfer, transfers.size() + 1)
                                           : builder.add_by_thread(transfer, transfers.size() + 1));
  const bool carried_to_sink = chain.sink && !chain.sink->places.empty();
  if (carried_to_sink) add(builder.add_by_thread(*chain.sink, transfers.size() + 1));
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
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    std::vector<dpn::Action> others = special;
    std::erase(others, transfers[i].reads);
    phases.push_back({.avoiding = joined(overwriting(carrier), others), .fired = {{transfers[i].reads}}});
    phases.push_back({.avoiding = special});
    phases.push_back(only(transfers[i].writes));
    if (i < chain.transfers.size()) carrier = chain.transfers[i].definition;
  }
  if (chain.sink && !carried_to_sink) {
    solver::Phase last{.avoiding = joined(overwriting(carrier), special)};
    last.standing.push_back({.tops = access(lowered, chain.sink->use).before, .holding = {}, .wanting = {}});
    phases.push_back(std::move(last));
  }
  return {.instrumented = std::move(instrumented),
          .problem = {.semantics = semantics, .phases = std::move(phases), .collect = {}}};
}

}  // namespace lockwood::findings
