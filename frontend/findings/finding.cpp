#include "frontend/findings/finding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.hpp"

namespace lockwood::findings {

const char* to_string(Certainty certainty) { return certainty == Certainty::Executed ? "executed" : "possible"; }

const char* to_string(Rule rule) {
  switch (rule) {
    case Rule::Race: return "race";
    case Rule::Deadlock: return "deadlock";
    case Rule::DefUse: return "defuse";
    case Rule::Flow: return "flow";
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
  }
  return "";
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

std::string short_position(const Place& place) { return fmt::format("{}:{}", place.file, place.begin.line); }

}  // namespace lockwood::findings
