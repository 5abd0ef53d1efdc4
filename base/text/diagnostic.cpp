#include "base/text/diagnostic.hpp"

#include <algorithm>

#include "base/text/printable.hpp"

namespace lockwood {
namespace {

constexpr std::size_t excerpt_limit = 100;  // bytes of a long line that are shown
constexpr std::size_t excerpt_before = 60;  // of these, at most so many before the place

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::string summary(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += to_text(diagnostic);
  return text;
}

}  // namespace

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error{summary(diagnostics)}, diagnostics_{std::move(diagnostics)} {}

InputError::InputError(std::string file, std::string message)
    : InputError{{Diagnostic{.file = std::move(file), .message = std::move(message)}}} {}

Diagnostic diagnostic_at(std::string_view file, std::string_view text, std::size_t offset, std::size_t width,
                         std::string message) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
  std::size_t line_end = std::min(text.find('\n', offset), text.size());
  if (line_end > line_begin && text[line_end - 1] == '\r' && line_end > offset) --line_end;

  std::size_t begin = line_begin;
  if (line_end - line_begin > excerpt_limit && offset - line_begin > excerpt_before) begin = offset - excerpt_before;
  while (begin > line_begin && continues_character(text[begin])) --begin;
  std::size_t end = std::min(line_end, begin + excerpt_limit);
  while (end > offset && end < line_end && continues_character(text[end])) --end;

  const std::size_t line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  return Diagnostic{
      .file = std::string{file},
      .at = Position{static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(offset - line_begin + 1)},
      .message = std::move(message),
      .excerpt = printable(text.substr(begin, end - begin)),
      .caret = offset - begin,
      .width = std::max<std::size_t>(1, std::min(width, end > offset ? end - offset : 1)),
      .hint = {}};
}

std::string to_text(const Diagnostic& diagnostic) {
  std::string text = printable(diagnostic.file);
  if (diagnostic.at) text += ':' + std::to_string(diagnostic.at->line) + ':' + std::to_string(diagnostic.at->column);
  if (!text.empty()) text += ": ";
  text += diagnostic.severity == Severity::Error     ? "error: "
          : diagnostic.severity == Severity::Warning ? "warning: "
                                                     : "note: ";
  text += printable(diagnostic.message) + '\n';
  if (diagnostic.at) {
    text += "    " + diagnostic.excerpt + "\n    ";
    const auto columns = [&](std::size_t from, std::size_t count) {
      const std::string_view part =
          std::string_view{diagnostic.excerpt}.substr(std::min(from, diagnostic.excerpt.size()), count);
      return static_cast<std::size_t>(
          std::count_if(part.begin(), part.end(), [](char c) { return !continues_character(c); }));
    };
    const std::size_t underline = std::max<std::size_t>(1, columns(diagnostic.caret, diagnostic.width));
    text += std::string(columns(0, diagnostic.caret), ' ') + '^' + std::string(underline - 1, '~') + '\n';
  }
  if (!diagnostic.hint.empty()) text += "    " + printable(diagnostic.hint) + '\n';
  return text;
}

}  // namespace lockwood
