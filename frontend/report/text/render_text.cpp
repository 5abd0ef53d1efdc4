#include "frontend/report/text/render_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/text/printable.hpp"
#include "dpn/formats/schedule_text.hpp"
#include "dpn/model/query.hpp"

namespace lockwood::frontend {
namespace {

constexpr std::size_t least_column = 8;    // a clipped column keeps so much
constexpr std::size_t longest_table = 40;  // rows that are shown without being asked for details

// Members of JSON keep their names, which are an interface. Some of them have a better word in the glossary.
std::string label_of(std::string_view key) {
  if (key == "nothing_changes_without") return "redundant locks";
  if (key == "apart") return "excluded";
  if (key == "rings_refuted") return "cycles refuted";
  if (key == "rings_undecided") return "cycles undecided";
  std::string label{key};
  std::ranges::replace(label, '_', ' ');
  return label;
}

std::string value_text(const Value& value) {
  struct {
    std::string operator()(bool yes) const { return yes ? "yes" : "no"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return fmt::format("{:.2f}", number); }
    std::string operator()(const std::string& text) const { return printable(text); }
    std::string operator()(const std::vector<std::string>& texts) const {
      return texts.empty() ? "-" : printable(fmt::format("{}", fmt::join(texts, ", ")));
    }
  } text_of;
  return std::visit(text_of, value);
}

bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

std::string title_line(std::string_view title, const TextView& view) {
  return title.empty() ? std::string{} : view.style(Tone::Strong, title) + '\n';
}

std::string property_lines(std::span<const Property> properties, std::size_t indent, const TextView& view) {
  std::size_t label_width = 0;
  for (const Property& property : properties)
    label_width = std::max(label_width, display_width(label_of(property.key)));
  std::string text;
  for (const Property& property : properties) {
    const std::string label = label_of(property.key);
    const std::size_t value_column = indent + label_width + 2;
    text += std::string(indent, ' ') + view.style(Tone::Faint, label) +
            std::string(value_column - indent - display_width(label), ' ');
    const std::string value = value_text(property.value);
    text += view.width ? wrapped(value, std::max(*view.width, value_column + least_column), value_column) : value;
    text += '\n';
  }
  return text;
}

// Narrows the widest columns, one by one, until the line fits. False if it cannot.
bool fit(std::vector<std::size_t>& widths, std::size_t available) {
  const auto total = [&] {
    std::size_t sum = 0;
    for (std::size_t width : widths) sum += width + 2;
    return sum;
  };
  while (total() > available) {
    const auto widest = std::ranges::max_element(widths);
    if (*widest <= least_column) return false;
    *widest = std::max(least_column, *widest - std::min(*widest, total() - available));
  }
  return true;
}

std::string section_text(const PropertyList& list, const TextView& view) {
  return title_line(list.title, view) + property_lines(list.properties, list.title.empty() ? 0 : 2, view);
}

// "races: 2, pairs of accesses: 9"
std::string section_text(const Summary& summary, const TextView& view) {
  std::vector<std::string> parts;
  for (const Property& property : summary.properties) {
    const auto* yes = std::get_if<bool>(&property.value);
    const auto* number = std::get_if<std::int64_t>(&property.value);
    if (yes != nullptr && !*yes) parts.push_back("not " + label_of(property.key));
    if (number != nullptr && (*number != 0 || parts.empty())) parts.push_back(property_text(property));
    // What is excluded is not excluded for certain.
    if (property.key == "gaps" && number != nullptr && *number > 0 && parts.front().ends_with(": 0")) {
      parts.pop_back();
      parts.front() = fmt::format("no {}, except for {} gap{}", label_of(summary.properties.front().key), *number,
                                  *number == 1 ? "" : "s");
    }
  }
  if (view.seconds) parts.push_back(fmt::format("{:.2f} s", *view.seconds));
  const std::string line = fmt::format("{}", fmt::join(parts, ", "));
  return view.style(Tone::Strong, view.width ? wrapped(line, std::max<std::size_t>(*view.width, 20), 2) : line) + '\n';
}

// The rows of a table that is too wide, one below the other, each as a list of its values.
std::string records(const Table& table, std::size_t shown, const TextView& view) {
  std::string text;
  for (const auto& row : std::span{table.rows}.first(shown)) {
    std::vector<Property> properties;
    for (std::size_t i = 0; i < row.size(); ++i) properties.push_back({table.columns[i], row[i]});
    text += (text.empty() ? "" : "\n") + property_lines(properties, 2, view);
  }
  return text;
}

std::string section_text(const Table& table, const TextView& view) {
  std::vector<std::vector<std::string>> cells;
  std::vector<std::size_t> widths;
  std::vector<bool> right(table.columns.size(), true);  // a column of numbers
  for (const std::string& column : table.columns) widths.push_back(display_width(column));
  const std::size_t shown = view.details ? table.rows.size() : std::min(table.rows.size(), longest_table);
  for (const auto& row : std::span{table.rows}.first(shown)) {
    view.stop.check();
    auto& line = cells.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      line.push_back(value_text(row[i]));
      widths[i] = std::max(widths[i], display_width(line.back()));
      if (!is_number(row[i])) right[i] = false;
    }
  }
  std::string text = title_line(table.title, view);
  if (table.rows.empty()) return text + "  none\n";
  const std::string more = shown < table.rows.size()
                               ? fmt::format("  … and {} more; --verbose shows all\n", table.rows.size() - shown)
                               : std::string{};
  if (view.width && !fit(widths, *view.width)) return text + records(table, shown, view) + more;

