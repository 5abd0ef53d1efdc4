#include "base/text/json.hpp"

#include <doctest/doctest.h>

#include <string>

#include "base/text/json_text.hpp"
#include "tests/oracle/base/scarce_memory.hpp"

namespace lockwood {
namespace {

const std::string sample = R"({"a": [[1, "a string that does not fit into its object"], {"b": {"c": [null, {}, []]}}],
                               "d": {"e": [true, 0.5], "f": {"g": "h"}}})";

// A check inside the work would take std::bad_alloc for a failure of its own.
template <class Json>
void check_all_ways_to_run_out_of_memory() {
  const auto read = Json::parse(sample);
  bool right = false;
  CHECK(failures_for_memory([&] { right = Json::parse(sample) == read; }) > 10);
  CHECK(right);
  CHECK(failures_for_memory([&] { right = Json(read) == read; }) > 10);
  CHECK(right);
  CHECK(failures_for_memory([&] { right = read.dump().size() > 50; }) > 0);
  CHECK(right);
  CHECK(failures_for_memory([&] {
          Json made{{"list", {1, {2, {3, "four"}}}}, {"object", {{"key", {{"inner", "value"}}}}}};
          made["list"].push_back({{"pushed", {5, 6}}});
          made["new"]["newer"]["newest"] = made["object"];
          made.update({{"update", made["new"]}, {"object", nullptr}});
          right = says(made["update"]["newer"]["newest"]["key"]["inner"], "value");
        }) > 20);
  CHECK(right);
}

}  // namespace

TEST_CASE("values in JSON that are half made when memory runs out can be cleared away") {
  check_all_ways_to_run_out_of_memory<nlohmann::json>();
  check_all_ways_to_run_out_of_memory<nlohmann::ordered_json>();
  std::size_t members = 0;
  CHECK(failures_for_memory([&] { members = parse_json_text(sample, "f").size(); }) > 10);
  CHECK(members == 2);
}

TEST_CASE("values in JSON go without memory, as deep as they can be read") {
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += R"([1,{"a":)";
  deep += "null";
  for (int i = 0; i < 500; ++i) deep += "}, 2]";
  auto value = parse_json_text(deep, "f");
  {
    const ScarceMemory none{0};
    value = nullptr;
  }
  CHECK(value.is_null());
}

TEST_CASE("a value is compared with a text without memory") {
  const nlohmann::json values{"a text that does not fit into its object", "", 7, nullptr};
  bool right = false;
  {
    const ScarceMemory none{0};
    right = says(values[0], "a text that does not fit into its object") && !says(values[0], "a text") &&
            says(values[1], "") && !says(values[2], "7") && !says(values[3], "");
  }
  CHECK(right);
}

TEST_CASE("binary values go, too") {
  const auto value = nlohmann::json::binary({1, 2, 3});
  CHECK(nlohmann::ordered_json(value).get_binary().size() == 3);
}

}  // namespace lockwood
