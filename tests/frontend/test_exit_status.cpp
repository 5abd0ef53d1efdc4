#include <doctest/doctest.h>

#include <array>

#include "frontend/exit_status.hpp"

namespace lockwood::frontend {
namespace {

constexpr std::array all{ExitStatus::Nothing, ExitStatus::Finding, ExitStatus::BadInput, ExitStatus::GaveUp,
                         ExitStatus::Internal};

TEST_CASE("a finding outweighs what was not decided, and an error outweighs both") {
  CHECK(combined(ExitStatus::Nothing, ExitStatus::GaveUp) == ExitStatus::GaveUp);
  CHECK(combined(ExitStatus::Finding, ExitStatus::GaveUp) == ExitStatus::Finding);
  CHECK(combined(ExitStatus::Finding, ExitStatus::BadInput) == ExitStatus::BadInput);
  CHECK(combined(ExitStatus::Internal, ExitStatus::BadInput) == ExitStatus::Internal);
}

TEST_CASE("the combined status does not depend on the order") {
  for (ExitStatus a : all) {
    CHECK(combined(a, a) == a);
    CHECK(combined(a, ExitStatus::Nothing) == a);
    for (ExitStatus b : all) {
      CHECK(combined(a, b) == combined(b, a));
      for (ExitStatus c : all) CHECK(combined(combined(a, b), c) == combined(a, combined(b, c)));
    }
  }
}

}  // namespace
}  // namespace lockwood::frontend
