#include <doctest/doctest.h>

#include <string>

#include "base/text/json.hpp"
#include "base/text/json_place.hpp"

using namespace lockwood;
using Json = nlohmann::json;

namespace {

const std::string odd_document =
    "\xEF\xBB\xBF { \"a\" : [1, {\"b\":\"]\\\"}\", \"c\": [[], {}, -2.5e3]}, true],\n"
    "  \"long name\":null , \"d\": {\"a\": {\"a\": \"\\\\\"}}, \"last\": 7 }\n";

// What is underlined.
std::string underlined(std::string_view text, std::string_view path) {
  const Diagnostic found = diagnostic_at_path("f", text, path, "m");
  return found.excerpt.substr(found.caret, found.width);
}

template <class Visit>
void each_value(const Json& value, const Visit& visit) {
  visit(value);
  if (value.is_structured())
    for (const Json& element : value) each_value(element, visit);
}

}  // namespace

TEST_CASE("every value of a document has a path, and its text is at the place of that path") {
  const Json parsed = Json::parse(odd_document);
  std::size_t values = 0;
  each_value(parsed, [&](const Json& value) {
    const std::string path = path_of(parsed, &value);
    CAPTURE(path);
    CHECK(&parsed.at(Json::json_pointer{path}) == &value);
    const std::string text = underlined(odd_document, path);
    if (value.is_structured()) {
      CHECK(text == (value.is_array() ? "[" : "{"));
    } else {
      CHECK(Json::parse(text) == value);
    }
    ++values;
  });
  CHECK(values == 15);
  CHECK(diagnostic_at_path("f", odd_document, "/d/a/a", "m").at == Position{2, 39});
  CHECK(diagnostic_at_path("f", odd_document, "/d/a/a", "m").message == "/d/a/a: m");
  CHECK(diagnostic_at_path("f", odd_document, "", "m").message == "m");
  CHECK(diagnostic_at_path("f", odd_document, '/' + std::string(1'000'000, 'x'), "m").message.size() < 100);
}

TEST_CASE("the place of what is not there is that of the last value on the way") {
  CHECK(underlined(odd_document, "/a/1/x") == "{");
  CHECK(underlined(odd_document, "/a/7") == "[");
  CHECK(underlined(odd_document, "/last/3") == "7");
  const Json parsed = Json::parse(odd_document);
  const Json other;
  CHECK(path_of(parsed, &other).empty());
}

TEST_CASE("places are found in texts that end too early or are no JSON") {
  for (std::size_t size = 0; size <= odd_document.size(); ++size)
    for (const char* path : {"", "/a/1/c/2", "/d/a/a", "/last"})
      for (const std::string& text : {odd_document.substr(0, size), odd_document.substr(size)})
        CHECK(diagnostic_at_path("f", text, path, "m").at.has_value());
  for (const char* text : {"[,,]", "{:}", "{\"a\" 1}", "[\"\\", "}", "{\"a\":}"})
    CHECK(underlined(text, "/a/0").size() <= 1);
}
