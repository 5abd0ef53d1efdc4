#include "base/process/run_safely.hpp"

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "base/process/exit_status.hpp"
#include "base/process/output_error.hpp"
#include "base/process/standard_streams.hpp"
#include "base/process/stop.hpp"
#include "base/process/threads.hpp"
#include "base/text/diagnostic.hpp"

namespace lockwood {
namespace {

// Needs no memory but that of the message: it may be the lack of it that is to be told.
int failure(std::string_view program, ExitStatus status, std::string_view message) noexcept {
  put_message(program, ": ", {});
  put_message(message, "\n", {});
  return static_cast<int>(status);
}

// The status for the exception that is being handled.
int status_of_failure(std::string_view program) {
  try {
    throw;
  } catch (const InputError& error) {
    put_message(error.what());
    return static_cast<int>(ExitStatus::BadInput);
  } catch (const OutputError& error) {
    return failure(program, ExitStatus::BadInput, error.what());
  } catch (const Interrupted& interrupted) {
    return failure(program, ExitStatus::GaveUp, to_string(interrupted.reason()));
  } catch (const std::bad_alloc&) {
    return failure(program, ExitStatus::GaveUp, "out of memory");
  } catch (const std::length_error& error) {
    return failure(program, ExitStatus::GaveUp, std::string{"the result is too large: "} + error.what());
  } catch (const std::system_error& error) {
    if (lacks_threads(error)) return failure(program, ExitStatus::GaveUp, "the system allows no more threads");
    if (lacks_files(error)) return failure(program, ExitStatus::GaveUp, "the system allows no more open files");
    return failure(program, ExitStatus::Internal, std::string{"internal error: "} + error.what());
  } catch (const std::exception& error) {
    return failure(program, ExitStatus::Internal, std::string{"internal error: "} + error.what());
  }
}

}  // namespace

int run_safely(std::string_view program, const std::function<int()>& work) noexcept {
  try {
    return work();
  } catch (...) {
    try {
      return status_of_failure(program);
    } catch (...) {  // there is not even memory to tell it
      return failure(program, ExitStatus::GaveUp, "out of memory");
    }
  }
}

}  // namespace lockwood
