#include "dpn/formats/symbol_order.hpp"

#include <optional>

#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {
namespace {

// New numbers for the symbols of a network, in another network under construction.
class Renumbering {
 public:
  Renumbering(const Network& network, StopToken stop)
      : network_{network},
        stop_{stop},
        controls_(network.control_states().size()),
        stacks_(network.stack_symbols().size()),
        actions_(network.actions().size()),
        locks_(network.locks().size()),
        groups_(network.groups().size()) {
    builder_.listen_to(stop);
    visit_symbols(network, [this](auto key) { (void)of(key); });
    label_all(network.control_states());
    label_all(network.stack_symbols());
    label_all(network.actions());
    label_all(network.locks());
    label_all(network.groups());
  }

  ControlState of(ControlState key) {
    return mapped(key, controls_, [&](auto name) { return builder_.control(name); });
  }
  StackSymbol of(StackSymbol key) {
    return mapped(key, stacks_, [&](auto name) { return builder_.stack(name); });
  }
  Action of(Action key) {
    return mapped(key, actions_, [&](auto name) { return builder_.action(name); });
  }
  Lock of(Lock key) {
    return mapped(key, locks_, [&](auto name) { return builder_.lock(name); });
  }
  Group of(Group key) {
    return mapped(key, groups_, [&](auto name) { return builder_.group(name); });
  }
  Membership of(const Membership& membership) { return {of(membership.group), membership.all, membership.replace}; }
  Head of(Head head) { return {of(head.control), of(head.top)}; }
  Base of(const Base& base) { return {of(base.to)}; }
  Call of(const Call& call) { return {of(call.callee), of(call.return_point), of(call.opening)}; }
  Return of(const Return& ret) { return {of(ret.to)}; }
  Spawn of(const Spawn& spawn) { return {of(spawn.parent), of(spawn.child), of(spawn.memberships)}; }
  Monitor of(const Monitor& monitor) {
    return {of(monitor.callee), of(monitor.return_point), of(monitor.lock), of(monitor.opening)};
  }
  Join of(const Join& join) { return {of(join.to), of(join.groups)}; }
  Forget of(const Forget& forget) { return {of(forget.to), of(forget.groups)}; }
  template <class Key>
  std::vector<Key> of(const std::vector<Key>& keys) {
    std::vector<Key> renumbered;
    for (const Key& key : keys) renumbered.push_back(of(key));
    return renumbered;
  }
  Query of(const Query& query) {
    Query renumbered = query;
    for (QueryStep& step : renumbered.steps) {
      for (auto& set : step.positions) set = of(set);
      step.avoiding = of(step.avoiding);
      step.requiring = of(step.requiring);
    }
    return renumbered;
  }

  Network build() {
    builder_.initial(of(network_.initial()));
    for (const Rule& rule : network_.rules())
      builder_.add({of(rule.from), of(rule.action),
                    std::visit([this](const auto& effect) { return Effect{of(effect)}; }, rule.effect)});
    return std::move(builder_).build();
  }

 private:
  [[nodiscard]] std::string_view name_of(ControlState key) const { return network_.control_states().name(key); }
  [[nodiscard]] std::string_view name_of(StackSymbol key) const { return network_.stack_symbols().name(key); }
  [[nodiscard]] std::string_view name_of(Action key) const { return network_.actions().name(key); }
  [[nodiscard]] std::string_view name_of(Lock key) const { return network_.locks().name(key); }
  [[nodiscard]] std::string_view name_of(Group key) const { return network_.groups().name(key); }

  template <class Key, class Intern>
  Key mapped(Key key, IdVector<Key, std::optional<Key>>& map, const Intern& intern) {
    stop_.check();
    if (!map[key]) map[key] = intern(name_of(key));
    return *map[key];
  }

  template <class Key>
  void label_all(const Vocabulary<Key>& vocabulary) {
    for (const Key key : vocabulary.keys()) {
      const Key renumbered = of(key);
      if (const auto label = vocabulary.label(key)) builder_.label(renumbered, std::string{*label});
    }
  }

  const Network& network_;
  StopToken stop_;
  NetworkBuilder builder_;
  IdVector<ControlState, std::optional<ControlState>> controls_;
  IdVector<StackSymbol, std::optional<StackSymbol>> stacks_;
  IdVector<Action, std::optional<Action>> actions_;
  IdVector<Lock, std::optional<Lock>> locks_;
  IdVector<Group, std::optional<Group>> groups_;
};

}  // namespace

ModelFile in_order_of_appearance(const ModelFile& model, StopToken stop) {
  Renumbering renumbering{model.network, stop};
  std::vector<Query> queries;
  for (const Query& query : model.queries) queries.push_back(renumbering.of(query));
  return ModelFile{renumbering.build(), std::move(queries), model.warnings};
}

}  // namespace lockwood::dpn
