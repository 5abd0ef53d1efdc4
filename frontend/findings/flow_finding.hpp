#pragma once

#include <string>

#include "frontend/findings/analyses/flows.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_terms.hpp"

namespace lockwood::findings {

// The answer to the question whether something flows from one label to another.
[[nodiscard]] Finding flow_finding(const SourceTerms& terms, const program::LoweredLabel& from,
                                   const program::LoweredLabel& to, const FlowAnswer& answer);

// "y = 42 (f.lw:8) → x = y (f.lw:15) → print(x) (f.lw:9)".
[[nodiscard]] std::string chain_text(const SourceTerms& terms, const Chain& chain);

}  // namespace lockwood::findings
