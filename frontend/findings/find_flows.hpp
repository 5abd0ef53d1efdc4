#pragma once

#include <cstddef>

#include "frontend/findings/analyses/flows.hpp"
#include "frontend/findings/findings.hpp"
#include "frontend/findings/narrative/source_terms.hpp"
#include "frontend/findings/settling.hpp"

namespace lockwood::findings {

// From where to where a value may get.
struct FlowEnds {
  const program::LoweredLabel& from;  // of a statement that makes values
  const program::LoweredLabel& to;    // of a statement that uses values
};

struct FlowSearchOptions {
  std::size_t max_transfers = FlowOptions{}.max_transfers;
  std::size_t max_chains = FlowOptions{}.max_chains;
  SettlingBudget settling = {};
  Confirm confirm = {};
  Watch watch = {};
};

// Can a value get from one statement of the program to another? One finding. Throws InputError, with the place in the
// text, if the statements are not of a kind that makes or uses values.
[[nodiscard]] Findings find_flows(const SourceTerms& program, const FlowEnds& ends,
                                  const FlowSearchOptions& options = {});

}  // namespace lockwood::findings
