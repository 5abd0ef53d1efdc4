#pragma once

#include <string>
#include <vector>

#include "frontend/findings/analyses/def_use.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_terms.hpp"

namespace lockwood::findings {

// What became of one definition and one use.
struct DefUsePair {
  AccessId definition;
  AccessId use;
  ReachedUse with_locks;
  ReachedUse without_locks;
  bool inter_thread = false;  // only values that go from one thread to another are asked about
  [[nodiscard]] bool feasible() const { return with_locks.by_other || (!inter_thread && with_locks.by_same); }
  [[nodiscard]] bool kept_without_locks() const {
    return without_locks.by_other || (!inter_thread && without_locks.by_same);
  }
};

// The finding about a pair that was decided, without a schedule: the definition's and the use's place, who reads, or in
// a sentence why nobody does.
[[nodiscard]] Finding def_use_finding(const SourceTerms& terms, const DefUsePair& pair);

// Not decided, for this reason.
[[nodiscard]] Finding undecided_def_use_finding(const SourceTerms& terms, const DefUsePair& pair, std::string reason);

// The reason in more detail, by more questions: whether the value is always overwritten, and which locks suffice to
// keep it from its use. Throws Interrupted.
[[nodiscard]] std::vector<std::string> def_use_explanation(const SourceTerms& terms, const DefinitionQuestion& question,
                                                           const DefUsePair& pair, StopToken stop = {});

}  // namespace lockwood::findings
