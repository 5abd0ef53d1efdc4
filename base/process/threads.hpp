#pragma once

#include <system_error>

namespace lockwood {

// Whether this is the failure to start one more thread, as under a tight limit of memory or of processes.
[[nodiscard]] inline bool lacks_threads(const std::system_error& error) {
  return error.code() == std::errc::resource_unavailable_try_again;
}

// Whether this is the failure to open one more file.
[[nodiscard]] inline bool lacks_files(const std::system_error& error) {
  return error.code() == std::errc::too_many_files_open || error.code() == std::errc::too_many_files_open_in_system;
}

}  // namespace lockwood
