#pragma once

#include <string_view>

#include "base/text/diagnostic.hpp"
#include "dpn/model/network.hpp"

namespace lockwood::dpn {

// Where each rule of a network is in the `.dpn` text that it was read from. The text is read again: networks keep
// no places, which few need and which would take as much memory as the rules of a large one.
// {0, 0} where it is not known, as in a model that was JSON.
[[nodiscard]] IdVector<RuleId, Position> rule_positions(const Network& network, std::string_view text);

}  // namespace lockwood::dpn
