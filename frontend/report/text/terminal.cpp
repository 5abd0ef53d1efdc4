#include "frontend/report/text/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace lockwood::frontend {
namespace {

const char* escape_of(Tone tone) {
  switch (tone) {
    case Tone::Plain: return "";
    case Tone::Strong: return "\x1b[1m";
    case Tone::Faint: return "\x1b[2m";
    case Tone::Good: return "\x1b[32m";
    case Tone::Bad: return "\x1b[31m";
    case Tone::Doubtful: return "\x1b[33m";
  }
  return "";
}

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

}  // namespace

std::string Style::operator()(Tone tone, std::string_view text) const {
  if (!colored_ || tone == Tone::Plain || text.empty()) return std::string{text};
  return std::string{escape_of(tone)}.append(text).append("\x1b[0m");
}

Style style_for(ColorMode mode, int descriptor) {
  if (mode != ColorMode::Auto) return Style{mode == ColorMode::Always};
  return Style{is_terminal(descriptor) && environment("NO_COLOR").empty() && environment("TERM") != "dumb"};
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

std::optional<std::size_t> terminal_width(int descriptor) {
  if (!is_terminal(descriptor)) return std::nullopt;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string clipped(std::string_view text, std::size_t columns) {
  assert(columns > 0);
  if (display_width(text) <= columns) return std::string{text};
  std::size_t end = 0;
  for (std::size_t kept = 0; end < text.size(); ++end) {
    if (begins_character(text[end]) && kept++ == columns - 1) break;
  }
  return std::string{text.substr(0, end)}.append("…");
}

std::string shortened(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  if (width <= columns) return std::string{text};
  const std::size_t first = (columns - 1) / 3;
  const std::size_t left_out = width - (columns - 1);  // characters between the beginning and the end
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end)
    if (begins_character(text[end]) && seen++ == first + left_out) break;
  return clipped(text, first + 1).append(text.substr(end));
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string result;
  std::size_t used = indent;
  bool first_word = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t width = display_width(word);
    if (!first_word && used + 1 + width > columns) {
      result += '\n' + std::string(indent, ' ');
      used = indent;
    } else if (!first_word) {
      result += ' ';
      ++used;
    }
    result += word;
    used += width;
    first_word = false;
  }
  return result;
}

}  // namespace lockwood::frontend
