#pragma once

#include <optional>

#include "frontend/findings/analyses/def_use.hpp"
#include "frontend/findings/findings.hpp"
#include "frontend/findings/narrative/source_terms.hpp"

namespace lockwood::findings {

struct DefUseOptions {
  std::optional<program::Variable> variable = {};  // only this one
  bool inter_thread = false;                       // only values that go from one thread to another
  bool explain = false;                            // more exactly why a pair is infeasible, by more queries
  bool schedules = true;                           // how a use is reached; else some pairs are replayed all the same
  Confirm confirm = {};
  Watch watch = {};
};

// Which definitions of shared variables reach which uses? One finding for each definition and use of a variable.
[[nodiscard]] Findings find_def_uses(const SourceTerms& program, const DefUseOptions& options = {});

}  // namespace lockwood::findings
