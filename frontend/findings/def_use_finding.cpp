#include "frontend/findings/def_use_finding.hpp"

#include <fmt/format.h>

namespace lockwood::findings {
namespace {

Finding about(const SourceTerms& terms, const DefUsePair& pair) {
  const program::Access& definition = access(terms.lowered(), pair.definition);
  const program::Access& use = access(terms.lowered(), pair.use);
  const auto logical = [&](const program::Access& here, const char* role) {
    return logical_place(terms.program().procedures[here.procedure].name, here.ordinal, role);
  };
  Finding finding;
  finding.rule = Rule::DefUse;
  finding.subject = program::shown_name(terms.program().variables[definition.variable]);
  finding.id = finding_id(Rule::DefUse, finding.subject, {logical(definition, "definition"), logical(use, "use")});
  finding.sites = {{.role = "definition", .at = terms.place(definition), .thread = {}, .holds = {}, .stack = {}},
                   {.role = "use", .at = terms.place(use), .thread = {}, .holds = {}, .stack = {}}};
  return finding;
}

std::string between(const Finding& finding) {
  return fmt::format("{} from {} to {}", finding.subject, short_position(finding.sites[0].at),
                     short_position(finding.sites[1].at));
}

}  // namespace

Finding def_use_finding(const SourceTerms& terms, const DefUsePair& pair) {
  Finding finding = about(terms, pair);
  finding.outcome = pair.feasible() ? Outcome::Found : Outcome::Excluded;
  finding.message = fmt::format("{}: {}", between(finding), verdict_text(Rule::DefUse, finding.outcome));
  if (pair.feasible()) {
    if (pair.with_locks.by_other)
      finding.message +=
          pair.with_locks.by_same && !pair.inter_thread ? ", within a thread and between threads" : ", between threads";
    if (!pair.with_locks.by_other) finding.message += ", within a thread";
  } else {
    finding.explanation.emplace_back(pair.kept_without_locks()
                                         ? "because of locks: without them it would be feasible"
                                         : "even without locks: the use is over before, or the value is overwritten");
  }
  return finding;
}

Finding undecided_def_use_finding(const SourceTerms& terms, const DefUsePair& pair, std::string reason) {
  Finding finding = about(terms, pair);
  finding.outcome = Outcome::Unknown;
  finding.message = between(finding) + ": unknown";
  finding.explanation.push_back(std::move(reason));
  return finding;
}

std::vector<std::string> def_use_explanation(const SourceTerms& terms, const DefinitionQuestion& question,
                                             const DefUsePair& pair, StopToken stop) {
  const auto by_anyone = [&](dpn::Semantics semantics) {
    return question.reaches_overwritten(pair.use, Reader::Other, semantics, stop) ||
           (!pair.inter_thread && question.reaches_overwritten(pair.use, Reader::Same, semantics, stop));
  };
  if (!pair.kept_without_locks())
    return {by_anyone(dpn::Semantics::LockInsensitive)
                ? "even without locks, another definition always comes in between"
                : "even without locks, nobody comes to the use after the definition"};
  std::vector<std::string> sentences;
  sentences.emplace_back(by_anyone(dpn::Semantics::LockSensitive)
                             ? "locks see to it that another definition always comes in between"
                             : "locks see to it that nobody comes to the use after the definition");
  for (Reader reader : {Reader::Other, Reader::Same}) {
    if (!pair.without_locks.by(reader) || (pair.inter_thread && reader == Reader::Same)) continue;
    const solver::Reason reason = question.reason(pair.use, reader, stop);
    if (const auto* apart = std::get_if<solver::Excluded>(&reason))
      sentences.push_back(
          fmt::format("{} suffices for that; for example: {}", terms.names(apart->locks), apart->example));
  }
  return sentences;
}

}  // namespace lockwood::findings