  const auto add_line = [&](const std::vector<std::string>& line, Tone tone) {
    std::string joined;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string cell = shortened(line[i], widths[i]);
      const std::string padding(widths[i] - display_width(cell), ' ');
      joined += "  " + (right[i] ? padding + cell : cell + padding);
    }
    joined.erase(joined.find_last_not_of(' ') + 1);
    text += view.style(tone, joined) + '\n';
  };
  std::vector<std::string> labels;
  for (const std::string& column : table.columns) labels.push_back(label_of(column));
  add_line(labels, Tone::Faint);
  for (const auto& line : cells) {
    view.stop.check();
    add_line(line, Tone::Plain);
  }
  return text + more;
}

std::string section_text(const Listing& listing, const TextView& view) {
  std::string text = title_line(listing.title, view);
  for (const std::string& line : listing.lines) text += printable(line) + '\n';
  return text;
}

std::string indented(std::string_view lines, std::size_t indent) {
  std::string text;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    text += std::string(indent, ' ').append(line) + '\n';
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
  }
  return text;
}

std::string witness_text(const Witness& witness, std::size_t indent, const TextView& view) {
  return indented(dpn::schedule_text(*witness.network, witness.schedule, view.stop), indent);
}

std::string section_text(const Execution& execution, const TextView& view) {
  return title_line(execution.title, view) + witness_text(execution.witness, 0, view);
}

Tone tone_of(dpn::Verdict verdict) {
  switch (verdict) {
    case dpn::Verdict::Reachable: return Tone::Bad;
    case dpn::Verdict::Unreachable: return Tone::Good;
    case dpn::Verdict::Unknown: return Tone::Doubtful;
  }
  return Tone::Plain;
}

Tone tone_of(const findings::Finding& finding) {
  if (finding.suppressed) return Tone::Faint;
  if (finding.outcome == findings::Outcome::Excluded) return Tone::Good;
  switch (severity_of(finding)) {
    case Severity::Error: return Tone::Bad;
    case Severity::Warning: return Tone::Doubtful;
    case Severity::Note: return Tone::Strong;
  }
  return Tone::Plain;
}

// "write by main.1, which holds a"
std::string site_role(const findings::Site& site) {
  // The role in a cycle says what the thread does, and tells a lock already.
  if (site.role.starts_with("holds ")) return site.thread.empty() ? site.role : site.thread + ' ' + site.role;
  std::string text = site.role;
  if (!site.thread.empty()) text += " by " + site.thread;
  if (!site.holds.empty()) text += fmt::format(", which holds {}", fmt::join(site.holds, ", "));
  return text;
}

