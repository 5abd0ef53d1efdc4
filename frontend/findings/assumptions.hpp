#pragma once

#include <span>

#include "frontend/findings/finding.hpp"

namespace lockwood::findings {

// Gives the finding those of the program's assumptions that it rests on: what was found, those that are met in a line
// of its schedule or of its stacks; what is excluded, all gaps.
void add_assumptions(Finding& finding, std::span<const Assumption> assumptions);

}  // namespace lockwood::findings
