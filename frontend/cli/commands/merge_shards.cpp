#include "frontend/cli/commands/merge_shards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/json_dump.hpp"
#include "base/text/json_text.hpp"

namespace lockwood::frontend {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* other_shards = "other shards";

struct ShardName {
  std::size_t number;
  std::size_t count;
};

// "2/8"
std::optional<ShardName> shard_named(const std::string& text) {
  ShardName shard{0, 0};
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos || slash == 0 || slash > 6 || text.size() - slash > 7) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == slash) continue;
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    std::size_t& number = i < slash ? shard.number : shard.count;
    number = number * 10 + static_cast<std::size_t>(text[i] - '0');
  }
  if (shard.number == 0 || shard.number > shard.count) return std::nullopt;
  return shard;
}

// In the order of its members. What others wrote is looked at first: it may be nested deeper than a parser survives.
Json read_report(const std::string& text, const std::string& path) {
  (void)parse_json_text(text, path);
  return Json::parse(text);
}

const Json* summary_of(const Json& report) {
  if (!report.is_object() || report.value("command", Json{}) != "explore" || !report.contains("findings"))
    return nullptr;
  const auto sections = report.find("report");
  if (sections == report.end() || !sections->is_object() || !sections->contains("summary")) return nullptr;
  const Json& summary = (*sections)["summary"];
  return summary.is_object() && summary.contains("shard") && summary["shard"].is_string() ? &summary : nullptr;
}

class ShardMerger {
 public:
  void add(Json report, const std::string& path) {
    const Json* summary = summary_of(report);
    if (summary == nullptr) throw InputError{path, "this is not a report of lockwood explore --shard --json"};
    const auto shard = shard_named((*summary)["shard"].get<std::string>());
    if (!shard) throw InputError{path, "the report does not say which shard it is"};
    if (numbers_.empty()) {
      merged_ = report;
      count_ = shard->count;
    } else if (merged_["model"] != report["model"] || count_ != shard->count) {
      throw InputError{path, "this is a shard of another search than the first file"};
    } else {
      add_counts(*summary);
    }
    if (!numbers_.insert(shard->number).second)
      throw InputError{path, fmt::format("shard {} is there twice", shard->number)};
    add_omissions(*summary);
    for (const Json& finding : report["findings"]) add_finding(finding);
  }

  // The report, and whether everything was visited.
  std::pair<Json, bool> result() && {
    Json& summary = merged_["report"]["summary"];
    if (numbers_.size() < count_) left_out_.insert(other_shards);
    summary["complete"] = left_out_.empty();
    summary.erase("left_out");
    summary.erase("shard");
    if (!left_out_.empty()) summary["left_out"] = left_out_;
    // By rule, line, subject and id, as explore orders them.
    const auto key = [](const Json& finding) {
      return std::tuple{finding["rule"], finding["sites"][0]["at"]["line"], finding["subject"], finding["id"]};
    };
    std::ranges::stable_sort(findings_, {}, key);
    for (const auto& [rule, counted] : {std::pair{"race", "races"},
                                        {"deadlock", "deadlocks"},
                                        {"assertion", "assertions"},
                                        {"exception", "exceptions"},
                                        {"waiting", "waiting_for_ever"}})
      summary[counted] = std::ranges::count_if(findings_, [rule = rule](const Json& finding) {
        return finding["rule"] == rule && !finding.contains("suppressed");
      });
    summary["ignored"] =
        std::ranges::count_if(findings_, [](const Json& finding) { return finding.contains("suppressed"); });
    merged_["findings"] = findings_;
    return {std::move(merged_), left_out_.empty()};
  }

  [[nodiscard]] bool found_any() const {
    return std::ranges::any_of(findings_, [](const Json& finding) { return !finding.contains("suppressed"); });
  }

 private:
  void add_counts(const Json& other) {
    Json& summary = merged_["report"]["summary"];
    for (const char* key : {"states", "matched", "steps", "choices", "store_bytes"})
      summary[key] = summary[key].get<std::int64_t>() + other[key].get<std::int64_t>();
    summary["max_depth"] = std::max(summary["max_depth"].get<std::int64_t>(), other["max_depth"].get<std::int64_t>());
  }
  void add_omissions(const Json& summary) {
    if (!summary.contains("left_out")) return;
    for (const Json& reason : summary["left_out"])
      if (reason != other_shards) left_out_.insert(reason.get<std::string>());
  }
  void add_finding(const Json& finding) {
    if (ids_.insert(finding.at("id").get<std::string>()).second) findings_.push_back(finding);
  }

  Json merged_;
  std::size_t count_ = 0;
  std::set<std::size_t> numbers_;
  std::set<std::string> left_out_;
  std::set<std::string> ids_;
  std::vector<Json> findings_;
};

}  // namespace

bool is_shard_report(const std::string& text) {
  try {
    const Json report = read_report(text, "");
    return summary_of(report) != nullptr;
  } catch (const InputError&) {
    return false;
  }
}

ExitStatus merge_shards(const std::vector<std::string>& paths, const std::string& output, Run& run) {
  ShardMerger merger;
  for (const std::string& path : paths) {
    run.stop.check();
    Json report = read_report(read_text_file(path, run.stop), path);
    try {
      merger.add(std::move(report), path);
    } catch (const nlohmann::json::exception&) {
      throw InputError{path, "something in this report is not as lockwood explore writes it"};
    }
  }
  const bool found = merger.found_any();
  const auto [report, complete] = std::move(merger).result();
  constexpr int indentation = 2;
  run.write_answer(output, dumped(report, indentation, run.stop) + '\n');
  if (!complete)
    run.note(fmt::format("there may be more: not all was visited ({})",
                         fmt::join(report["report"]["summary"]["left_out"].get<std::vector<std::string>>(), ", ")));
  if (found) return ExitStatus::Finding;
  return complete ? ExitStatus::Nothing : ExitStatus::GaveUp;
}

}  // namespace lockwood::frontend
