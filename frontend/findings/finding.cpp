#include "frontend/findings/finding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/sha256.hpp"

namespace lockwood::findings {

const char* to_string(Certainty certainty) {
  switch (certainty) {
    case Certainty::Executed: return "executed";
    case Certainty::Exact: return "exact";
    case Certainty::Possible: return "possible";
  }
  return "";
}

const char* to_string(Settled::Verdict verdict) {
  switch (verdict) {
    case Settled::Verdict::Executed: return "executed";
    case Settled::Verdict::Excluded: return "excluded";
    case Settled::Verdict::Possible: return "possible";
  }
  return "";
}

const char* to_string(Rule rule) {
  switch (rule) {
    case Rule::Race: return "race";
    case Rule::Deadlock: return "deadlock";
    case Rule::DefUse: return "defuse";
    case Rule::Flow: return "flow";
    case Rule::Query: return "query";
    case Rule::Assertion: return "assertion";
    case Rule::Exception: return "exception";
    case Rule::Waiting: return "waiting";
  }
  return "";
}

const char* verdict_text(Rule rule, Outcome outcome) {
  if (outcome == Outcome::Unknown) return "unknown";
  const bool found = outcome == Outcome::Found;
  switch (rule) {
    case Rule::Race: return found ? "race" : "no race";
    case Rule::Deadlock: return found ? "deadlock" : "no deadlock";
    case Rule::DefUse: return found ? "feasible" : "infeasible";
    case Rule::Flow: return found ? "flow" : "no flow";
    case Rule::Query: return found ? "reachable" : "unreachable";
    case Rule::Assertion: return found ? "assertion fails" : "assertion holds";
    case Rule::Exception: return found ? "exception" : "no exception";
    case Rule::Waiting: return found ? "waits for ever" : "goes on";
  }
  return "";
}

const char* to_string(StepKind kind) {
  switch (kind) {
    case StepKind::Base: return "base";
    case StepKind::Call: return "call";
    case StepKind::Return: return "return";
    case StepKind::Acquire: return "acquire";
    case StepKind::Reenter: return "reenter";
    case StepKind::Release: return "release";
    case StepKind::Spawn: return "spawn";
    case StepKind::End: return "end";
  }
  return "";
}

std::string event_text(const SourceStep& step) {
  switch (step.kind) {
    case StepKind::Base:
    case StepKind::Call:
    case StepKind::Return: return {};
    case StepKind::Acquire: return "acquires " + step.object;
    case StepKind::Reenter: return "acquires " + step.object + " again";
    case StepKind::Release: return "releases " + step.object;
    case StepKind::Spawn: return "spawns " + step.object;
    case StepKind::End: return "ends";
  }
  return {};
}

const char* to_string(BaselineState state) { return state == BaselineState::New ? "new" : "unchanged"; }

bool is_certain(const Finding& finding) {
  return finding.certainty == Certainty::Executed || finding.certainty == Certainty::Exact;
}

Severity severity_of(const Finding& finding) {
  if (finding.as_expected) return *finding.as_expected ? Severity::Note : Severity::Error;
  if (finding.suppressed || finding.outcome == Outcome::Excluded || finding.rule == Rule::DefUse) return Severity::Note;
  return finding.outcome == Outcome::Found && is_certain(finding) ? Severity::Error : Severity::Warning;
}

bool is_open(const Finding& finding) {
  return finding.outcome == Outcome::Found && !finding.suppressed && finding.baseline != BaselineState::Unchanged;
}

std::string finding_id(Rule rule, const std::string& subject, const std::vector<std::string>& places) {
  std::vector<std::string> sorted = places;
  std::ranges::sort(sorted);
  std::string text = fmt::format("{}\n{}\n", to_string(rule), subject);
  for (const std::string& place : sorted) text += place + '\n';
  constexpr std::size_t digits = 12;
  return sha256(text).substr(0, digits);
}

std::string logical_place(const std::string& procedure, std::uint32_t ordinal, const std::string& role) {
  return fmt::format("{}#{} {}", procedure, ordinal, role);
}

std::string short_position(const SourceSpan& place) {
  return place.begin.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.begin.line);
}

}  // namespace lockwood::findings
