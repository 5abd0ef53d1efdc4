#include <doctest/doctest.h>

#include <string>

#include "base/text/json.hpp"
#include "base/text/json_dump.hpp"

using namespace lockwood;

TEST_CASE("a value is dumped as the library does it, and what is no UTF-8 is replaced") {
  const nlohmann::ordered_json value{{"z", {1, 2.5, nullptr, true}},
                                     {"a", {{"text", "ü\n\"<"}, {"none", nlohmann::ordered_json::object()}}}};
  CHECK(dumped(value, no_indentation, {}) == value.dump());
  CHECK(dumped(value, 2, {}) == value.dump(2));
  CHECK(dumped(nlohmann::ordered_json::array(), 2, {}) == "[]");
  CHECK(dumped(nlohmann::ordered_json("a\xFFz"), no_indentation, {}) == "\"a\xEF\xBF\xBDz\"");
}

TEST_CASE("whoever dumps listens") {
  StopSource source;
  const nlohmann::ordered_json value = nlohmann::ordered_json::array({1, 2, 3});
  CHECK(dumped(value, no_indentation, StopToken{source}) == "[1,2,3]");
  source.request(StopReason::Timeout);
  CHECK_THROWS_AS(static_cast<void>(dumped(value, no_indentation, StopToken{source})), Interrupted);
}
