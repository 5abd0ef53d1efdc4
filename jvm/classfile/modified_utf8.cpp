#include "jvm/classfile/modified_utf8.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace lockwood::jvm {
namespace {

unsigned byte_at(std::string_view bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

bool continues(std::string_view bytes, std::size_t i) {
  return i < bytes.size() && (byte_at(bytes, i) & 0xC0U) == 0x80U;
}

// Nearly all names are plain letters. Eight at a time: a byte is plain if its top bit is clear and it is not zero.
bool plain_ascii(std::string_view bytes) {
  constexpr std::uint64_t tops = 0x8080808080808080ULL;
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    // word - ones borrows into a top bit exactly if some byte was zero, as no top bit is set.
    if (((word | (word - ones)) & tops) != 0) return false;
  }
  return std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(i), bytes.end(),
                     [](char c) { return c != 0 && static_cast<unsigned char>(c) < 0x80U; });
}

void append_utf8(std::string& text, std::uint32_t character) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xC0U | character >> 6U);
    put(0x80U | (character & 0x3FU));
  } else if (character < 0x10000) {
    put(0xE0U | character >> 12U);
    put(0x80U | (character >> 6U & 0x3FU));
    put(0x80U | (character & 0x3FU));
  } else {
    assert(character < 0x110000);
    put(0xF0U | character >> 18U);
    put(0x80U | (character >> 12U & 0x3FU));
    put(0x80U | (character >> 6U & 0x3FU));
    put(0x80U | (character & 0x3FU));
  }
}

bool is_high_surrogate(char16_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(char16_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

}  // namespace

std::optional<std::size_t> malformed_modified_utf8(std::string_view bytes) {
  if (plain_ascii(bytes)) return std::nullopt;
  std::size_t i = 0;
  while (i < bytes.size()) {
    const unsigned first = byte_at(bytes, i);
    if (first != 0 && first < 0x80U) {
      ++i;
    } else if ((first & 0xE0U) == 0xC0U && continues(bytes, i + 1)) {
      i += 2;
    } else if ((first & 0xF0U) == 0xE0U && continues(bytes, i + 1) && continues(bytes, i + 2)) {
      i += 3;
    } else {
      return i;
    }
  }
  return std::nullopt;
}

std::u16string utf16_of(std::string_view modified) {
  assert(!malformed_modified_utf8(modified));
  std::u16string units;
  units.reserve(modified.size());
  std::size_t i = 0;
  while (i < modified.size()) {
    const unsigned first = byte_at(modified, i);
    if (first < 0x80U) {
      units += static_cast<char16_t>(first);
      ++i;
    } else if ((first & 0xE0U) == 0xC0U) {
      units += static_cast<char16_t>((first & 0x1FU) << 6U | (byte_at(modified, i + 1) & 0x3FU));
      i += 2;
    } else {
      units += static_cast<char16_t>((first & 0x0FU) << 12U | (byte_at(modified, i + 1) & 0x3FU) << 6U |
                                     (byte_at(modified, i + 2) & 0x3FU));
      i += 3;
    }
  }
  assert(i == modified.size());
  return units;
}

std::string utf8_of(std::string_view modified) {
  if (plain_ascii(modified)) return std::string{modified};
  const std::u16string units = utf16_of(modified);
  std::string text;
  text.reserve(modified.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    const char16_t unit = units[i];
    if (is_high_surrogate(unit) && i + 1 < units.size() && is_low_surrogate(units[i + 1])) {
      append_utf8(text, 0x10000U + ((unit - 0xD800U) << 10U) + (units[i + 1] - 0xDC00U));
      ++i;
    } else {
      append_utf8(text, is_high_surrogate(unit) || is_low_surrogate(unit) ? 0xFFFDU : unit);
    }
  }
  return text;
}

}  // namespace lockwood::jvm
