#include "frontend/cli/answering/settled_answer.hpp"

#include <utility>

#include "frontend/findings/narrative/finding_schedule.hpp"

namespace lockwood::frontend {

void settle(QueryAnswer& answer, const dpn::Query& query, const ModelInput& model,
            const findings::SettlingBudget& budget, StopToken stop) {
  if (!model.program || !answer.schedule || answer.verdict != dpn::Verdict::Reachable) return;
  if (query.steps.size() != 1 || answer.semantics != dpn::Semantics::LockSensitive) return;
  const dpn::QueryStep& step = query.steps.front();
  if (!step.avoiding.empty() || !step.requiring.empty()) return;
  const IdVector<program::SourceFile, std::string> texts{model.program->source.text};
  const findings::SourceTerms terms{model.program->source.program, model.program->lowered, texts};
  findings::Finding finding;
  finding.rule = findings::Rule::Query;
  try {
    findings::add_schedule(finding, terms, answer.schedule->schedule, stop);
    findings::Settling{terms, budget, stop}.settle_query(finding, step.positions);
  } catch (const Interrupted&) {  // then nobody knows
    return;
  }
  answer.certainty = finding.certainty;
  answer.settled = finding.settled;
  for (std::string& sentence : finding.explanation) answer.explanation.push_back(std::move(sentence));
  if (finding.obstacle) answer.explanation.push_back(*std::move(finding.obstacle));
  if (!finding.settled) return;
  if (finding.settled->verdict == findings::Settled::Verdict::Executed) answer.run = std::move(finding.schedule);
  if (finding.settled->verdict != findings::Settled::Verdict::Excluded) return;
  answer.verdict = dpn::Verdict::Unreachable;
  answer.schedule.reset();
}

}  // namespace lockwood::frontend
