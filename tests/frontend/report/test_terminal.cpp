#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "frontend/report/text/terminal.hpp"

namespace lockwood::frontend {
namespace {

TEST_CASE("a style without colours changes nothing") {
  CHECK(Style{false}(Tone::Bad, "x") == "x");
  CHECK(Style{true}(Tone::Bad, "x") == "\x1b[31mx\x1b[0m");
  CHECK(Style{true}(Tone::Plain, "x") == "x");
  CHECK(Style{true}(Tone::Bad, "").empty());
}

TEST_CASE("a file is no terminal, has no width and gets no colours unless asked") {
  const int file = ::open("/dev/null", O_WRONLY);
  CHECK_FALSE(is_terminal(file));
  CHECK_FALSE(terminal_width(file));
  CHECK_FALSE(style_for(ColorMode::Auto, file).colored());
  CHECK(style_for(ColorMode::Always, file).colored());
  CHECK_FALSE(style_for(ColorMode::Never, file).colored());
  ::close(file);
}

TEST_CASE("width counts characters, not bytes") {
  CHECK(display_width("größe") == 5);
  CHECK(display_width("→ x") == 3);
}

TEST_CASE("clipped text is no wider than asked and keeps characters whole") {
  CHECK(clipped("abcdef", 6) == "abcdef");
  CHECK(clipped("abcdef", 4) == "abc…");
  CHECK(clipped("öäüß", 3) == "öä…");
  CHECK(clipped("abc", 1) == "…");
}

TEST_CASE("shortened text keeps its end, which is what tells places apart") {
  CHECK(shortened("models/bank.lw:17", 17) == "models/bank.lw:17");
  CHECK(shortened("models/bank.lw:17", 10) == "mod….lw:17");
  CHECK(shortened("öäüßé", 4) == "ö…ßé");
  CHECK(shortened("abc", 1) == "…");
}

TEST_CASE("wrapped text breaks at spaces and indents") {
  CHECK(wrapped("one two three", 20, 4) == "one two three");
  CHECK(wrapped("one two three", 11, 4) == "one two\n    three");
  CHECK(wrapped("incomprehensible word", 8, 2) == "incomprehensible\n  word");
  CHECK(wrapped("", 8, 2).empty());
}

}  // namespace
}  // namespace lockwood::frontend
