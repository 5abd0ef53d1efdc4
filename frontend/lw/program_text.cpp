#include "frontend/lw/program_text.hpp"

#include <algorithm>

#include "frontend/lw/parser.hpp"
#include "frontend/lw/reparse.hpp"
#include "frontend/lw/text_lines.hpp"
#include "frontend/lw/translate.hpp"

namespace lockwood::lw {
namespace {

Diagnostic at_range(const ProgramText& program, const program::SourceRange& range, std::string message) {
  const TextLines lines{program.text};
  const std::size_t begin = lines.offset(range.begin);
  return diagnostic_at(program.path, program.text, begin, lines.offset(range.end) - begin, std::move(message));
}

// `before` is a program that was read earlier, if there is one.
ProgramText read(std::string text, std::string path, const ProgramText* before, StopToken stop) {
  ProgramText result{.path = std::move(path),
                     .text = std::move(text),
                     .tree = {},
                     .referents = {},
                     .program = {},
                     .comments = {},
                     .warnings = {}};
  auto reparsed = before == nullptr ? std::nullopt : reparse(before->tree, before->text, result.text, result.path);
  result.tree = reparsed ? std::move(reparsed->tree) : parse(result.text, result.path, stop);
  stop.check();
  const TextLines lines{result.text};
  Resolved resolved = resolve(result.tree, lines, result.text, result.path);
  result.warnings = std::move(resolved.warnings);
  result.referents = resolved.referents;
  if (reparsed)
    result.program = translate_again(result.tree, std::move(resolved), lines,
                                     {before->tree, before->referents, before->program}, reparsed->declaration);
  else
    result.program = translate(result.tree, std::move(resolved), lines);

  stop.check();
  std::vector<Diagnostic> errors;
  for (const program::Warning& impossible : program::impossible_waits(result.program))
    errors.push_back(at_range(result, impossible.range, impossible.message));
  if (!errors.empty()) throw InputError{std::move(errors)};

  const auto found = program::warnings(result.program);
  result.warnings.insert(result.warnings.end(), found.begin(), found.end());
  std::ranges::stable_sort(result.warnings, {}, &program::Warning::range);
  for (const Comment& comment : result.tree.comments)
    result.comments.push_back({comment.text, lines.position(comment.range.begin),
                               lines.position(comment.first ? comment.range.end : comment.range.begin).line,
                               comment.alone});
  return result;
}

// The text behind blanks and comments, which models and programs write alike.
std::string_view behind_comments(std::string_view text) {
  if (constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const std::string_view end = text.starts_with("//") ? "\n" : text.starts_with("/*") ? "*/" : "";
    if (end.empty()) return text;
    const std::size_t at = text.find(end, 2);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  }
}

}  // namespace

bool is_program(std::string_view path, std::string_view text) {
  if (path.ends_with(".lw")) return true;
  if (path.ends_with(".dpn") || path.ends_with(".json")) return false;
  const std::string_view begin = behind_comments(text);
  return begin.starts_with("var ") || begin.starts_with("lock ") || begin.starts_with("proc ");
}

ProgramText read_program(std::string text, std::string path, StopToken stop) {
  return read(std::move(text), std::move(path), nullptr, stop);
}

ProgramText read_program_again(std::string text, const ProgramText& before) {
  if (text == before.text) return before;  // what was wrong in between has been taken back
  return read(std::move(text), before.path, &before, {});
}

Diagnostic to_diagnostic(const ProgramText& program, const program::Warning& warning) {
  Diagnostic diagnostic =
      at_range(program, warning.range, warning.message + " [" + std::string{program::name_of(warning.code)} + "]");
  diagnostic.severity = Severity::Warning;
  return diagnostic;
}

Diagnostic with_excerpt(const ProgramText& program, Diagnostic diagnostic) {
  if (!diagnostic.at || !diagnostic.excerpt.empty() || diagnostic.file != program.path) return diagnostic;
  Diagnostic shown =
      diagnostic_at(program.path, program.text, TextLines{program.text}.offset(*diagnostic.at), 1, diagnostic.message);
  shown.severity = diagnostic.severity;
  shown.hint = std::move(diagnostic.hint);
  return shown;
}

}  // namespace lockwood::lw
