#include "frontend/lsp/text.hpp"

#include <algorithm>

namespace lockwood::lsp {
namespace {

// The code units of UTF-16 for the character that begins with this byte of UTF-8; none for bytes inside of one.
std::uint32_t units(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  if ((value & 0xC0U) == 0x80U) return 0;
  return value >= 0xF0U ? 2 : 1;
}

}  // namespace

Text::Text(std::string content) : content_{std::move(content)} { find_lines(); }

void Text::find_lines() {
  begins_.assign(1, 0);
  for (std::size_t i = 0; i < content_.size(); ++i) {
    const bool both = content_[i] == '\r' && i + 1 < content_.size() && content_[i + 1] == '\n';
    if (content_[i] == '\n' || (content_[i] == '\r' && !both)) begins_.push_back(i + 1);
  }
}

std::size_t Text::line_end(std::size_t line) const {
  std::size_t end = line + 1 < begins_.size() ? begins_[line + 1] : content_.size();
  while (end > begins_[line] && (content_[end - 1] == '\n' || content_[end - 1] == '\r')) --end;
  return end;
}

std::size_t Text::offset(TextPosition place) const {
  if (place.line >= begins_.size()) return content_.size();
  const std::size_t end = line_end(place.line);
  std::uint32_t left = place.character;
  std::size_t at = begins_[place.line];
  while (at < end) {
    if (units(content_[at]) > left) break;
    left -= units(content_[at]);
    ++at;
    while (at < end && units(content_[at]) == 0) ++at;
  }
  return at;
}

TextPosition Text::place(std::size_t offset) const {
  offset = std::min(offset, content_.size());
  const auto line = static_cast<std::size_t>(std::ranges::upper_bound(begins_, offset) - begins_.begin()) - 1;
  std::uint32_t character = 0;
  for (std::size_t at = begins_[line]; at < offset; ++at) character += units(content_[at]);
  return {static_cast<std::uint32_t>(line), character};
}

lw::TextEdit Text::replace(TextPosition begin, TextPosition end, std::string_view by) {
  const std::size_t from = offset(begin);
  const std::size_t to = std::max(from, offset(end));
  content_.replace(from, to - from, by);
  find_lines();
  return {{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)}, static_cast<std::uint32_t>(by.size())};
}

}  // namespace lockwood::lsp
