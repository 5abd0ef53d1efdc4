#include "frontend/findings/difference.hpp"

#include <set>

#include "base/text/json.hpp"
#include "base/text/json_text.hpp"

namespace lockwood::findings {
namespace {

std::set<std::string> ids(const KnownFindings& findings) {
  std::set<std::string> result;
  for (const KnownFinding& finding : findings.open) result.insert(finding.id);
  return result;
}

// Of a log that to_sarif wrote: results with our fingerprint.
KnownFindings of_sarif(const nlohmann::json& log, const std::string& path) {
  KnownFindings known;
  std::set<std::string> seen;
  try {
    for (const auto& run : log.at("runs")) {
      if (!says(run.at("tool").at("driver").at("name"), "lockwood"))
        throw InputError{path, "this is not a report of lockwood"};
      for (const auto& invocation : run.value("invocations", nlohmann::json::array()))
        if (!invocation.value("executionSuccessful", true)) known.complete = false;
      for (const auto& result : run.at("results")) {
        const std::string kind = result.value("kind", "fail");
        if (kind == "open") known.undecided.insert(result.at("partialFingerprints").at("lockwood/1"));
        if (kind == "pass" || kind == "open") continue;
        if (result.value("baselineState", "new") == "absent") continue;
        if (result.contains("suppressions") && !result["suppressions"].empty()) {
          ++known.suppressed;
          continue;
        }
        KnownFinding entry{.id = result.at("partialFingerprints").at("lockwood/1"),
                           .rule = result.at("ruleId"),
                           .subject = result.at("properties").at("subject"),
                           .message = result.at("message").at("text")};
        if (seen.insert(entry.id).second) known.open.push_back(std::move(entry));
      }
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError{path, "a result of this report lacks its fingerprint, rule, subject or message"};
  }
  return known;
}

// Some commands tell in their summary whether there may be more.
bool says_complete(const nlohmann::json& document) {
  const nlohmann::json::json_pointer complete{"/report/summary/complete"};
  const nlohmann::json::json_pointer not_written{"/report/summary/not_written"};
  return !document.contains(not_written) && (!document.contains(complete) || document.at(complete).get<bool>());
}

bool was_found(const std::string& rule, const std::string& verdict) {
  return verdict == rule || verdict == "feasible" || (rule == "waiting" && verdict == "waits for ever");
}

bool has_decided(const KnownFindings& report, const KnownFinding& finding) {
  return report.complete && (report.rule.empty() || looks_for(report.rule, finding.rule)) &&
         (!report.subject || *report.subject == finding.subject) && !report.undecided.contains(finding.id);
}

}  // namespace

bool looks_for(const std::string& command, const std::string& rule) {
  return command == rule || (command == "deadlock" && rule == "waiting");
}

KnownFindings known_findings(const std::string& json, const std::string& path) {
  const auto document = parse_json_text(json, path);
  if (document.is_object() && document.contains("runs")) return of_sarif(document, path);
  if (!document.is_object() || !says(document.value("schema", nlohmann::json{}), "lockwood/results/1"))
    throw InputError{path, "this is not a report of lockwood"};
  if (!document.contains("findings"))
    throw InputError{path, "this report has no findings; write one by: lockwood race FILE --json"};
  KnownFindings known;
  std::set<std::string> seen;
  try {
    if (document.contains("model")) known.model = document.at("model").value("path", "");
    known.rule = document.value("command", "");
    if (document.contains("subject")) known.subject = document.at("subject");
    known.complete = !document.contains("stopped") && says_complete(document);
    for (const auto& finding : document.at("findings")) {
      const std::string verdict = finding.at("verdict");
      const std::string rule = finding.at("rule");
      if (verdict == "unknown") known.undecided.insert(finding.at("id"));
      if (!was_found(rule, verdict)) continue;  // excluded, or not decided
      if (finding.contains("suppressed")) {
        ++known.suppressed;
        continue;
      }
      KnownFinding entry{
          .id = finding.at("id"), .rule = rule, .subject = finding.at("subject"), .message = finding.at("message")};
      if (seen.insert(entry.id).second) known.open.push_back(std::move(entry));
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError{path,
                     "a finding of this report lacks its id, rule, verdict, subject or message, or its model the path"};
  }
  return known;
}

Difference difference(const KnownFindings& before, const KnownFindings& after) {
  const std::set<std::string> old_ids = ids(before);
  const std::set<std::string> new_ids = ids(after);
  Difference result;
  for (const KnownFinding& finding : after.open)
    (old_ids.contains(finding.id) ? result.unchanged : result.introduced).push_back(finding);
  for (const KnownFinding& finding : before.open)
    if (!new_ids.contains(finding.id))
      (has_decided(after, finding) ? result.fixed : result.undecided).push_back(finding);
  return result;
}

}  // namespace lockwood::findings