// As compilers do: the place, what is there to say, and the line with the place underlined and its role.
std::string comment_text(const findings::SourceSpan& at, Severity severity, Tone tone, const std::string& message,
                         const std::string& role, const TextView& view) {
  const findings::SourceTexts none;
  Diagnostic remark = (view.sources == nullptr ? none : *view.sources).remark(at, severity, message);
  const bool quoted = !remark.excerpt.empty();
  if (!quoted) {  // a place without its line
    const std::string position = remark.at ? fmt::format(":{}:{}", remark.at->line, remark.at->column) : std::string{};
    remark.at.reset();
    remark.file += position;
    if (!role.empty()) remark.hint = role;
  }
  std::string text = to_text(remark);
  const std::size_t first_end = text.find('\n');
  const std::string head = text.substr(0, first_end);
  std::string rest = text.substr(first_end);
  if (quoted && !role.empty()) rest.insert(rest.size() - 1, ' ' + role);
  return view.style(tone, head) + rest;
}

std::string stack_text(const findings::Site& site, const TextView& view) {
  std::string text;
  for (std::size_t i = 1; i < site.stack.size(); ++i) {
    const auto& [what, at] = site.stack[i];
    const std::string where = at.procedure.empty() ? "" : " in " + at.procedure;
    text += view.style(Tone::Faint, fmt::format("      {} at {}{}", what, findings::short_position(at), where)) + '\n';
  }
  return text;
}

std::string padded(std::string text, std::size_t width) {
  text.append(width - std::min(width, display_width(text)), ' ');
  return text;
}

// A schedule in text: what each step says, and where, laid out in columns by thread or, if these do not fit, one below
// the other.
class ScheduleText {
 public:
  ScheduleText(const std::vector<findings::SourceStep>& steps, const TextView& view) : steps_{steps}, view_{view} {
    for (const findings::SourceStep& step : steps) {
      view.stop.check();
      auto thread = std::ranges::find(threads_, step.thread);
      if (thread == threads_.end()) thread = threads_.insert(threads_.end(), step.thread);
      one_file_ = one_file_ && step.at.file == steps.front().at.file;
      column_of_.push_back(static_cast<std::size_t>(thread - threads_.begin()));
    }
  }

