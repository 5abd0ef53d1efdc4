#include "dpn/only_locks.hpp"

#include "dpn/network_builder.hpp"

namespace lockwood::dpn {

Network with_only_locks(const Network& network, const IdVector<Lock, bool>& kept) {
  NetworkBuilder builder{network.symbols()};
  builder.initial(network.initial());
  for (Rule rule : network.rules()) {
    const auto* monitor = std::get_if<Monitor>(&rule.effect);
    if (monitor != nullptr && !kept[monitor->lock]) rule.effect = Call{monitor->callee, monitor->return_point};
    builder.add(rule);
  }
  return std::move(builder).build();
}

}  // namespace lockwood::dpn
