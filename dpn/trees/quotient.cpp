#include "dpn/trees/quotient.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {
namespace {

// The rule with every symbol and action replaced by its image.
class RuleImage {
 public:
  RuleImage(const IdVector<StackSymbol, StackSymbol>& symbols, const IdVector<Action, Action>& actions)
      : symbols_{symbols}, actions_{actions} {}

  [[nodiscard]] Rule operator()(Rule rule) const {
    replace(rule.from);
    rule.action = actions_[rule.action];
    std::visit([this](auto& effect) { replace(effect); }, rule.effect);
    return rule;
  }

 private:
  void replace(StackSymbol& symbol) const { symbol = symbols_[symbol]; }
  void replace(Head& head) const { replace(head.top); }
  void replace(Base& base) const { replace(base.to); }
  void replace(Call& call) const {
    replace(call.callee);
    replace(call.return_point);
  }
  void replace(Return&) const {}
  void replace(Spawn& spawn) const {
    replace(spawn.parent);
    replace(spawn.child);
  }
  void replace(Monitor& monitor) const {
    replace(monitor.callee);
    replace(monitor.return_point);
  }
  void replace(Join& join) const { replace(join.to); }
  void replace(Forget& forget) const { replace(forget.to); }

  const IdVector<StackSymbol, StackSymbol>& symbols_;
  const IdVector<Action, Action>& actions_;
};

// Of each class, the first symbol stands for all; the images are numbered in the order of these.
IdVector<StackSymbol, StackSymbol> symbol_images(const Bisimulation& bisimulation) {
  IdVector<StackSymbol, StackSymbol> images;
  IdVector<SymbolClass, std::optional<StackSymbol>> of_class(bisimulation.size());
  std::size_t next = 0;
  for (StackSymbol symbol : bisimulation.network().stack_symbols().keys()) {
    auto& image = of_class[bisimulation.class_of(symbol)];
    if (!image) image = StackSymbol{next++};
    images.push_back(*image);
  }
  return images;
}

// Those that are told apart, in their order, and then one for all others.
IdVector<Action, Action> action_images(const Bisimulation& bisimulation) {
  const auto actions = bisimulation.network().actions().keys();
  const auto told = static_cast<std::size_t>(
      std::ranges::count_if(actions, [&](Action action) { return bisimulation.tells_apart(action); }));
  IdVector<Action, Action> images;
  std::size_t next = 0;
  for (Action action : actions) images.push_back(Action{bisimulation.tells_apart(action) ? next++ : told});
  return images;
}

template <class Key>
void add_symbol(Vocabulary<Key>& vocabulary, const Vocabulary<Key>& original, Key key) {
  const Key image = vocabulary.intern(original.name(key));
  if (const auto label = original.label(key)) vocabulary.set_label(image, std::string{*label});
}

Network quotient_network(const Bisimulation& bisimulation, const IdVector<StackSymbol, StackSymbol>& symbols,
                         const IdVector<Action, Action>& actions, StopToken stop) {
  const Network& original = bisimulation.network();
  Symbols named{.controls = original.control_states(),
                .stacks = {},
                .actions = {},
                .locks = original.locks(),
                .groups = original.groups()};
  IdVector<StackSymbol, bool> stands_for_others(symbols.size(), false);
  for (StackSymbol symbol : symbols.keys()) {
    if (symbols[symbol].index() < named.stacks.size()) continue;
    stands_for_others[symbol] = true;
    add_symbol(named.stacks, original.stack_symbols(), symbol);
  }
  for (Action action : actions.keys())
    if (bisimulation.tells_apart(action)) add_symbol(named.actions, original.actions(), action);
  if (named.actions.size() < actions.size()) {
    std::string other = "other";
    while (named.actions.find(other)) other += '\'';
    named.actions.intern(other);
  }

  const RuleImage image{symbols, actions};
  NetworkBuilder builder{std::move(named)};
  builder.listen_to(stop);
  builder.initial({original.initial().control, symbols[original.initial().top]});
  for (const Rule& rule : original.rules())
    if (stands_for_others[rule.from.top]) builder.add(image(rule));
  return std::move(builder).build();
}

}  // namespace

Quotient::Quotient(const Bisimulation& bisimulation, StopToken stop)
    : original_{&bisimulation.network()},
      symbols_{symbol_images(bisimulation)},
      actions_{action_images(bisimulation)},
      network_{quotient_network(bisimulation, symbols_, actions_, stop)} {}

std::vector<StackSymbol> Quotient::images(std::span<const StackSymbol> originals) const {
  std::vector<StackSymbol> found;
  for (StackSymbol symbol : originals) found.push_back(image(symbol));
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Threads of both go on side by side, at symbols of one class: so for each rule of the one there is a rule of the
// other.
Schedule Quotient::lifted(const Schedule& schedule, Semantics semantics) const {
  const RuleImage image{symbols_, actions_};
  Schedule result{.moves = {}, .cuts = schedule.cuts};
  Configuration configuration = initial_configuration(*original_);
  for (const auto& [thread, lifting] : schedule.moves) {
    const auto rules = original_->rules_from(configuration.threads[thread].head());
    const auto rule =
        std::ranges::find_if(rules, [&](RuleId id) { return image(original_->rule(id)) == network_.rule(lifting); });
    if (rule == rules.end() || blocked(*original_, configuration, {thread, *rule}, semantics))
      throw std::logic_error{"a schedule of a quotient cannot be lifted"};
    result.moves.push_back({thread, *rule});
    apply(*original_, configuration, result.moves.back());
  }
  return result;
}

}  // namespace lockwood::dpn
