#include "frontend/report/json/finding_json.hpp"

#include "base/text/json.hpp"

namespace lockwood::findings {
namespace {

using Json = nlohmann::ordered_json;  // members stay in the order in which they are written

Json json_of(const SourceSpan& place) {
  return Json{{"file", place.file},
              {"line", place.begin.line},
              {"column", place.begin.column},
              {"end_line", place.end.line},
              {"end_column", place.end.column},
              {"procedure", place.procedure},
              {"statement", place.statement},
              {"text", place.text}};
}

Json json_of(const std::vector<StackEntry>& stack) {
  Json entries = Json::array();
  for (const StackEntry& entry : stack) entries.push_back({{"what", entry.what}, {"at", json_of(entry.at)}});
  return entries;
}

Json json_of(const Site& site) {
  Json object{{"role", site.role}, {"at", json_of(site.at)}};
  if (!site.thread.empty()) object["thread"] = site.thread;
  if (!site.holds.empty()) object["holds"] = site.holds;
  if (!site.stack.empty()) object["stack"] = json_of(site.stack);
  if (site.step) object["step"] = *site.step + 1;
  return object;
}

Json json_of(const SourceStep& step) {
  Json object{{"phase", step.phase}, {"thread", step.thread}, {"at", json_of(step.at)}, {"what", step.what}};
  if (const std::string event = event_text(step); !event.empty()) object["event"] = event;
  object["kind"] = to_string(step.kind);
  if (!step.object.empty()) object["object"] = step.object;
  object["depth"] = step.depth;
  return object;
}

Json json_of(const ThreadAtEnd& thread) {
  return Json{{"thread", thread.thread}, {"stack", json_of(thread.stack)}, {"holds", thread.holds}};
}

}  // namespace

nlohmann::ordered_json to_json(const std::vector<SourceStep>& schedule, StopToken stop) {
  Json steps = Json::array();
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    stop.check();
    Json step{{"step", i + 1}};
    step.update(json_of(schedule[i]));
    steps.push_back(std::move(step));
  }
  return steps;
}

nlohmann::ordered_json to_json(const Settled& settled) {
  Json object{{"verdict", to_string(settled.verdict)}, {"states", settled.states}};
  if (settled.preemptions) object["preemptions"] = *settled.preemptions;
  if (!settled.left_out.empty()) object["left_out"] = settled.left_out;
  return object;
}

nlohmann::ordered_json to_json(const std::vector<Assumption>& assumptions) {
  Json rows = Json::array();
  for (const Assumption& each : assumptions)
    rows.push_back({{"kind", each.kind}, {"place", each.place}, {"text", each.text}, {"times", each.times}});
  return rows;
}

nlohmann::ordered_json to_json(const Finding& finding, StopToken stop) {
  Json object{{"id", finding.id},
              {"rule", to_string(finding.rule)},
              {"verdict", verdict_text(finding.rule, finding.outcome)},
              {"subject", finding.subject},
              {"message", finding.message}};
  if (finding.certainty) object["certainty"] = to_string(*finding.certainty);
  if (finding.obstacle) object["obstacle"] = *finding.obstacle;
  if (finding.settled) object["settled"] = to_json(*finding.settled);
  object["sites"] = Json::array();
  for (const Site& site : finding.sites) object["sites"].push_back(json_of(site));
  if (!finding.schedule.empty()) object["schedule"] = to_json(finding.schedule, stop);
  for (const ThreadAtEnd& thread : finding.threads) object["threads"].push_back(json_of(thread));
  if (!finding.explanation.empty()) object["explanation"] = finding.explanation;
  if (!finding.assumptions.empty()) object["assumptions"] = to_json(finding.assumptions);
  if (finding.suppressed) object["suppressed"] = {{"reason", *finding.suppressed}};
  if (finding.baseline) object["baseline"] = to_string(*finding.baseline);
  return object;
}

}  // namespace lockwood::findings
