#pragma once

#include <cstddef>
#include <limits>
#include <new>

namespace lockwood {

// While it exists, this thread can allocate so many times; then std::bad_alloc is thrown. One at a time. Programs that
// use it are linked with scarce_memory.cpp, which replaces operator new.
class ScarceMemory {
 public:
  explicit ScarceMemory(std::size_t allocations) { left_ = allocations; }
  ScarceMemory(const ScarceMemory&) = delete;
  ScarceMemory& operator=(const ScarceMemory&) = delete;
  ~ScarceMemory() { left_ = std::numeric_limits<std::size_t>::max(); }

  // Whether there may be one more.
  static bool take() { return left_ != 0 && left_-- != 0; }

 private:
  static thread_local std::size_t left_;
};

// Lets the work run out of memory at its first allocation, at its second one, and so on, until it has enough. It must
// end by std::bad_alloc or do what it does. How many times it failed.
template <class Work>
std::size_t failures_for_memory(const Work& work) {
  for (std::size_t allocations = 0;; ++allocations) {
    try {
      const ScarceMemory scarce{allocations};
      work();
      return allocations;
    } catch (const std::bad_alloc&) {
      continue;
    }
  }
}

}  // namespace lockwood
