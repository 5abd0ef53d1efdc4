#include "frontend/sets/syntax.hpp"

#include <algorithm>

namespace lockwood::sets {
namespace {

constexpr std::ptrdiff_t note_limit = 4;  // of one problem

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

std::string quoted_line(const Source& source, Extent at) {
  const std::string_view text = std::string_view{source.text}.substr(at.begin, at.width);
  std::string line;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!in_string && text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
      if (!line.empty() && line.back() != ' ') line.push_back(' ');
    } else if (!in_string && is_blank(text[i])) {
      if (!line.empty() && line.back() != ' ') line.push_back(' ');
    } else {
      if (text[i] == '"') in_string = !in_string;
      line.push_back(text[i]);
      // What is escaped does not end the text.
      if (in_string && text[i] == '\\' && i + 1 < text.size()) line.push_back(text[++i]);
    }
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

InputError with_note(const Source& source, Extent at, std::string note, const InputError& problems) {
  std::vector<Diagnostic> diagnostics = problems.diagnostics();
  if (std::ranges::count(diagnostics, Severity::Note, &Diagnostic::severity) >= note_limit) return problems;
  diagnostics.push_back(problem_at(source, at, std::move(note)));
  diagnostics.back().severity = Severity::Note;
  return InputError{std::move(diagnostics)};
}

Diagnostic problem_at(const Source& source, Extent at, std::string message, std::string hint) {
  // Only what stands on the first line is underlined.
  const std::size_t line_end = std::min(source.text.find('\n', at.begin), source.text.size());
  const std::size_t width = std::max<std::size_t>(1, std::min(at.width, line_end - std::min(at.begin, line_end)));
  Diagnostic diagnostic = diagnostic_at(source.file, source.text, at.begin, width, std::move(message));
  diagnostic.at->line += source.first_line - 1;
  diagnostic.hint = std::move(hint);
  return diagnostic;
}

}  // namespace lockwood::sets
