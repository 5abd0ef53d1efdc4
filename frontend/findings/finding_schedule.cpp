#include "frontend/findings/finding_schedule.hpp"

#include "frontend/findings/exact_run.hpp"

namespace lockwood::findings {

void add_schedule(Finding& finding, const SourceTerms& terms, const dpn::Schedule& schedule) {
  finding.schedule = terms.steps(schedule);
  finding.threads = terms.threads(end_of(terms.lowered().network, schedule));
  finding.certainty =
      can_execute(terms.program(), terms.lowered(), schedule) ? Certainty::Executed : Certainty::Possible;
}

}  // namespace lockwood::findings
