#include "frontend/report/json/render_json.hpp"

#include <algorithm>
#include <array>

#include "base/text/json.hpp"
#include "base/text/json_dump.hpp"
#include "dpn/formats/schedule_text.hpp"
#include "frontend/report/json/finding_json.hpp"
#include "frontend/report/version.hpp"

namespace lockwood::frontend {
namespace {

using Json = nlohmann::ordered_json;  // members stay in the order in which they are written

Json json_of(const Value& value) {
  return std::visit([](const auto& content) { return Json(content); }, value);
}

Json json_of(const std::vector<Property>& properties) {
  Json object = Json::object();
  for (const Property& property : properties) object[property.key] = json_of(property.value);
  return object;
}

Json section_json(const PropertyList& list, StopToken /*short*/) { return json_of(list.properties); }

Json section_json(const Summary& summary, StopToken /*short*/) { return json_of(summary.properties); }

Json section_json(const Table& table, StopToken stop) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    stop.check();
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) object[table.columns[i]] = json_of(row[i]);
    rows.push_back(std::move(object));
  }
  return rows;
}

Json section_json(const Listing& listing, StopToken /*short*/) { return listing.lines; }

Json json_of(const Witness& witness, StopToken stop) {
  Json schedule = dpn::schedule_json(*witness.network, witness.schedule, stop);
  for (std::size_t i = 0; i < witness.places.size(); ++i) {
    schedule["steps"][i]["line"] = witness.places[i].line;
    schedule["steps"][i]["column"] = witness.places[i].column;
  }
  return schedule;
}

Json section_json(const Execution& execution, StopToken stop) { return json_of(execution.witness, stop); }

Json json_of(const QueryAnswer& answer, StopToken stop) {
  stop.check();
  Json object{{"query", answer.query}};
  if (answer.at) {
    object["line"] = answer.at->line;
    object["column"] = answer.at->column;
  }
  object["locks"] = answer.semantics == dpn::Semantics::LockSensitive;
  object["verdict"] = to_string(answer.verdict);
  if (!answer.unknown_because.empty()) object["because"] = answer.unknown_because;
  if (answer.expected) object["expected"] = to_string(*answer.expected);
  if (answer.certainty) object["certainty"] = findings::to_string(*answer.certainty);
  if (answer.settled) object["settled"] = findings::to_json(*answer.settled);
  if (!answer.run.empty()) object["run"] = findings::to_json(answer.run, stop);
  if (answer.schedule) object["schedule"] = json_of(*answer.schedule, stop);
  if (!answer.explanation.empty()) object["explanation"] = answer.explanation;
  if (!answer.notes.empty()) object["notes"] = answer.notes;
  if (!answer.statistics.empty()) object["statistics"] = json_of(answer.statistics);
  return object;
}

void add_json(Json& object, const sets::Shown& shown) {
  object["type"] = shown.type;
  object["value"] = std::visit([](const auto& content) { return Json(content); }, shown.value);
  if (!shown.details.empty()) object["details"] = shown.details;
}

// Which members a statement has besides its place depends on its kind.
Json json_of(const sets::Result& result) {
  Json object{{"statement", result.statement}, {"line", result.at.line}, {"column", result.at.column}};
  for (const auto& [variable, value] : result.variables) object["variables"][variable] = value;
  struct Members {
    Json& object;
    void operator()(const sets::Checked& checked) const {
      object["kind"] = "check";
      object["outcome"] = to_string(checked.outcome);
      if (!checked.sentence.empty()) object["sentence"] = checked.sentence;
      if (!checked.because.empty()) object["because"] = checked.because;
      if (!checked.details.empty()) object["details"] = checked.details;
    }
    void operator()(const sets::Shown& shown) const {
      object["kind"] = "show";
      add_json(object, shown);
    }
    void operator()(const sets::Timed& timed) const {
      object["kind"] = "time";
      add_json(object, timed.shown);
    }
    void operator()(const sets::Explained& explained) const {
      object["kind"] = "explain";
      object["explanation"] = explained.lines;
    }
    void operator()(const sets::Tabulated& table) const {
      object["kind"] = "table";
      object["columns"] = table.columns;
      object["rows"] = Json::array();
      for (const sets::Tabulated::Row& row : table.rows) {
        Json entry{{"variables", Json::object()}, {"cells", Json::array()}};
        for (std::size_t i = 0; i < row.choice.size(); ++i) entry["variables"][table.variables[i]] = row.choice[i];
        for (const std::optional<sets::Shown>& cell : row.cells) {
          Json shown = nullptr;
          if (cell) {
            shown = Json::object();
            add_json(shown, *cell);
          }
          entry["cells"].push_back(std::move(shown));
        }
        object["rows"].push_back(std::move(entry));
      }
      if (!table.because.empty()) object["because"] = table.because;
    }
    void operator()(const sets::Loaded& loaded) const {
      object["kind"] = "load";
      object["path"] = loaded.path;
    }
    void operator()(const sets::Written& written) const {
      object["kind"] = "write";
      object["path"] = written.path;
    }
    void operator()(const sets::GaveUp& gave_up) const {
      object["kind"] = "unknown";
      object["because"] = gave_up.reason;
    }
  };
  std::visit(Members{object}, result.what);
  if (result.seconds) object["seconds"] = *result.seconds;
  return object;
}

