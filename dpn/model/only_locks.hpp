#pragma once

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"

namespace lockwood::dpn {

// The network in which only the kept locks exclude: monitors on the others are ordinary calls. All ids stay the same.
// It has all executions of the network, and more. Where a call equal to such a monitor was there already, one is left
// out, so rules may be numbered differently.
[[nodiscard]] Network with_only_locks(const Network& network, const IdVector<Lock, bool>& kept);

// The network without any lock, not even by name. Its executions are those that ignore the locks; joins wait as before.
[[nodiscard]] Network without_locks(const Network& network);

}  // namespace lockwood::dpn
