#include <doctest/doctest.h>

#include <array>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/process/exit_status.hpp"
#include "base/process/output_error.hpp"
#include "base/process/run_safely.hpp"
#include "base/text/diagnostic.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood {
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

template <class Failure>
int status_after(const Failure& failure) {
  return run_safely("lockwood", [&]() -> int { throw failure; });
}

TEST_CASE("a broken answer is an internal error, whatever else there is has its own status") {
  CHECK(run_safely("lockwood", [] { return 1; }) == 1);
  CHECK(status_after(solver::BrokenAnswer{"the schedule found does not replay"}) == 4);
  CHECK(status_after(std::logic_error{"impossible"}) == 4);
  CHECK(status_after(std::system_error{std::make_error_code(std::errc::io_error)}) == 4);
  CHECK(status_after(InputError{"file", "not there"}) == 2);
  CHECK(status_after(OutputError{"file", "no room"}) == 2);
  CHECK(status_after(std::bad_alloc{}) == 3);
  CHECK(status_after(std::length_error{"too long"}) == 3);
  for (const std::errc lack : {std::errc::resource_unavailable_try_again, std::errc::too_many_files_open})
    CHECK(status_after(std::system_error{std::make_error_code(lack)}) == 3);
}

}  // namespace
}  // namespace lockwood