  [[nodiscard]] std::string text() const {
    if (steps_.empty()) return {};
    std::vector<std::string> cells;
    std::vector<std::size_t> widths;
    for (const std::string& thread : threads_) widths.push_back(display_width(thread));
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      view_.stop.check();
      cells.push_back(cell(steps_[i]));
      widths[column_of_[i]] = std::max(widths[column_of_[i]], display_width(cells.back()));
    }
    std::size_t total = number_width;
    for (std::size_t width : widths) total += width + 2;
    return total <= view_.width.value_or(widest) ? in_columns(cells, widths) : in_a_list();
  }

 private:
  static constexpr std::size_t number_width = 6;
  static constexpr std::size_t widest = 120;         // where nobody knows how wide it may be
  static constexpr std::size_t deepest_indent = 10;  // recursion would push steps off the screen

  [[nodiscard]] std::string position(const findings::SourceStep& step) const {
    return one_file_ && step.at.begin.line > 0 ? std::to_string(step.at.begin.line) : findings::short_position(step.at);
  }

  // "15: acquires x", indented by how deep in calls and regions it is. That a `sync` acquires need not be said twice.
  [[nodiscard]] std::string cell(const findings::SourceStep& step) const {
    const std::string event = findings::event_text(step);
    std::string said = event.empty() ? step.what : step.what + ", " + event;
    if (step.what == "sync " + step.object) said = event;
    if (step.kind == findings::StepKind::Spawn) said = fmt::format("{} as {}", step.what, step.object);
    return fmt::format("{}{}: {}", std::string(std::min(step.depth, deepest_indent), ' '), position(step), said);
  }

  // A blank line between phases would look like the end of the finding, so phases are told by a line of their own.
  [[nodiscard]] std::string phase_line(std::size_t i) const {
    const bool phases = steps_.front().phase != steps_.back().phase;
    if (!phases || (i > 0 && steps_[i].phase == steps_[i - 1].phase)) return {};
    return view_.style(Tone::Faint, fmt::format("    phase {}", steps_[i].phase)) + '\n';
  }

  [[nodiscard]] std::string in_columns(const std::vector<std::string>& cells,
                                       const std::vector<std::size_t>& widths) const {
    std::string head(number_width, ' ');
    for (std::size_t i = 0; i < threads_.size(); ++i) head += "  " + padded(threads_[i], widths[i]);
    head.erase(head.find_last_not_of(' ') + 1);
    std::string text = view_.style(Tone::Strong, head) + '\n';
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      view_.stop.check();
      text += phase_line(i) + fmt::format("{:6}", i + 1);
      for (std::size_t column = 0; column < column_of_[i]; ++column) text += std::string(widths[column] + 2, ' ');
      text += "  " + cells[i] + '\n';
    }
    return text;
  }

  [[nodiscard]] std::string in_a_list() const {
    std::size_t thread_width = 0;
    std::size_t position_width = 0;
    std::size_t what_width = 0;
    for (const findings::SourceStep& step : steps_) {
      thread_width = std::max(thread_width, display_width(step.thread));
      position_width = std::max(position_width, display_width(position(step)));
      what_width = std::max(what_width, display_width(step.what));
    }
    std::string text;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      view_.stop.check();
      const findings::SourceStep& step = steps_[i];
      std::string line = fmt::format("{:6}  {}  {}  {}  {}", i + 1, padded(step.thread, thread_width),
                                     padded(position(step), position_width), padded(step.what, what_width),
                                     findings::event_text(step));
      line.erase(line.find_last_not_of(' ') + 1);
      text += phase_line(i) + (view_.width ? clipped(line, std::max<std::size_t>(*view_.width, 20)) : line) + '\n';
    }
    return text;
  }

  const std::vector<findings::SourceStep>& steps_;
  const TextView& view_;
  std::vector<std::string> threads_;
  std::vector<std::size_t> column_of_;  // by step
  bool one_file_ = true;
};

// "id f889b1e4f289, executed, new"
std::string identity_text(const findings::Finding& finding, const TextView& view) {
  std::string text = "id " + finding.id;
  if (finding.certainty) text += fmt::format(", {}", findings::to_string(*finding.certainty));
  if (finding.settled && finding.settled->verdict == findings::Settled::Verdict::Excluded)
    text += ", excluded by the program's values";
  if (finding.baseline && finding.outcome == findings::Outcome::Found) text += ", new";
  return "  " + view.style(Tone::Faint, text) + '\n';
}

// What an earlier report has told already is one line.
std::string known_text(const findings::Finding& finding) {
  std::string text;
  if (!finding.sites.empty()) text = printable(findings::short_position(finding.sites.front().at)) + ": ";
  return text + fmt::format("known from the baseline: {} [{} {}]\n", printable(finding.message),
                            findings::to_string(finding.rule), finding.id);
}

}  // namespace

