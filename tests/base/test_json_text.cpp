#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/json_text.hpp"

using namespace lockwood;
using Json = nlohmann::json;

namespace {

std::string json_error(std::string_view text, const JsonReading& reading = {}) {
  try {
    (void)parse_json_text(text, "f", reading);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a NUL byte is no end") {
  for (const std::string& text :
       {std::string{"[1]\0", 4}, std::string{"[1]\0 garbage {{{", 16}, std::string{"[1\0]", 4}})
    CHECK(json_error(text).find("malformed JSON: a NUL byte") != std::string::npos);
}

TEST_CASE("JSON is read as its library reads it") {
  for (const char* text :
       {"null", "true", "-3", "18446744073709551615", "0.5e3", R"("a\u00e9\"")", "[]", "{}", "\xEF\xBB\xBF[1]",
        R"([1, "x", [2, {}], {"a": [], "b": {"a": null}}])", R"({"b": {"c": 1}, "a": {"c": [{"c": 2}]}})"})
    CHECK(parse_json_text(text, "f") == Json::parse(text));
}

TEST_CASE("two members of one name are an error with the place of the second") {
  CHECK(json_error(R"({"a": 1, "b": 2, "a": 3})") ==
        "f:1:18: error: malformed JSON: the object has the member 'a' already\n"
        "    {\"a\": 1, \"b\": 2, \"a\": 3}\n                     ^~~\n");
  CHECK(json_error("[{\"x\": {\n\"q\\\"\": 1,\n  \"\\u0071\\\"\": 2}}]").starts_with("f:3:3: error: "));
  CHECK(json_error(R"({"": 1, "": 2})").starts_with("f:1:9: error: "));
  CHECK(json_error(R"([{"a": {"a": 1}}, {"a": 2}])") == "no error");
}

TEST_CASE("what is not JSON, too large a number and deep nesting are errors with their places") {
  CHECK(json_error("{\n  oops}").starts_with("f:2:3: error: malformed JSON: syntax error"));
  CHECK(json_error("").starts_with("f:1:1: error: malformed JSON: syntax error"));
  CHECK(json_error("[1] 2").starts_with("f:1:5: error: "));
  CHECK(json_error("[1,\n1e999]").starts_with("f:2:5: error: malformed JSON: a number is too large"));
  CHECK(json_error("[[[]]]", {.depth_limit = 3}) == "no error");
  CHECK(json_error("[[\n[]]]", {.depth_limit = 2}).starts_with("f:2:1: error: malformed JSON: nested deeper than 2"));
  CHECK(json_error(std::string(10'000'000, '[')).starts_with("f:1:1001: error: "));
}

TEST_CASE("elements of the document's arrays can be taken one by one") {
  std::vector<std::string> seen;
  const TakeElement take = [&](const Json& document, std::string_view member, const Json& element) {
    seen.push_back(std::string{member} + element.dump() + (document.contains("last") ? " late" : ""));
    return member == "b";
  };
  const Json left = parse_json_text(R"({"a": [1, [2, 3]], "x": {"b": [4]}, "b": [{"b": [5]}, [], "s"], "last": [6]})",
                                    "f", {.take = take});
  CHECK(left == Json::parse(R"({"a": [1, [2, 3]], "x": {"b": [4]}, "b": [], "last": [6]})"));
  CHECK(seen == std::vector<std::string>{"a1", "a[2,3]", R"(b{"b":[5]})", "b[]", R"(b"s")", "last6 late"});
}
