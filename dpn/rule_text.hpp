#pragma once

#include <string>

#include "dpn/network.hpp"

namespace lockwood::dpn {

// `(p, g)` with the names that the model shows; `(g)` if the network has only one control state.
[[nodiscard]] std::string head_text(const Network& network, Head head);

// The rule as in a model's text, such as `(p, g) -- a - x --> (p, h, r)`, with the names that the model shows.
[[nodiscard]] std::string rule_text(const Network& network, RuleId rule);

}  // namespace lockwood::dpn
