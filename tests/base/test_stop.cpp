#include <doctest/doctest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "base/process/stop.hpp"
#include "base/process/watchdog.hpp"

using namespace lockwood;
using namespace std::chrono_literals;

TEST_CASE("a default token never stops, and the first reason stays") {
  CHECK_FALSE(StopToken{}.stop_requested());
  StopSource source;
  const StopToken token{source};
  CHECK_NOTHROW(token.check());
  source.request(StopReason::Memory);
  source.request(StopReason::Timeout);
  CHECK(token.reason() == StopReason::Memory);
  CHECK_THROWS_AS(token.check(), Interrupted);
}

TEST_CASE("the watchdog stops what runs over its time or its memory") {
  StopSource late;
  const Watchdog clock{late, {.timeout = 1ms, .memory = {}}};
  while (!StopToken{late}.stop_requested()) std::this_thread::sleep_for(1ms);
  CHECK(StopToken{late}.reason() == StopReason::Timeout);

  StopSource large;
  const Watchdog scales{large, {.timeout = {}, .memory = 1}};
  while (!StopToken{large}.stop_requested()) std::this_thread::sleep_for(1ms);
  CHECK(StopToken{large}.reason() == StopReason::Memory);
}

TEST_CASE("a watchdog over a part passes on that the whole is to stop") {
  StopSource whole;
  StopSource part;
  const Watchdog watchdog{part, {.timeout = 1h}, StopToken{whole}};
  CHECK_FALSE(StopToken{part}.stop_requested());
  whole.request(StopReason::Cancelled);
  while (!StopToken{part}.stop_requested()) std::this_thread::sleep_for(1ms);
  CHECK(StopToken{part}.reason() == StopReason::Cancelled);
}
