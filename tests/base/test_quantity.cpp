#include <doctest/doctest.h>

#include "base/text/quantity.hpp"

namespace lockwood {
namespace {

using namespace std::chrono_literals;

TEST_CASE("durations have a unit, seconds by default") {
  CHECK(parse_duration("90s") == 90s);
  CHECK(parse_duration("90") == 90s);
  CHECK(parse_duration("2m") == 2min);
  CHECK(parse_duration("500ms") == 500ms);
  CHECK(parse_duration("1.5h") == 90min);
  CHECK(parse_duration("0.25s") == 250ms);
}

TEST_CASE("what is no duration is refused") {
  for (const char* text : {"", "s", "-1s", "+1s", "1 s", "1d", "1ss", "0", "0s", "0.0001ms", "inf", "nan", "1e3s",
                           "999999999999999999999h", "12m5"})
    CHECK_MESSAGE(!parse_duration(text), text);
}

TEST_CASE("sizes are in powers of 1024, bytes by default") {
  CHECK(parse_size("1") == 1);
  CHECK(parse_size("1B") == 1);
  CHECK(parse_size("64K") == 64 * 1024);
  CHECK(parse_size("64KiB") == 64 * 1024);
  CHECK(parse_size("512MB") == std::size_t{512} << 20U);
  CHECK(parse_size("4G") == std::size_t{4} << 30U);
  CHECK(parse_size("1.5T") == std::size_t{3} << 39U);
}

TEST_CASE("what is not a size is refused") {
  for (const char* text : {"", "G", "-1", "0", "1 G", "4g", "4GG", "4Gi", "1P", "9999999999T", "0x10"})
    CHECK_MESSAGE(!parse_size(text), text);
}

TEST_CASE("quantities are shown in a unit that fits") {
  CHECK(duration_text(340ms) == "0.3 s");
  CHECK(duration_text(12'900ms) == "12 s");
  CHECK(duration_text(125s) == "2 min 5 s");
  CHECK(count_text(0) == "0");
  CHECK(count_text(999) == "999");
  CHECK(count_text(1000) == "1,000");
  CHECK(count_text(3511) == "3,511");
  CHECK(count_text(123'456) == "123,456");
  CHECK(count_text(1'234'567) == "1,234,567");
  CHECK(size_text(512) == "512 B");
  CHECK(size_text(1536) == "1.5 KiB");
  CHECK(size_text(std::size_t{300} << 20U) == "300 MiB");
}

}  // namespace
}  // namespace lockwood
