#pragma once

#include <string>
#include <vector>

#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_terms.hpp"
#include "frontend/program/interpreter/exploration.hpp"

// A run with real values, told in terms of the source.
namespace lockwood::findings {

[[nodiscard]] std::vector<SourceStep> narrated_steps(const SourceTerms& terms, const program::NarratedRun& run);

// All threads of the run, where they are at its end.
[[nodiscard]] std::vector<ThreadAtEnd> narrated_threads(const SourceTerms& terms, const program::NarratedRun& run);

// Where one of them is.
[[nodiscard]] ThreadAtEnd narrated_thread(const SourceTerms& terms, const program::RunEnd& end);

}  // namespace lockwood::findings
