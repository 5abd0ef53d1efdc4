#include "frontend/findings/analyses/chain.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "dpn/model/network_builder.hpp"
#include "frontend/findings/analyses/def_use.hpp"
#include "frontend/findings/analyses/fresh_name.hpp"

namespace lockwood::findings {
namespace {

// How the first and the last step of a value through locals are told from all others.
struct PassageActions {
  dpn::Action begins;
  dpn::Action ends;
};

class ChainBuilder {
 public:
  explicit ChainBuilder(const ValuePaths& paths)
      : paths_{paths},
        builder_{paths.lowered().network.symbols()},
        moves_{builder_.action(fresh_name(builder_.symbols().actions, "value moves", ""))} {
    for (dpn::RuleId id : network().rules().keys()) add(network().rule(id), id, false);
  }

  // From the makers to the definition.
  PassageActions add_passage(const std::vector<dpn::StackSymbol>& makers, AccessId definition) {
    const program::Access& written = access(paths_.lowered(), definition);
    const PassageActions actions = begin_passage();
    for (const CarryingFrame& end : add_ways(makers, written.before, actions))
      for (dpn::RuleId id : network().rules_at(end.symbol)) {
        dpn::Rule rule = network().rule(id);
        rule.from.top = copy(rule.from.top, end.spot);
        rule.action = actions.ends;
        add(rule, id, true);
      }
    return actions;
  }
  // From the makers to one of the places.
  PassageActions add_passage(const std::vector<dpn::StackSymbol>& makers, const std::vector<dpn::StackSymbol>& places) {
    const PassageActions actions = begin_passage();
    for (const CarryingFrame& end : add_ways(makers, places, actions))
      for (dpn::RuleId id : network().rules_at(end.symbol)) {
        const dpn::Head head = network().rule(id).from;
        add({{head.control, copy(head.top, end.spot)}, actions.ends, dpn::Base{head}}, std::nullopt, false);
      }
    return actions;
  }

  [[nodiscard]] const IdVector<dpn::RuleId, bool>& moving_rules() const { return moving_; }
  [[nodiscard]] Instrumented build() && {
    builder_.initial(network().initial());
    return {std::move(builder_).build(), std::move(original_)};
  }

 private:
  [[nodiscard]] const dpn::Network& network() const { return paths_.lowered().network; }

  PassageActions begin_passage() {
    ++number_;
    symbols_.clear();
    controls_.clear();
    const auto action = [&](const char* what) {
      return builder_.action(fresh_name(builder_.symbols().actions, what, std::to_string(number_)));
    };
    return {.begins = action("transfer reads"), .ends = action("transfer writes")};
  }

  std::vector<CarryingFrame> add_ways(const std::vector<dpn::StackSymbol>& makers,
                                      const std::vector<dpn::StackSymbol>& users, const PassageActions& actions) {
    ValueWays ways = paths_.ways(makers, users);
    for (const CarryingRule& carrying : ways.rules) {
      dpn::Rule rule = carrying.rule;
      rule.from = {copy(rule.from.control, carrying.control), copy(rule.from.top, carrying.top)};
      if (carrying.begins) rule.action = actions.begins;
      if (!carrying.of) rule.action = moves_;
      rule.effect = std::visit([&](const auto& effect) { return carried(effect, carrying); }, rule.effect);
      add(rule, carrying.of, gets_elsewhere(carrying));
    }
    return ways.ends;
  }
  [[nodiscard]] static bool gets_elsewhere(const CarryingRule& carrying) {
    if (carrying.begins || (carrying.entered && carrying.entered != carrying.top)) return true;
    const auto& before = carrying.control ? carrying.control : carrying.top;
    return carrying.next && carrying.next != before && carrying.next->kind != Spot::Kind::Awaited;
  }
  dpn::Effect carried(dpn::Base base, const CarryingRule& carrying) {
    // A thread that has just returned has the value no longer in its control state.
    return dpn::Base{{base.to.control, copy(base.to.top, carrying.next)}};
  }
  dpn::Effect carried(dpn::Join join, const CarryingRule& carrying) {
    join.to.top = copy(join.to.top, carrying.next);
    return join;
  }
  dpn::Effect carried(dpn::Forget forget, const CarryingRule& carrying) {
    forget.to.top = copy(forget.to.top, carrying.next);
    return forget;
  }
  dpn::Effect carried(dpn::Return ret, const CarryingRule& carrying) {
    return dpn::Return{copy(ret.to, carrying.next)};
  }
  dpn::Effect carried(dpn::Spawn spawn, const CarryingRule& carrying) {
    spawn.parent.top = copy(spawn.parent.top, carrying.next);
    spawn.child.top = copy(spawn.child.top, carrying.entered);
    return spawn;
  }
  template <class Entry>
  dpn::Effect carried(Entry entry, const CarryingRule& carrying) {
    entry.return_point = copy(entry.return_point, carrying.next);
    entry.callee.top = copy(entry.callee.top, carrying.entered);
    return entry;
  }

  // The symbol as it is with the value in the spot. For people, it looks like what it is a copy of.
  dpn::StackSymbol copy(dpn::StackSymbol symbol, const std::optional<Spot>& spot) {
    if (!spot) return symbol;
    const auto [at, is_new] = symbols_.try_emplace({symbol, *spot}, symbol);
    if (!is_new) return at->second;
    at->second =
        builder_.stack(fresh_name(builder_.symbols().stacks, network().stack_symbols().name(symbol), name(*spot)));
    builder_.label(at->second, std::string{network().stack_symbols().shown(symbol)});
    return at->second;
  }
  dpn::ControlState copy(dpn::ControlState control, const std::optional<Spot>& spot) {
    if (!spot) return control;
    const auto [at, is_new] = controls_.try_emplace({control, *spot}, control);
    if (!is_new) return at->second;
    at->second = builder_.control(
        fresh_name(builder_.symbols().controls, network().control_states().name(control), name(*spot)));
    builder_.label(at->second, std::string{network().control_states().shown(control)});
    return at->second;
  }
  [[nodiscard]] std::string name(const Spot& spot) const {
    return fmt::format("transfer {} {} {}", number_, static_cast<int>(spot.kind), spot.local.index());
  }

