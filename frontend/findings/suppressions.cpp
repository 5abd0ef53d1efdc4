#include "frontend/findings/suppressions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace lockwood::findings {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// Takes the word off the front of the text, if it stands there.
bool take(std::string_view& text, std::string_view word) {
  text = trimmed(text);
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

std::optional<Rule> take_rule(std::string_view& text) {
  for (Rule rule : {Rule::Race, Rule::Deadlock, Rule::Waiting})
    if (take(text, to_string(rule))) return rule;
  return std::nullopt;
}

// "(a, b)"; nothing is a list, too. False if the parenthesis is not closed or a name is empty.
bool take_subjects(std::string_view& text, std::vector<std::string>& subjects) {
  if (!take(text, "(")) return true;
  const std::size_t end = text.find(')');
  if (end == std::string_view::npos) return false;
  std::string_view list = text.substr(0, end);
  text.remove_prefix(end + 1);
  while (true) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view name = trimmed(list.substr(0, comma));
    if (name.empty()) return false;
    subjects.emplace_back(name);
    if (comma == list.size()) return true;
    list.remove_prefix(comma + 1);
  }
}

// Fields have the names of classes and packages before their own, which a remark may leave out.
bool is_named(const std::string& subject, const std::string& name) {
  return subject == name ||
         (subject.size() > name.size() && subject.ends_with(name) &&
          std::string_view{".$"}.find(subject[subject.size() - name.size() - 1]) != std::string_view::npos);
}

bool concerns(const Suppression& suppression, const Finding& finding) {
  if (finding.rule != suppression.rule) return false;
  const bool there = std::ranges::any_of(finding.sites, [&](const Site& site) {
    return site.at.file == suppression.file && site.at.begin.line <= suppression.line &&
           suppression.line <= site.at.end.line;
  });
  if (!there || suppression.subjects.empty()) return there;
  const std::vector<std::string>& wanted = suppression.subjects;
  std::vector<std::string> given;
  std::string_view rest = finding.subject;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    given.emplace_back(trimmed(rest.substr(0, comma)));
    rest.remove_prefix(std::min(rest.size(), comma + 1));
  }
  return wanted.size() == given.size() && std::ranges::all_of(given, [&](const std::string& subject) {
           return std::ranges::any_of(wanted, [&](const std::string& name) { return is_named(subject, name); });
         });
}

}  // namespace

Suppressions suppressions(const std::vector<Comment>& comments, const std::string& file) {
  Suppressions found;
  for (const Comment& comment : comments) {
    std::string_view text = comment.text;
    if (!take(text, "lockwood:")) continue;
    const auto complain = [&](std::string message) {
      found.complaints.push_back({.severity = Severity::Warning,
                                  .file = file,
                                  .at = comment.at,
                                  .message = std::move(message),
                                  .excerpt = {},
                                  .hint = "write: // lockwood: ignore race(x) -- reason"});
    };
    if (!take(text, "ignore")) {
      complain("all that a remark can say is what to ignore");
      continue;
    }
    Suppression suppression{.rule = Rule::Race,
                            .subjects = {},
                            .reason = {},
                            .file = file,
                            .written = comment.at,
                            .line = comment.line + (comment.alone ? 1 : 0)};
    const auto rule = take_rule(text);
    if (!rule) {
      complain("only races, deadlocks and waiting for ever can be ignored");
      continue;
    }
    suppression.rule = *rule;
    if (!take_subjects(text, suppression.subjects)) {
      complain("the names of what to ignore are not understood");
      continue;
    }
    if (!take(text, "--") || trimmed(text).empty()) {
      complain("what is ignored needs a reason");
      continue;
    }
    suppression.reason = trimmed(text);
    found.all.push_back(std::move(suppression));
  }
  return found;
}

std::vector<Diagnostic> unused(const Suppressions& suppressions, Rule rule) {
  std::vector<Diagnostic> warnings;
  for (const Suppression& suppression : suppressions.all)
    if (suppression.rule == rule && suppression.used == 0)
      warnings.push_back(
          {.severity = Severity::Warning,
           .file = suppression.file,
           .at = suppression.written,
           .message = fmt::format(
               "there is no {} {}to ignore here", to_string(rule),
               suppression.subjects.empty() ? "" : fmt::format("on {} ", fmt::join(suppression.subjects, ", "))),
           .excerpt = {},
           .hint = {}});
  return warnings;
}

void apply(Suppressions& suppressions, std::vector<Finding>& findings) {
  for (Finding& finding : findings)
    for (Suppression& suppression : suppressions.all) {
      if (!concerns(suppression, finding)) continue;
      ++suppression.used;
      if (!finding.suppressed) finding.suppressed = suppression.reason;
    }
}

}  // namespace lockwood::findings
