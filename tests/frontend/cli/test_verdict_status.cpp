#include <doctest/doctest.h>

#include "frontend/cli/answering/verdict_status.hpp"

namespace lockwood::frontend {
namespace {

QueryAnswer answered(dpn::Verdict verdict, std::optional<dpn::Verdict> expected = {}) {
  return QueryAnswer{.query = "q", .verdict = verdict, .expected = expected};
}

constexpr auto reachable = dpn::Verdict::Reachable;
constexpr auto unreachable = dpn::Verdict::Unreachable;
constexpr auto unknown = dpn::Verdict::Unknown;

TEST_CASE("among several answers a finding counts more than an open one, and an open one more than none") {
  const FailureOptions failures{.reachable = true};
  CHECK(status_of({}, {}, failures) == ExitStatus::Nothing);
  CHECK(status_of({answered(unreachable)}, {}, failures) == ExitStatus::Nothing);
  CHECK(status_of({answered(unreachable), answered(unknown)}, {}, failures) == ExitStatus::GaveUp);
  CHECK(status_of({answered(reachable), answered(unknown)}, {}, failures) == ExitStatus::Finding);
}

TEST_CASE("what is a finding can be chosen") {
  CHECK(status_of(answered(reachable), {}) == ExitStatus::Nothing);
  CHECK(status_of(answered(unknown), {.unknown = true}) == ExitStatus::Finding);
  CHECK(status_of(answered(reachable, unreachable), {.unexpected = true}) == ExitStatus::Finding);
  CHECK(status_of(answered(reachable, reachable), {.unexpected = true}) == ExitStatus::Nothing);
  CHECK(status_of(answered(unknown, reachable), {.unexpected = true}) == ExitStatus::GaveUp);
  CHECK(status_of({answered(reachable)}, {.fail_on = FailureOptions{}}, {.reachable = true}) == ExitStatus::Nothing);
}

TEST_CASE("exit status zero on request, whatever the answers are") {
  CHECK(status_of({answered(reachable), answered(unknown)}, {.exit_zero = true}, {.reachable = true}) ==
        ExitStatus::Nothing);
}

}  // namespace
}  // namespace lockwood::frontend
