#pragma once

#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_terms.hpp"
#include "frontend/program/interpreter/exploration.hpp"

namespace lockwood::findings {

// What a search with real values has found, as a finding with the run that leads there. A race has the id that the
// analysis of races gives it.
[[nodiscard]] Finding explored_finding(const SourceTerms& terms, const program::ExploredFinding& found);

}  // namespace lockwood::findings
