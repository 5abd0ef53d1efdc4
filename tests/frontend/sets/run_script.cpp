#include "tests/frontend/sets/run_script.hpp"

#include <utility>

namespace lockwood::sets::testing {
namespace {

struct Text {
  std::string operator()(bool holds) const { return holds ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const List& list) const {
    std::string text;
    for (const std::string& each : list) text += (text.empty() ? "" : " ") + each;
    return text;
  }
};

struct Line {
  std::string operator()(const Checked& checked) const { return to_string(checked.outcome); }
  std::string operator()(const Shown& shown) const { return std::visit(Text{}, shown.value); }
  std::string operator()(const Timed& timed) const { return (*this)(timed.shown); }
  std::string operator()(const Explained& explained) const {
    std::string text;
    for (const std::string& line : explained.lines) text += (text.empty() ? "" : " | ") + line;
    return text;
  }
  std::string operator()(const Tabulated& table) const {
    std::string text;
    for (const Tabulated::Row& row : table.rows) {
      text += (text.empty() ? "" : " | ") + Text{}(row.choice);
      for (const auto& cell : row.cells) text += " " + (cell ? (*this)(*cell) : "unknown");
    }
    return text;
  }
  std::string operator()(const Loaded& loaded) const { return loaded.path; }
  std::string operator()(const Written& written) const { return written.path; }
  std::string operator()(const GaveUp& gave_up) const { return "gave up: " + gave_up.reason; }
};

}  // namespace

Run run_script(const dpn::Network& network, const std::string& text, Way way, Limits limits) {
  Run run;
  try {
    Session session{{.limits = limits,
                     .way = way,
                     .folder = {},
                     .load = [&](const std::string&) { return std::make_shared<const Model>(network); },
                     .report = [&](Result result) { run.results.push_back(std::move(result)); },
                     .warn = [&](const Diagnostic& warning) { run.warnings.push_back(warning); }}};
    session.run(parse_script(text, "script.lwq"));
  } catch (const InputError& error) {
    run.problems = error.diagnostics();
  }
  return run;
}

std::string line_of(const Result& result) {
  std::string line = result.statement + ": " + std::visit(Line{}, result.what);
  for (const auto& [variable, value] : result.variables) line += " [" + variable + " = " + value + "]";
  return line;
}

}  // namespace lockwood::sets::testing
