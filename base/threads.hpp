#pragma once

#include <system_error>

namespace lockwood {

// Whether this is the failure to start one more thread, as under a tight limit of memory or of processes.
[[nodiscard]] inline bool lacks_threads(const std::system_error& error) {
  return error.code() == std::errc::resource_unavailable_try_again;
}

}  // namespace lockwood
