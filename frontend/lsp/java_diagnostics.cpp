#include "frontend/lsp/java_diagnostics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/process/text_file.hpp"
#include "frontend/lsp/file_uri.hpp"
#include "frontend/lsp/protocol.hpp"

namespace lockwood::lsp {
namespace {

constexpr std::size_t max_related_steps = 12;

std::string word(const Json& object, const char* name) { return object.value(name, std::string{}); }

bool is_open(const Json& finding) {
  static const std::set<std::string> found{"race", "deadlock", "waits for ever"};
  return found.contains(word(finding, "verdict")) && !finding.contains("suppressed");
}

// An error is certain, a warning possible.
int severity_of(const Json& finding) {
  const std::string certainty = word(finding, "certainty");
  return certainty == "exact" || certainty == "executed" ? 1 : 2;
}

std::string described(const Json& site) {
  std::string text = word(site, "role");
  if (const std::string thread = word(site, "thread"); !thread.empty()) text += " by " + thread;
  if (const auto holds = site.find("holds"); holds != site.end())
    text += fmt::format(", holding {}", fmt::join(holds->get<std::vector<std::string>>(), ", "));
  return text;
}

std::string with_certainty(std::string message, const std::string& certainty) {
  return certainty.empty() ? message : fmt::format("{} ({})", message, certainty);
}

Position position(const Json& place, const char* line, const char* column) {
  return {std::max(1U, place.value(line, 1U)), std::max(1U, place.value(column, 1U))};
}

// Columns count bytes; what is behind the end of the line is its end.
std::uint32_t offset(const Text& text, Position at) {
  const std::size_t begin = text.offset({at.line - 1, 0});
  const std::size_t end = text.offset({at.line - 1, UINT32_MAX});
  return static_cast<std::uint32_t>(std::min(begin + at.column - 1, end));
}

Json range(const Text& text, Position begin, Position end) {
  const std::uint32_t from = offset(text, begin);
  return to_json(text, TextRange{from, std::max(from, offset(text, end))});
}

}  // namespace

const Text* JavaDiagnostics::source(const std::string& file) {
  auto found = sources_.find(file);
  if (found == sources_.end()) {
    std::shared_ptr<const Text> read;
    try {
      read = std::make_shared<const Text>(read_text_file(file));
    } catch (const InputError&) {  // a source that is not there has no places
    }
    found = sources_.emplace(file, std::move(read)).first;
  }
  return found->second.get();
}

Json JavaDiagnostics::location(const Json& place) {
  const std::string file = word(place, "file");
  const Text* const text = source(file);
  if (text == nullptr) return {};
  return {{"uri", uri_of_path(file)},
          {"range", range(*text, position(place, "line", "column"), position(place, "end_line", "end_column"))}};
}

// One more race with the line: its other side, as far as there is room.
void JavaDiagnostics::add_race(Json& diagnostic, const Json& related, int severity, const OfLine& line) {
  diagnostic["severity"] = std::min(diagnostic["severity"].get<int>(), severity);
  Json& known = diagnostic["relatedInformation"];
  if (!related.empty() && known.size() < max_related_steps && std::ranges::find(known, related.front()) == known.end())
    known.push_back(related.front());
  if (line.more == 0) return;
  diagnostic["message"] = with_certainty(
      fmt::format("{}; {} more {} with this line", line.message, line.more, line.more == 1 ? "race" : "races"),
      line.certainty);
}

void JavaDiagnostics::add_report(const Json& report) {
  for (const Json& finding : report.at("findings"))
    if (is_open(finding)) add_finding(finding);
}

// A diagnostic at each of its places, which refers to the others and to what led there.
void JavaDiagnostics::add_finding(const Json& finding) {
  JavaFinding kept{word(finding, "id"), word(finding, "rule"), word(finding, "subject"), {}};
  const Json& sites = finding.at("sites");
  const std::string message = word(finding, "message");
  const std::string certainty = word(finding, "certainty");
  std::set<std::string> said;
  std::set<std::tuple<std::string, std::uint32_t, std::string>> told;  // lines
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Json& place = sites[i].at("at");
    const Json here = location(place);
    if (here.is_null() || !said.insert(here.dump()).second) continue;
    Json related = Json::array();
    const auto refer = [&](const Json& to, std::string text) {
      if (related.size() >= max_related_steps) return;
      if (Json there = location(to); !there.is_null())
        related.push_back({{"location", std::move(there)}, {"message", std::move(text)}});
    };
    for (std::size_t other = 0; other < sites.size(); ++other)
      if (other != i || sites.size() == 1) refer(sites[other].at("at"), described(sites[other]));
    if (const auto schedule = finding.find("schedule"); schedule != finding.end())
      for (const Json& step : *schedule)
        if (const std::string event = word(step, "event"); !event.empty())
          refer(step.at("at"), fmt::format("{}: {}, {}", word(step, "thread"), word(step, "what"), event));
    const std::string file = word(place, "file");
    kept.lines.push_back({file, position(place, "line", "column").line - 1});
    Json& remarks = by_file_.try_emplace(file, Json::array()).first->second;
    if (kept.rule == "race") {
      const auto [group, is_new] =
          races_.try_emplace({file, kept.lines.back().line, kept.subject}, OfLine{remarks.size(), message, certainty});
      if (!is_new) {
        Json& diagnostic = remarks[group->second.index];
        if (told.insert(group->first).second) {
          ++group->second.more;
          diagnostic["data"]["findings"].push_back(to_json(Remark::Told{kept.id, certainty}));
        }
        add_race(diagnostic, related, severity_of(finding), group->second);
        continue;
      }
      told.insert(group->first);
    }
    remarks.push_back({{"range", here.at("range")},
                       {"severity", severity_of(finding)},
                       {"code", kept.rule},
                       {"source", "lockwood"},
                       {"message", with_certainty(message, certainty)},
                       {"relatedInformation", std::move(related)},
                       {"data", {{"findings", Json::array({to_json(Remark::Told{kept.id, certainty})})}}}});
  }
  findings_.push_back(std::move(kept));
}

void JavaDiagnostics::add(const std::vector<Diagnostic>& diagnostics, const std::string& file,
                          const std::string& folder, const std::string& code) {
  for (const Diagnostic& diagnostic : diagnostics) {
    std::string path = diagnostic.at ? diagnostic.file : file;
    if (!path.starts_with('/')) path = folder + '/' + path;
    const Text* const text = source(path);
    const Text nothing{""};
    const Text& content = text == nullptr ? nothing : *text;
    // The compiler tells where it was at a loss, in characters as the protocol counts them: up to the end of the line.
    const Position at = diagnostic.at.value_or(Position{1, 1});
    const std::size_t begin = content.offset({at.line - 1, at.column - 1});
    const std::size_t end = diagnostic.at ? content.offset({at.line - 1, UINT32_MAX}) : begin;
    Json json{
        {"range", to_json(content, TextRange{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)})},
        {"severity", static_cast<int>(diagnostic.severity) + 1},
        {"source", "lockwood"},
        {"message", diagnostic.message}};
    if (!code.empty()) json["code"] = code;
    by_file_.try_emplace(path, Json::array()).first->second.push_back(std::move(json));
  }
}

}  // namespace lockwood::lsp
