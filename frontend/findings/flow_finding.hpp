#pragma once

#include <string>

#include "frontend/findings/analyses/flows.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_terms.hpp"

namespace lockwood::findings {

// The answer to the question whether something flows from one label to another.
[[nodiscard]] Finding flow_finding(const SourceTerms& terms, const program::LoweredLabel& from,
                                   const program::LoweredLabel& to, const FlowAnswer& answer);

// Two accesses in conflict, of which one reaches a sink, can be done in either order: who sees the sink learns about
// the order [Roscoe 1995, low-security observational determinism].
[[nodiscard]] Finding order_finding(const SourceTerms& terms, const Conflict& conflict);
// The same for two outputs.
[[nodiscard]] Finding order_finding(const SourceTerms& terms, const program::LoweredLabel& first,
                                    const program::LoweredLabel& second);

// "y = 42 (f.lw:8) → x = y (f.lw:15) → print(x) (f.lw:9)".
[[nodiscard]] std::string chain_text(const SourceTerms& terms, const Chain& chain);

}  // namespace lockwood::findings
