#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "frontend/report/sarif/line_hashes.hpp"

namespace lockwood::reports {

using Hashes = std::vector<std::string>;

TEST_CASE("lines have the hashes that code scanning gives them") {
  // From the tests of codeql-action.
  CHECK(line_hashes("") == Hashes{"c129715d7a2bc9a3:1"});
  const Hashes four{"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"};
  CHECK(line_hashes(" a\nb\n  \t\tc\n d") == four);
  CHECK(line_hashes(" a\rb\r  \t\tc\r d") == four);
  CHECK(line_hashes(" a\r\nb\r\n  \t\tc\r\n d") == four);
}

TEST_CASE("the same lines are numbered, and blanks do not matter") {
  const std::string far(200, 'x');  // what follows a line is part of its hash, so far
  const Hashes hashes = line_hashes("a" + far + "\na" + far + "\n a" + far + "\n");
  REQUIRE(hashes.size() == 4);
  CHECK(hashes[0].ends_with(":1"));
  CHECK(hashes[1] == hashes[0].substr(0, hashes[0].size() - 1) + "2");
  CHECK(hashes[2] == hashes[0].substr(0, hashes[0].size() - 1) + "3");
}

}  // namespace lockwood::reports