Json json_of(const std::vector<sets::Result>& results, StopToken stop) {
  std::array<std::size_t, 3> times{};  // by outcome
  Json statements = Json::array();
  for (const sets::Result& result : results) {
    stop.check();
    statements.push_back(json_of(result));
    if (const auto* checked = std::get_if<sets::Checked>(&result.what))
      ++times[static_cast<std::size_t>(checked->outcome)];
  }
  return Json{{"statements", std::move(statements)},
              {"checks", {{"holds", times[0]}, {"fails", times[1]}, {"unknown", times[2]}}}};
}

Json json_of(const ModelIdentity& model) {
  return Json{{"path", model.path},
              {"sha256", model.sha256.value()},
              {"rules", model.rules},
              {"locks", model.locks},
              {"symbols", model.symbols}};
}

std::string line_of(const Json& json, StopToken stop) { return dumped(json, no_indentation, stop) + '\n'; }

}  // namespace

std::string to_json(const Report& report, StopToken stop) {
  Json object{{"schema", "lockwood/results/1"},
              {"tool", {{"name", "lockwood"}, {"version", version()}}},
              {"command", report.command}};
  if (report.model) object["model"] = json_of(*report.model);
  if (report.subject) object["subject"] = *report.subject;
  for (const Section& section : report.sections)
    std::visit([&](const auto& content) { object["report"][content.key] = section_json(content, stop); }, section);
  if (report.assumptions) object["report"]["assumptions"] = findings::to_json(*report.assumptions);
  if (report.queries) {
    const auto times = [&](dpn::Verdict verdict) {
      return std::ranges::count(*report.queries, verdict, &QueryAnswer::verdict);
    };
    object["queries"] = Json::array();
    for (const QueryAnswer& answer : *report.queries) object["queries"].push_back(json_of(answer, stop));
    object["summary"] = {{"queries", report.queries->size()},
                         {"reachable", times(dpn::Verdict::Reachable)},
                         {"unreachable", times(dpn::Verdict::Unreachable)},
                         {"unknown", times(dpn::Verdict::Unknown)},
                         {"unexpected", std::ranges::count_if(*report.queries, contradicts_expectation)}};
  }
  if (report.script) object["script"] = json_of(*report.script, stop);
  if (report.findings) {
    object["findings"] = Json::array();
    for (const findings::Finding& finding : *report.findings) {
      stop.check();
      object["findings"].push_back(findings::to_json(finding, stop));
    }
  }
  if (report.stopped) object["stopped"] = *report.stopped;
  if (report.seconds) object["timing"] = {{"seconds", *report.seconds}};
  constexpr int indentation = 2;
  return dumped(object, indentation, stop) + '\n';
}

std::string to_json_line(const QueryAnswer& answer, StopToken stop) { return line_of(json_of(answer, stop), stop); }

std::string to_json_line(const findings::Finding& finding, StopToken stop) {
  return line_of(findings::to_json(finding, stop), stop);
}

std::string statistics_line(const Report& report, double seconds, std::size_t memory) {
  Json object{{"command", report.command}, {"seconds", seconds}, {"memory", memory}};
  if (!report.engine.empty()) object["engine"] = json_of(report.engine);
  if (report.queries) {
    object["queries"] = Json::array();
    for (const QueryAnswer& answer : *report.queries)
      object["queries"].push_back({{"query", answer.query}, {"statistics", json_of(answer.statistics)}});
  }
  if (report.stopped) object["stopped"] = *report.stopped;
  return line_of(object, {});
}

std::string to_json_line(const BatchLine& line, StopToken stop) {
  Json object{{"id", Json::parse(line.id)}};
  if (const auto* answer = std::get_if<QueryAnswer>(&line.answer)) {
    object.update(json_of(*answer, stop));
    if (!line.model.empty()) object["model"] = line.model;
  } else {
    object["error"] = std::get<std::string>(line.answer);
  }
  return line_of(object, stop);
}

}  // namespace lockwood::frontend
