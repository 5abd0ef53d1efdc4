#include "frontend/report/sarif/sarif.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>

#include "base/text/json.hpp"
#include "base/text/json_dump.hpp"
#include "frontend/report/sarif/line_hashes.hpp"

namespace lockwood::reports {
namespace {

using findings::Finding;
using findings::Outcome;
using findings::Rule;
using findings::SourceSpan;
using findings::SourceStep;
using findings::StepKind;
using Json = nlohmann::ordered_json;

constexpr std::size_t max_steps = 1000;  // of a flow; GitHub shows no more

struct RuleText {
  Rule rule;
  const char* name;
  const char* summary;
  const char* help;
  const char* weakness;  // of the Common Weakness Enumeration; none if it is no fault by itself
};
constexpr std::array<RuleText, 8> rules{
    {{Rule::Race, "DataRace", "Two threads can access a shared variable at the same time, and one of them writes it.",
      "Two different threads can be before the two accesses at the same time. The code flow is a schedule that "
      "leads "
      "there: an **error** was also executed with the program's real values, a **warning** is possible in the model, "
      "which forgets integers.\n\nLet both accesses hold a common lock; `lockwood guards` suggests one. To accept it, "
      "write `// lockwood: ignore race(x) -- reason` on the line.",
      "external/cwe/cwe-362"},
     {Rule::Deadlock, "Deadlock", "Threads can wait for each other's locks in a cycle.",
      "Each thread of the cycle holds a lock and is before taking the lock of the next one. The code flow is a "
      "schedule that leads there.\n\nTake the locks in the same order everywhere. To accept it, write `// lockwood: "
      "ignore deadlock(a, b) -- reason` on the line.",
      "external/cwe/cwe-833"},
     {Rule::DefUse, "DefinitionReachesUse", "A value that is written can be read there.",
      "After the definition and before any other one, a thread can come to the use. This is no fault by itself.",
      nullptr},
     {Rule::Flow, "Flow", "A value can get from one statement to another.",
      "One execution does the whole chain of definitions and uses. The code flow is a schedule of it.", nullptr},
     {Rule::Query, "ReachableQuery", "What a query of the model asks about is reachable.",
      "The threads can stand as the query says. The code flow is a schedule that leads there.", nullptr},
     {Rule::Assertion, "FailedAssertion", "A thread comes to an assertion that does not hold.",
      "The code flow is a run of the program, with its real values, to the assertion.", "external/cwe/cwe-617"},
     {Rule::Exception, "UncaughtException", "An exception leaves the procedure of a thread.",
      "The code flow is a run of the program, with its real values. Division by zero throws, too.",
      "external/cwe/cwe-248"},
     {Rule::Waiting, "WaitsForEver", "A thread waits to be notified, and nobody is left who could do that.",
      "The code flow is a run of the program, with its real values, to a state in which nobody can move. A "
      "notification that came before the wait is lost: look at a variable in a loop around the wait, and set it "
      "before the notification.",
      "external/cwe/cwe-833"}}};

std::size_t index_of(Rule rule) {
  return static_cast<std::size_t>(std::ranges::find(rules, rule, &RuleText::rule) - rules.begin());
}

// Relative to where we are if it is below, and with everything escaped that has a meaning in a URI.
std::string uri_of(const std::string& file) {
  if (file == "-" || file == "<stdin>" || file.empty()) return "stdin";
  std::filesystem::path path = std::filesystem::path{file}.lexically_normal();
  bool absolute = path.is_absolute();
  if (absolute) {
    std::error_code unknown;
    const auto relative = path.lexically_relative(std::filesystem::current_path(unknown));
    if (!unknown && !relative.empty() && *relative.begin() != "..") {
      path = relative;
      absolute = false;
    }
  }
  std::string uri = absolute ? "file://" : "";
  for (char c : path.generic_string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                       c == '.' || c == '-' || c == '_' || c == '~';
    uri += plain ? std::string{c} : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

Json message(std::string text) { return Json{{"text", std::move(text)}}; }

class Log {
 public:
  Log(const SarifRun& run, StopToken stop) : run_{run}, stop_{stop} {}

  [[nodiscard]] Json document() const {
    Json results = Json::array();
    const std::vector<std::size_t> ranks = ranks_of(run_.findings);
    for (std::size_t i = 0; i < run_.findings.size(); ++i) {
      stop_.check();
      if (ranks[i] < run_.bounds.results)
        results.push_back(result(run_.findings[i], ranks[i] < run_.bounds.flows ? Detail::All : Detail::SourceSpan));
    }
    for (const findings::KnownFinding& gone : run_.absent) {
      if (results.size() >= run_.bounds.results) break;
      results.push_back(absent(gone));
    }
    Json invocation{{"executionSuccessful", run_.stopped.empty()}};
    Json notifications = Json::array();
    const auto notify = [&](const char* level, std::string text) {
      notifications.push_back({{"level", level}, {"message", message(std::move(text))}});
    };
    if (!run_.stopped.empty()) notify("warning", "gave up early: " + run_.stopped);
    for (std::string& lacking : omissions(run_)) notify("note", std::move(lacking));
    for (const findings::Assumption& each : run_.assumptions)
      notify(each.is_gap() ? "warning" : "note",
             each.kind + ": " + each.text + (each.place.empty() ? "" : ", at " + each.place));
    if (!notifications.empty()) invocation["toolExecutionNotifications"] = std::move(notifications);
    Json run{{"tool", tool()},
             {"invocations", Json::array({std::move(invocation)})},
             {"columnKind", "unicodeCodePoints"},
             {"automationDetails", {{"id", "lockwood/" + run_.command + "/"}}},
             {"results", std::move(results)}};
    return Json{
        {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs", Json::array({std::move(run)})}};
  }

 private:
  // The place of each finding in the order of importance; among equals, the earlier ones come first.
  static std::vector<std::size_t> ranks_of(std::span<const Finding> all) {
    std::vector<std::size_t> order(all.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto unimportance = [&](std::size_t i) {
      if (!is_fault(all[i]) || all[i].suppressed) return 2;
      return is_error(all[i]) ? 0 : 1;
    };
    std::ranges::stable_sort(order, {}, unimportance);
    std::vector<std::size_t> ranks(all.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
    return ranks;
  }

  [[nodiscard]] static Json tags_of(const RuleText& rule) {
    Json tags = Json::array({"concurrency"});
    if (rule.weakness != nullptr) tags.push_back(rule.weakness);
    return tags;
  }

  [[nodiscard]] Json tool() const {
    Json described = Json::array();
    for (const RuleText& rule : rules)
      described.push_back({{"id", findings::to_string(rule.rule)},
                           {"name", rule.name},
                           {"shortDescription", message(rule.summary)},
                           {"fullDescription", message(rule.summary)},
                           {"help", {{"text", rule.help}, {"markdown", rule.help}}},
                           {"properties", {{"tags", tags_of(rule)}}},
                           {"defaultConfiguration", {{"level", rule.rule == Rule::DefUse ? "note" : "error"}}}});
    return Json{{"driver",
                 {{"name", "lockwood"},
                  {"version", run_.version},
                  {"semanticVersion", run_.version},
                  {"rules", std::move(described)}}}};
  }

  [[nodiscard]] Json location(const SourceSpan& place, const std::string& text) const {
    Json physical{{"artifactLocation", {{"uri", uri_of(place.file)}}}};
    if (place.begin.line > 0) {
      const Position begin = run_.sources.in_characters(place.file, place.begin);
      const Position end = run_.sources.in_characters(place.file, place.end);
      physical["region"] = {{"startLine", begin.line}, {"startColumn", begin.column}};
      if (end > begin) {
        physical["region"]["endLine"] = end.line;
        physical["region"]["endColumn"] = end.column;
      }
      if (!place.text.empty()) physical["region"]["snippet"] = {{"text", place.text}};
    }
    Json object{{"physicalLocation", std::move(physical)}};
    if (!place.procedure.empty())
      object["logicalLocations"] = Json::array({Json{{"fullyQualifiedName", place.procedure}, {"kind", "function"}}});
    if (!text.empty()) object["message"] = message(text);
    return object;
  }

  static std::string site_text(const findings::Site& site) {
    std::string text = site.thread.empty() ? site.role : fmt::format("{}: {}", site.thread, site.role);
    if (!site.holds.empty()) text += fmt::format(", holds {}", fmt::join(site.holds, ", "));
    return text;
  }

  static Json kinds_of(StepKind kind) {
    switch (kind) {
      case StepKind::Base: return Json::array();
      case StepKind::Call: return {"call", "function"};
      case StepKind::Return: return {"return", "function"};
      case StepKind::Acquire:
      case StepKind::Reenter: return {"acquire", "lock"};
      case StepKind::Release: return {"release", "lock"};
      case StepKind::Spawn: return {"enter", "thread"};
      case StepKind::End: return {"exit", "thread"};
    }
    return Json::array();
  }

  // The site that the step does, if it is one of those that the finding is about.
  static const findings::Site* site_of_step(const Finding& finding, std::size_t step) {
    const auto site = std::ranges::find(finding.sites, std::optional{step}, &findings::Site::step);
    return site == finding.sites.end() ? nullptr : &*site;
  }

  // The steps that a flow shows: all, or as many as may be besides where threads have come to in the end. The last
  // ones, which lead there, and those that the finding is about are among them.
  static std::vector<std::size_t> shown_steps(const Finding& finding) {
    const std::vector<SourceStep>& steps = finding.schedule;
    const auto arrivals = static_cast<std::size_t>(
        std::ranges::count_if(finding.sites, [](const findings::Site& site) { return !site.step; }));
    const std::size_t room = max_steps - std::min(max_steps / 2, arrivals);
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (steps.size() <= room || steps[i].kind != StepKind::Base || site_of_step(finding, i) != nullptr)
        shown.push_back(i);
    std::size_t excess = shown.size() - std::min(shown.size(), room);
    if (excess == 0) return shown;
    const auto middle = shown.begin() + static_cast<std::ptrdiff_t>(room / 2);
    const auto dropped = [&](std::size_t i) {
      if (excess == 0 || site_of_step(finding, i) != nullptr) return false;
      --excess;
      return true;
    };
    shown.erase(std::remove_if(middle, shown.end(), dropped), shown.end());
    return shown;
  }

  enum class Named { WithThread, WithoutThread };

  [[nodiscard]] Json step(const Finding& finding, std::size_t number, Named named) const {
    const SourceStep& step = finding.schedule[number];
    const findings::Site* site = site_of_step(finding, number);
    std::string text = named == Named::WithThread ? step.thread + ": " + step.what : step.what;
    if (const std::string event = findings::event_text(step); !event.empty()) text += ", " + event;
    if (site != nullptr) text += ", " + site->role;
    Json object{{"location", location(step.at, text)},
                {"executionOrder", number + 1},
                {"nestingLevel", step.depth},
                {"importance", site != nullptr               ? "essential"
                               : step.kind == StepKind::Base ? "unimportant"
                                                             : "important"}};
    if (Json kinds = kinds_of(step.kind); !kinds.empty()) object["kinds"] = std::move(kinds);
    return object;
  }

  // Where the thread of the site has come to in the end: what matters of the flow.
  [[nodiscard]] Json arrival(const findings::Site& site, std::size_t order) const {
    const std::size_t depth = site.stack.empty() ? 0 : site.stack.size() - 1;
    return Json{{"location", location(site.at, site_text(site))},
                {"executionOrder", order},
                {"nestingLevel", depth},
                {"importance", "essential"}};
  }

  [[nodiscard]] Json code_flows(const Finding& finding) const {
    const std::vector<std::size_t> shown = shown_steps(finding);
    Json merged = Json::array();
    std::vector<std::string> threads;
    for (std::size_t i : shown) {
      merged.push_back(step(finding, i, Named::WithThread));
      if (std::ranges::find(threads, finding.schedule[i].thread) == threads.end())
        threads.push_back(finding.schedule[i].thread);
    }
    const std::size_t end = finding.schedule.size() + 1;
    for (const findings::Site& site : finding.sites) {
      if (site.step) continue;
      merged.push_back(arrival(site, end));
      if (!site.thread.empty() && std::ranges::find(threads, site.thread) == threads.end())
        threads.push_back(site.thread);
    }
    Json flows = Json::array({Json{{"message", message("the schedule, all threads in one")},
                                   {"threadFlows", Json::array({Json{{"locations", std::move(merged)}}})}}});
    Json thread_flows = Json::array();
    for (const std::string& thread : threads) {
      Json steps = Json::array();
      for (std::size_t i : shown)
        if (finding.schedule[i].thread == thread) steps.push_back(step(finding, i, Named::WithoutThread));
      for (const findings::Site& site : finding.sites)
        if (site.thread == thread && !site.step) steps.push_back(arrival(site, end));
      thread_flows.push_back({{"id", thread}, {"message", message(thread)}, {"locations", std::move(steps)}});
    }
    if (!thread_flows.empty())
      flows.push_back({{"message", message("the schedule by thread")}, {"threadFlows", std::move(thread_flows)}});
    return flows;
  }

  // The place that a viewer shows first: the write of a race.
  static std::size_t main_site(const Finding& finding) {
    const auto write = std::ranges::find(finding.sites, "write", &findings::Site::role);
    return write == finding.sites.end() ? 0 : static_cast<std::size_t>(write - finding.sites.begin());
  }

  [[nodiscard]] Json related(const Finding& finding) const {
    Json places = Json::array();
    const auto add = [&](const SourceSpan& place, const std::string& text) {
      Json object{{"id", places.size() + 1}};
      object.update(location(place, text));
      places.push_back(std::move(object));
    };
    for (std::size_t i = 0; i < finding.sites.size(); ++i)
      if (i != main_site(finding)) add(finding.sites[i].at, site_text(finding.sites[i]));
    std::size_t told = 0;
    for (const SourceStep& step : finding.schedule) {
      if (step.kind != StepKind::Spawn && step.kind != StepKind::Acquire) continue;
      if (++told > max_steps) break;
      add(step.at, fmt::format("{} {}", step.thread, findings::event_text(step)));
    }
    return places;
  }

  // Of the threads at the sites; if these have none, as the sites of a query, of all threads at the end.
  [[nodiscard]] Json stacks(const Finding& finding) const {
    Json all = Json::array();
    const auto add = [&](std::string text, const std::vector<findings::StackEntry>& stack) {
      if (stack.empty()) return;
      Json frames = Json::array();
      for (const findings::StackEntry& entry : stack) frames.push_back({{"location", location(entry.at, entry.what)}});
      all.push_back({{"message", message(std::move(text))}, {"frames", std::move(frames)}});
    };
    for (const findings::Site& site : finding.sites) add(site_text(site), site.stack);
    if (!all.empty()) return all;
    for (const findings::ThreadAtEnd& thread : finding.threads)
      add(thread.holds.empty() ? thread.thread
                               : fmt::format("{}: holds {}", thread.thread, fmt::join(thread.holds, ", ")),
          thread.stack);
    return all;
  }

  // What is wrong: what was found, or what contradicts expectations where those count.
  static bool is_fault(const Finding& finding) {
    if (finding.as_expected) return !*finding.as_expected;
    return finding.outcome == Outcome::Found && finding.rule != Rule::DefUse;
  }

  static const char* kind_of(const Finding& finding) {
    if (finding.outcome == Outcome::Unknown) return "open";
    if (is_fault(finding)) return "fail";
    return finding.as_expected || finding.outcome == Outcome::Excluded ? "pass" : "informational";
  }

  static bool is_error(const Finding& finding) { return finding.as_expected || findings::is_certain(finding); }

  enum class Detail { All, SourceSpan };

  [[nodiscard]] Json result(const Finding& finding, Detail detail) const {
    const char* level = !is_fault(finding) ? "none" : is_error(finding) ? "error" : "warning";
    std::string text = finding.message;
    for (const std::string& sentence : finding.explanation) text += "\n" + sentence;
    if (finding.obstacle) text += "\n" + *finding.obstacle;
    Json object{{"ruleId", findings::to_string(finding.rule)},
                {"ruleIndex", index_of(finding.rule)},
                {"kind", kind_of(finding)},
                {"level", level},
                {"message", message(std::move(text))}};
    if (!finding.sites.empty()) {
      const findings::Site& site = finding.sites[main_site(finding)];
      object["locations"] = Json::array({location(site.at, site_text(site))});
    }
    if (detail == Detail::All) {
      if (Json places = related(finding); !places.empty()) object["relatedLocations"] = std::move(places);
      if (Json all = stacks(finding); !all.empty()) object["stacks"] = std::move(all);
      if (!finding.schedule.empty()) object["codeFlows"] = code_flows(finding);
    }
    object["partialFingerprints"] = {{"lockwood/1", finding.id}};
    if (!finding.sites.empty())
      if (const auto hash = line_hash(finding.sites[main_site(finding)].at))
        object["partialFingerprints"]["primaryLocationLineHash"] = *hash;
    if (finding.suppressed)
      object["suppressions"] = Json::array({Json{{"kind", "inSource"}, {"justification", *finding.suppressed}}});
    if (finding.baseline) object["baselineState"] = findings::to_string(*finding.baseline);
    object["properties"] = {{"subject", finding.subject},
                            {"verdict", findings::verdict_text(finding.rule, finding.outcome)}};
    if (finding.certainty) object["properties"]["certainty"] = findings::to_string(*finding.certainty);
    if (finding.settled) object["properties"]["settled"] = findings::to_string(finding.settled->verdict);
    return object;
  }

  // Of the line on which a viewer shows the finding, if its text is known.
  [[nodiscard]] std::optional<std::string> line_hash(const SourceSpan& place) const {
    const auto text = run_.sources.text(place.file);
    if (!text || place.begin.line == 0) return std::nullopt;
    const auto known = line_hashes_.find(place.file);
    const std::vector<std::string>& hashes = known != line_hashes_.end()
                                                 ? known->second
                                                 : line_hashes_.emplace(place.file, line_hashes(*text)).first->second;
    return place.begin.line <= hashes.size() ? std::optional{hashes[place.begin.line - 1]} : std::nullopt;
  }

  [[nodiscard]] static Json absent(const findings::KnownFinding& gone) {
    Json object{{"ruleId", gone.rule}};
    const auto known =
        std::ranges::find_if(rules, [&](const RuleText& rule) { return findings::to_string(rule.rule) == gone.rule; });
    if (known != rules.end()) object["ruleIndex"] = known - rules.begin();
    object.update({{"message", message(gone.message)},
                   {"partialFingerprints", {{"lockwood/1", gone.id}}},
                   {"baselineState", "absent"},
                   {"properties", {{"subject", gone.subject}}}});
    return object;
  }

  const SarifRun& run_;
  StopToken stop_;
  mutable std::map<std::string, std::vector<std::string>> line_hashes_;  // by file, once they are needed
};

}  // namespace

std::string to_sarif(const SarifRun& run, StopToken stop) {
  return dumped(Log{run, stop}.document(), no_indentation, stop) + '\n';
}

std::vector<std::string> omissions(const SarifRun& run) {
  std::vector<std::string> sentences;
  const std::size_t all = run.findings.size() + run.absent.size();
  if (all > run.bounds.results)
    sentences.push_back(fmt::format("only {} of {} results are in the log, the most important ones (--sarif-results)",
                                    run.bounds.results, all));
  const std::size_t told = std::min(run.findings.size(), run.bounds.results);
  if (told > run.bounds.flows)
    sentences.push_back(
        fmt::format("only {} of {} results have flows and stacks, the most important ones (--sarif-flows)",
                    run.bounds.flows, told));
  return sentences;
}

}  // namespace lockwood::reports
