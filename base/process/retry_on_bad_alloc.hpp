#pragma once

#include <malloc.h>

#include <chrono>
#include <new>
#include <thread>

namespace lockwood {

// The result of the work. If there is no memory for it, it is tried again for a second, in which others may give some
// back. Requires that nothing is lost when it throws std::bad_alloc.
template <class Work>
auto retry_on_bad_alloc(const Work& work) {
  constexpr int attempts = 20;
  for (int attempt = 1; attempt < attempts; ++attempt) {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      ::malloc_trim(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{1000 / attempts});
  }
  return work();
}

}  // namespace lockwood
