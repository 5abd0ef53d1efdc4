#include <doctest/doctest.h>

#include "base/text/diagnostic.hpp"
#include "base/text/printable.hpp"

using namespace lockwood;

TEST_CASE("a diagnostic shows its line with a caret") {
  const auto diagnostic = diagnostic_at("m.dpn", "one\ntwo three\n", 8, 5, "no such thing");
  CHECK(diagnostic.at == Position{2, 5});
  CHECK(to_text(diagnostic) == "m.dpn:2:5: error: no such thing\n    two three\n        ^~~~~\n");
}

TEST_CASE("the caret stands under characters, not bytes") {
  const auto diagnostic = diagnostic_at("m", "\"größe\" x", 10, 1, "here");
  CHECK(to_text(diagnostic) == "m:1:11: error: here\n    \"größe\" x\n            ^\n");
}

TEST_CASE("a long line is clipped around the place, and garbage is made printable") {
  std::string text(10'000'000, 'x');
  text[5'000'000] = '\x01';
  const auto diagnostic = diagnostic_at("m", text, 5'000'000, 1, "bad byte");
  CHECK(diagnostic.excerpt.size() <= 100);
  CHECK(diagnostic.excerpt[diagnostic.caret] == '?');
  CHECK(diagnostic.at == Position{1, 5'000'001});
}

TEST_CASE("what is printable cannot do anything to a terminal, and all else stays") {
  CHECK(printable("\xED\xA0\x80 \xF4\x90\x80\x80 \xE0\x80\x80 \xF0\x8F\xBF\xBF \xF5\x80\x80\x80") ==
        "??? ???? ??? ???? ????");
  CHECK(printable("\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF\xE0\xA0\x80") ==
        "\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF\xE0\xA0\x80");
  CHECK(printable("größe → γ₀ 😀") == "größe → γ₀ 😀");
  CHECK(printable("a\x1B[31m\a\nb\tc\x7F") == "a?[31m??b c?");
  CHECK(printable("\xC2\x9B"
                  "31m \xC2\xA0") == "??31m \xC2\xA0");  // U+009B begins what ESC [ begins
  CHECK(printable("\xFF\xC3") == "??");
  const Diagnostic remark{.file = "\x1B.dpn", .message = "unknown '\x1B[2J'", .hint = "did you mean '\a'?"};
  CHECK(to_text(remark) == "?.dpn: error: unknown '?[2J'\n    did you mean '?'?\n");
}

TEST_CASE("the end of a text, of a CRLF line and of an empty text are places") {
  CHECK(diagnostic_at("m", "ab", 2, 1, "end").caret == 2);
  CHECK(diagnostic_at("m", "ab\r\ncd", 2, 1, "end").excerpt == "ab");
  CHECK(diagnostic_at("m", "ab\r\ncd", 0, 1, "begin").excerpt == "ab");
  CHECK(diagnostic_at("m", "", 0, 1, "empty").at == Position{1, 1});
}
