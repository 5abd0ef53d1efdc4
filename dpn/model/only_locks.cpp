#include "dpn/model/only_locks.hpp"

#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {

namespace {

// The rest of the network besides its symbols, with monitors on other than the kept locks as calls.
Network with_monitors(const Network& network, NetworkBuilder builder, const IdVector<Lock, bool>& kept) {
  builder.initial(network.initial());
  for (Rule rule : network.rules()) {
    const auto* monitor = std::get_if<Monitor>(&rule.effect);
    if (monitor != nullptr && !kept[monitor->lock])
      rule.effect = Call{monitor->callee, monitor->return_point, monitor->opening};
    builder.add(std::move(rule));
  }
  return std::move(builder).build();
}

}  // namespace

Network with_only_locks(const Network& network, const IdVector<Lock, bool>& kept) {
  return with_monitors(network, NetworkBuilder{network.symbols()}, kept);
}

Network without_locks(const Network& network) {
  Symbols symbols = network.symbols();
  symbols.locks = {};
  return with_monitors(network, NetworkBuilder{std::move(symbols)}, IdVector<Lock, bool>(network.locks().size()));
}

}  // namespace lockwood::dpn