std::string to_text(const findings::Finding& finding, const TextView& view) {
  const Severity severity = severity_of(finding);
  const std::string message = fmt::format("{} [{}]", finding.message, findings::to_string(finding.rule));
  std::string text;
  if (finding.sites.empty()) {
    const auto paths = view.sources == nullptr ? std::vector<std::string>{} : view.sources->paths();
    const findings::SourceSpan nowhere{
        .file = paths.empty() ? "lockwood" : paths.front(), .begin = {0, 0}, .end = {0, 0}};
    text = comment_text(nowhere, severity, tone_of(finding), message, {}, view);
  }
  if (finding.baseline == findings::BaselineState::Unchanged && finding.outcome == findings::Outcome::Found)
    return known_text(finding);
  for (std::size_t i = 0; i < finding.sites.size(); ++i) {
    const findings::Site& site = finding.sites[i];
    text += i == 0 ? comment_text(site.at, severity, tone_of(finding), message, site_role(site), view)
                   : comment_text(site.at, Severity::Note, Tone::Strong, site_role(site), {}, view);
    if (view.schedules) text += stack_text(site, view);
  }
  text += identity_text(finding, view);
  if (finding.suppressed) text += fmt::format("  ignored: {}\n", *finding.suppressed);
  std::vector<std::string> sentences = finding.explanation;
  if (finding.obstacle) sentences.push_back(*finding.obstacle);
  for (const std::string& sentence : sentences)
    text +=
        "  " +
        (view.width ? wrapped(printable(sentence), std::max<std::size_t>(*view.width, 20), 2) : printable(sentence)) +
        '\n';
  for (const findings::Assumption& each : finding.assumptions)
    text += fmt::format("  assumed ({}): {}{}\n", each.kind, printable(each.text),
                        each.place.empty() ? "" : ", at " + printable(each.place));
  if (view.schedules && !finding.suppressed) text += ScheduleText{finding.schedule, view}.text();
  return text;
}

std::string property_text(const Property& property) {
  return fmt::format("{}: {}", label_of(property.key), value_text(property.value));
}

std::string to_text(const Section& section, const TextView& view) {
  return std::visit([&](const auto& content) { return section_text(content, view); }, section);
}

std::string to_text(const QueryAnswer& answer, const TextView& view) {
  std::string text = printable(answer.query) + ": ";
  if (contradicts_expectation(answer))
    text += view.style(Tone::Doubtful, fmt::format("expected {}, but is", to_string(*answer.expected))) + ' ';
  std::string verdict = to_string(answer.verdict);
  if (!answer.unknown_because.empty()) verdict += " (" + answer.unknown_because + ')';
  text += view.style(tone_of(answer.verdict), verdict) + '\n';
  if (answer.certainty == findings::Certainty::Possible) text += "  possible: the program's values do otherwise\n";
  if (!answer.run.empty()) text += "  executed with the program's values:\n";
  for (const std::string& sentence : answer.explanation) text += "  " + printable(sentence) + '\n';
  if (view.schedules && !answer.run.empty()) {
    text += ScheduleText{answer.run, view}.text();
  } else if (view.schedules && answer.schedule)
    text += witness_text(*answer.schedule, 2, view);
  // Whoever gets no answer wants to know what to do about it.
  const bool notes = view.details || answer.verdict == dpn::Verdict::Unknown;
  for (const std::string& note : answer.notes)
    if (notes && note != answer.unknown_because) text += "    note: " + printable(note) + '\n';
  if (view.details) text += property_lines(answer.statistics, 4, view);
  return text;
}

namespace {

std::string value_text(const sets::Shown& shown) {
  if (const auto* list = std::get_if<TextList>(&shown.value)) return fmt::format("{{{}}}", fmt::join(*list, ", "));
  if (const auto* holds = std::get_if<bool>(&shown.value)) return *holds ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&shown.value)) return std::to_string(*number);
  return std::get<std::string>(shown.value);
}

std::string indented(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + '\n';
  return text;
}

// Two variables and one value are a grid; else each choice has a row.
std::vector<std::vector<std::string>> cells_of(const sets::Tabulated& table) {
  const auto text_of = [](const std::optional<sets::Shown>& cell) { return cell ? value_text(*cell) : "unknown"; };
  std::vector<std::vector<std::string>> lines;
  if (table.variables.size() == 2 && table.columns.size() == 1) {
    std::vector<std::string> heading(1);
    for (const auto& row : table.rows) {
      auto column = std::ranges::find(heading.begin() + 1, heading.end(), row.choice[1]);
      const auto number = static_cast<std::size_t>(column - heading.begin());
      if (column == heading.end()) heading.push_back(row.choice[1]);
      if (lines.empty() || lines.back()[0] != row.choice[0]) lines.push_back({row.choice[0]});
      lines.back().resize(std::max(lines.back().size(), number + 1));
      lines.back()[number] = text_of(row.cells[0]);
    }
    lines.insert(lines.begin(), std::move(heading));
    return lines;
  }
  lines.push_back(table.variables);
  lines.back().insert(lines.back().end(), table.columns.begin(), table.columns.end());
  for (const auto& row : table.rows) {
    lines.push_back(row.choice);
    for (const auto& cell : row.cells) lines.back().push_back(text_of(cell));
  }
  return lines;
}