  // Once: rules are a set.
  void add(const dpn::Rule& rule, std::optional<dpn::RuleId> of, bool moves) {
    if (!added_.insert(rule).second) return;
    builder_.add(rule);
    original_.push_back(of);
    moving_.push_back(moves);
  }

  const ValuePaths& paths_;
  dpn::NetworkBuilder builder_;
  dpn::Action moves_;  // nothing happens but that a value gets into its spot
  IdVector<dpn::RuleId, std::optional<dpn::RuleId>> original_;
  IdVector<dpn::RuleId, bool> moving_;
  std::set<dpn::Rule> added_;
  // Of the passage at hand.
  std::size_t number_ = 0;
  std::map<std::pair<dpn::StackSymbol, Spot>, dpn::StackSymbol> symbols_;
  std::map<std::pair<dpn::ControlState, Spot>, dpn::ControlState> controls_;
};

// A phase that is this one step.
solver::Phase only(const dpn::Network& network, dpn::Action allowed) {
  solver::Phase phase{.fired = {{allowed}}};
  for (dpn::Action action : network.actions().keys())
    if (action != allowed) phase.avoiding.push_back(action);
  return phase;
}

std::vector<dpn::Action> joined(std::vector<dpn::Action> a, const std::vector<dpn::Action>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

ChainQuestion chain_question(const ValuePaths& paths, const Chain& chain, dpn::Semantics semantics) {
  const program::Lowered& lowered = paths.lowered();
  ChainBuilder builder{paths};
  const auto before = [&](AccessId id) -> const std::vector<dpn::StackSymbol>& { return access(lowered, id).before; };
  std::optional<PassageActions> from_places;
  if (!chain.source.places.empty()) from_places = builder.add_passage(chain.source.places, chain.source.definition);
  std::vector<PassageActions> passages;
  for (const Transfer& transfer : chain.transfers)
    passages.push_back(builder.add_passage(before(transfer.use), transfer.definition));
  const bool carried_to_sink = chain.sink && !chain.sink->places.empty();
  if (carried_to_sink) passages.push_back(builder.add_passage(before(chain.sink->use), chain.sink->places));
  const IdVector<dpn::RuleId, bool> moves = builder.moving_rules();
  const Instrumented instrumented = std::move(builder).build();

  std::vector<dpn::Action> special;  // each of these only where it is asked for
  if (from_places) special.insert(special.end(), {from_places->begins, from_places->ends});
  for (const PassageActions& passage : passages) special.insert(special.end(), {passage.begins, passage.ends});
  const auto only_this = [&](dpn::Action allowed) { return only(instrumented.network, allowed); };
  // The definitions of a variable that overwrite others, except on behalf of a transfer.
  const auto overwriting = [&](AccessId definition) {
    std::vector<dpn::Action> actions;
    if (!access(lowered, definition).one_place) return actions;
    for (AccessId other : definitions(lowered, access(lowered, definition).variable))
      actions.push_back(access(lowered, other).action);
    return actions;
  };
  std::vector<solver::Phase> phases{solver::Phase{.avoiding = special}};
  if (from_places) {
    phases.push_back(only_this(from_places->begins));
    phases.push_back({.avoiding = special});
  }
  phases.push_back(only_this(from_places ? from_places->ends : access(lowered, chain.source.definition).action));
  AccessId carrier = chain.source.definition;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    std::vector<dpn::Action> others = special;
    std::erase(others, passages[i].begins);
    phases.push_back({.avoiding = joined(overwriting(carrier), others), .fired = {{passages[i].begins}}});
    phases.push_back({.avoiding = special});
    phases.push_back(only_this(passages[i].ends));
    if (i < chain.transfers.size()) carrier = chain.transfers[i].definition;
  }
  if (chain.sink && !carried_to_sink) {
    solver::Phase last{.avoiding = joined(overwriting(carrier), special)};
    last.standing.push_back({.tops = before(chain.sink->use), .holding = {}, .wanting = {}});
    phases.push_back(std::move(last));
  }
  return {.instrumented = instrumented,
          .problem = {.semantics = semantics, .phases = std::move(phases), .collect = {}},
          .moves = moves};
}

ChainQuestion passage_question(const ValuePaths& paths, const std::vector<dpn::StackSymbol>& makers,
                               const std::vector<dpn::StackSymbol>& users, dpn::Semantics semantics) {
  ChainBuilder builder{paths};
  const PassageActions passage = builder.add_passage(makers, users);
  const IdVector<dpn::RuleId, bool> moves = builder.moving_rules();
  const Instrumented instrumented = std::move(builder).build();
  const std::vector<dpn::Action> special{passage.begins, passage.ends};
  std::vector<solver::Phase> phases{solver::Phase{.avoiding = special}, only(instrumented.network, passage.begins),
                                    solver::Phase{.avoiding = special}, only(instrumented.network, passage.ends)};
  return {.instrumented = instrumented,
          .problem = {.semantics = semantics, .phases = std::move(phases), .collect = {}},
          .moves = moves};
}

}  // namespace lockwood::findings
