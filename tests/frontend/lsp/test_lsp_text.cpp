#include <doctest/doctest.h>

#include <string>

#include "frontend/lsp/text.hpp"

namespace lockwood::lsp {
namespace {

TEST_CASE("a place is counted in UTF-16, and an offset in bytes") {
  const Text text{"a\u00e4\U0001d4b3b\nc"};  // 1, 2, 4 and 1 bytes; 1, 1, 2 and 1 units
  CHECK(text.offset({0, 1}) == 1);
  CHECK(text.offset({0, 2}) == 3);
  CHECK(text.offset({0, 3}) == 3);  // within a character
  CHECK(text.offset({0, 4}) == 7);
  CHECK(text.offset({1, 0}) == 9);
  CHECK(text.place(7) == TextPosition{0, 4});
  CHECK(text.place(8) == TextPosition{0, 5});
  CHECK(text.place(9) == TextPosition{1, 0});
}

TEST_CASE("offset and place are inverse to each other at every character, whatever ends the lines") {
  const std::string content = "x\r\n\r\r\n\u00e4\n\n\U0001d4b3y\r";
  const Text text{content};
  for (std::size_t offset = 0; offset <= content.size(); ++offset) {
    CAPTURE(offset);
    const bool inside = offset < content.size() && (static_cast<unsigned char>(content[offset]) & 0xC0U) == 0x80U;
    const bool line_end =
        offset > 0 && offset < content.size() && content[offset - 1] == '\r' && content[offset] == '\n';
    if (!inside && !line_end) CHECK(text.offset(text.place(offset)) == offset);
  }
  CHECK(text.place(content.size()) == TextPosition{6, 0});
}

TEST_CASE("what is outside of the text is moved into it") {
  const Text text{"ab\r\nc"};
  CHECK(text.offset({0, 99}) == 2);
  CHECK(text.offset({99, 0}) == 5);
  CHECK(Text{""}.offset({3, 4}) == 0);
  CHECK(Text{""}.place(7) == TextPosition{0, 0});
}

TEST_CASE("a piece of the text is replaced") {
  Text text{"one\ntwo\nthree"};
  text.replace({0, 3}, {1, 3}, "\U0001d4b3\n");
  CHECK(text.content() == "one\U0001d4b3\n\nthree");
  CHECK(text.place(9) == TextPosition{2, 0});
  text.replace({2, 0}, {0, 0}, "!");  // an end before the beginning is the beginning
  CHECK(text.content() == "one\U0001d4b3\n\n!three");
}

}  // namespace
}  // namespace lockwood::lsp