std::string grid_text(const std::vector<std::vector<std::string>>& lines, const TextView& view) {
  std::vector<std::size_t> widths;
  for (const auto& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], display_width(line[i]));
  }
  std::string text;
  for (std::size_t number = 0; number < lines.size(); ++number) {
    std::string row = " ";
    for (std::size_t i = 0; i < lines[number].size(); ++i) {
      const std::string& cell = lines[number][i];
      row += ' ' + (number == 0 ? view.style(Tone::Strong, cell) : cell) +
             (i + 1 == lines[number].size() ? "" : std::string(widths[i] - display_width(cell) + 1, ' '));
    }
    text += row + '\n';
  }
  return text;
}

Tone tone_of(sets::Outcome outcome) {
  if (outcome == sets::Outcome::Holds) return Tone::Good;
  return outcome == sets::Outcome::Fails ? Tone::Bad : Tone::Doubtful;
}

}  // namespace

std::string to_text(const sets::Result& result, const TextView& view) {
  std::string head = result.statement;
  for (const auto& [variable, value] : result.variables)
    head += view.style(Tone::Faint, fmt::format(" [{} = {}]", variable, value));
  if (!head.empty()) head += ": ";  // there is none where the statement was just typed
  const std::string end = result.seconds ? fmt::format(" ({:.3f} s)\n", *result.seconds) : "\n";
  struct Body {
    const std::string& head;
    const std::string& end;
    const TextView& view;
    std::string operator()(const sets::Checked& checked) const {
      std::string text = head + view.style(tone_of(checked.outcome), to_string(checked.outcome)) + end;
      std::string reason = checked.sentence;
      if (reason.empty() && !checked.because.empty() && checked.outcome == sets::Outcome::Fails) reason = "tree";
      if (!checked.because.empty()) reason += (reason.empty() ? "" : ": ") + checked.because;
      return text + (reason.empty() ? "" : "  " + reason + '\n') + indented(checked.details);
    }
    std::string operator()(const sets::Shown& shown) const {
      return head + value_text(shown) + end + indented(shown.details);
    }
    std::string operator()(const sets::Timed& timed) const { return (*this)(timed.shown); }
    std::string operator()(const sets::Explained& explained) const {
      return head.empty() ? indented(explained.lines)
                          : head.substr(0, head.size() - 1) + end + indented(explained.lines);
    }
    std::string operator()(const sets::Tabulated& table) const {
      return (head.empty() ? "" : head.substr(0, head.size() - 1) + end) + grid_text(cells_of(table), view) +
             (table.because.empty() ? "" : "  unknown: " + table.because + '\n');
    }
    std::string operator()(const sets::GaveUp& gave_up) const {
      return head + view.style(Tone::Doubtful, "unknown") + end + "  " + gave_up.reason + '\n';
    }
    std::string operator()(const sets::Loaded&) const { return {}; }
    std::string operator()(const sets::Written&) const { return {}; }
  };
  return std::visit(Body{head, end, view}, result.what);
}

std::string summary_of(const std::vector<QueryAnswer>& answers) {
  std::string text = fmt::format("{} {}", answers.size(), answers.size() == 1 ? "query" : "queries");
  const char* separator = ": ";
  for (dpn::Verdict verdict : {dpn::Verdict::Reachable, dpn::Verdict::Unreachable, dpn::Verdict::Unknown}) {
    const auto number = std::ranges::count(answers, verdict, &QueryAnswer::verdict);
    if (number == 0) continue;
    text += fmt::format("{}{} {}", separator, number, to_string(verdict));
    separator = ", ";
  }
  if (const auto number = std::ranges::count_if(answers, contradicts_expectation); number > 0)
    text += fmt::format("; {} not as expected", number);
  return text;
}

}  // namespace lockwood::frontend
