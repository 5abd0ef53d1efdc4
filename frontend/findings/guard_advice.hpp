#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "frontend/findings/analyses/guards.hpp"
#include "frontend/findings/findings.hpp"
#include "frontend/findings/narrative/source_terms.hpp"

namespace lockwood::findings {

struct GuardOptions {
  bool advice = true;  // look for idle locks and for locks to add, which takes more runs
  // Proves claims about the model, one by one.
  std::function<Confirmation(const std::function<std::vector<dpn::Query>()>& claims)> confirm_claims = {};
  Confirm confirm = {};  // of what advice is founded on
  Watch watch = {};
};

struct GuardAdvice {
  std::optional<std::vector<VariableGuards>> variables;  // none if there was no time for it
  std::optional<std::vector<VariableAdvice>> additions;  // likewise, or nobody asked; not all if stopped
  std::optional<std::vector<dpn::Lock>> idle;            // likewise: the locks without which nothing changes
  // Locks that the model ignores where they are waited for: deadlocks with them are not seen.
  std::vector<dpn::Lock> unseen;
  Findings summary;  // counts, notes, what was proved; no findings
};

// Which locks protect which shared variables of the program, and which would help?
[[nodiscard]] GuardAdvice guard_advice(const SourceTerms& program, const GuardOptions& options = {});

}  // namespace lockwood::findings
