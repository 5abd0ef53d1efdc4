#include "dpn/model/without_joins.hpp"

#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {

Network without_joins(const Network& network) {
  Symbols symbols = network.symbols();
  symbols.groups = {};
  NetworkBuilder builder{std::move(symbols)};
  builder.initial(network.initial());
  for (Rule rule : network.rules()) {
    if (const auto to = step_of(rule)) rule.effect = Base{*to};
    if (auto* spawn = std::get_if<Spawn>(&rule.effect)) spawn->memberships.clear();
    if (auto* call = std::get_if<Call>(&rule.effect)) call->opening.clear();
    if (auto* monitor = std::get_if<Monitor>(&rule.effect)) monitor->opening.clear();
    builder.add(std::move(rule));
  }
  return std::move(builder).build();
}

}  // namespace lockwood::dpn
