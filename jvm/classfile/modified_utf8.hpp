#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockwood::jvm {

// Modified UTF-8 [lindholm.21.jvm, Sect. 4.4.7]: each 16-bit unit of a string is encoded by itself, in one to three
// bytes, and U+0000 in two. Names stay as the class file has them, without a copy; they are equal if their bytes are.

// The place of the first byte that breaks the encoding.
[[nodiscard]] std::optional<std::size_t> malformed_modified_utf8(std::string_view bytes);

// The units of the text. Requires that it is well-formed.
[[nodiscard]] std::u16string utf16_of(std::string_view modified);

// The text in standard UTF-8: surrogates that belong together become one character, others U+FFFD. Requires that it is
// well-formed.
[[nodiscard]] std::string utf8_of(std::string_view modified);

}  // namespace lockwood::jvm
