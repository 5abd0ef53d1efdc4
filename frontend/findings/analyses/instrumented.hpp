#pragma once

#include <optional>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "dpn/trees/schedule.hpp"

namespace lockwood::findings {

// A network that remembers more than the one it was made of, in additional control states or stack symbols. The symbols
// of the original keep their ids, and every execution is one of the original, if what it remembers is forgotten.
struct Instrumented {
  dpn::Network network;
  // Of each rule the one it was made of; none if its only purpose is to remember.
  IdVector<dpn::RuleId, std::optional<dpn::RuleId>> original;
};

// The schedule in the original network.
[[nodiscard]] dpn::Schedule original_schedule(const Instrumented& instrumented, const dpn::Schedule& schedule);

}  // namespace lockwood::findings
