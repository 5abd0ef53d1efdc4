#include "frontend/findings/guard_advice.hpp"

#include <fmt/format.h>

namespace lockwood::findings {
namespace {

// As far as there is time for it.
std::vector<VariableAdvice> additions(LockAdvice& advice, const Watch& watch) {
  std::vector<VariableAdvice> found = advice.racing_variables();
  for (std::size_t i = 0; i < found.size(); ++i) {
    watch.report_progress("advice for variable", i + 1, found.size());
    try {
      found[i].addition = advice.addition(found[i]);
    } catch (const Interrupted&) {
      found.erase(found.begin() + static_cast<std::ptrdiff_t>(i), found.end());
    }
  }
  return found;
}

// Throws Interrupted.
void look_for_guards(const SourceTerms& terms, const ConflictVerdicts& verdicts, const GuardOptions& options,
                     GuardAdvice& result) {
  const StopToken stop = options.watch.stop;
  stop.check();  // what is not known to race may be undecided
  result.variables = variable_guards(terms.program(), terms.lowered(), verdicts, stop);
  Confirmation& confirmation = result.summary.confirmation;
  if (options.confirm_claims) confirmation += options.confirm_claims([&] { return claims(terms.lowered(), verdicts); });
  if (!options.advice) return;
  // Asks once more about a changed program, and has the proof of the answer checked.
  const auto confirm = [&](const dpn::Network& network, const solver::Problem& problem, dpn::Verdict verdict) {
    if (options.confirm) confirmation += options.confirm(network, problem, "advice", verdict);
  };
  LockAdvice advice{terms.program(), terms.lowered(), verdicts, stop, confirm};
  const std::vector<dpn::Lock> idle = advice.idle_locks(
      [&](std::size_t number, std::size_t total) { options.watch.report_progress("idle lock", number, total); });
  result.additions = additions(advice, options.watch);
  result.idle = idle;
  result.unseen = ignored_locks(terms.lowered());
  if (!result.unseen.empty())
    result.summary.notes.push_back(
        fmt::format("advice does not see deadlocks with {}, which the model ignores where it is waited for",
                    terms.names(result.unseen)));
}

}  // namespace

GuardAdvice guard_advice(const SourceTerms& program, const GuardOptions& options) {
  options.watch.report_progress("races");
  const ConflictVerdicts verdicts = decide_all(program.lowered(), options.watch.stop);
  GuardAdvice result;
  try {
    look_for_guards(program, verdicts, options, result);
  } catch (const Interrupted&) {  // what is known by then is told
  }
  Findings& summary = result.summary;
  summary.complete = !options.watch.stop.stop_requested() && summary.confirmation.complete();
  const std::size_t undecided = verdicts.undecided.size() + verdicts.unlisted;
  summary.counts = {{"races", verdicts.racing.size()},
                    {"pairs_of_accesses", verdicts.racing.size() + verdicts.apart.size() + undecided},
                    {"apart", verdicts.apart.size()},
                    {"undecided", undecided}};
  return result;
}

}  // namespace lockwood::findings
