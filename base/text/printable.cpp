#include "base/text/printable.hpp"

#include <algorithm>

namespace lockwood {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// After some first bytes of UTF-8, not every second one makes a character: it could be written shorter, is one of the
// surrogates, or lies behind the last one.
bool may_follow(unsigned char first, char byte) {
  const auto second = static_cast<unsigned char>(byte);
  if (first == 0xE0) return second >= 0xA0;
  if (first == 0xED) return second < 0xA0;
  if (first == 0xF0) return second >= 0x90;
  if (first == 0xF4) return second < 0x90;
  return true;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown{text};
  for (std::size_t i = 0; i < shown.size();) {
    const auto byte = static_cast<unsigned char>(shown[i]);
    std::size_t length = byte < 0x80 ? 1 : byte > 0xF4 ? 0 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 0;
    const bool whole = length > 0 && i + length <= shown.size() && may_follow(byte, shown[i + 1]) &&
                       std::all_of(shown.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                   shown.begin() + static_cast<std::ptrdiff_t>(i + length), continues);
    // U+0080 to U+009F, written in two bytes, are control characters too.
    const bool control = byte < 0x20 || byte == 0x7F || (whole && byte == 0xC2 && text[i + 1] < '\xA0');
    if (!whole || control) {
      shown[i] = byte == '\t' ? ' ' : '?';
      length = 1;
    }
    i += length;
  }
  return shown;
}

std::string shown_name(std::string_view name) {
  constexpr std::size_t limit = 60;  // bytes
  if (name.size() <= limit) return std::string{name};
  std::size_t end = limit;
  while (end > 0 && continues(name[end])) --end;
  return std::string{name.substr(0, end)} + "…";
}

}  // namespace lockwood
