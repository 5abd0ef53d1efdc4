#include "tests/oracle/base/scarce_memory.hpp"

#include <cstdlib>
#include <new>

namespace lockwood {

thread_local std::size_t ScarceMemory::left_ = std::numeric_limits<std::size_t>::max();

}  // namespace lockwood

void* operator new(std::size_t size) {
  if (void* memory = lockwood::ScarceMemory::take() ? std::malloc(size == 0 ? 1 : size) : nullptr) return memory;
  throw std::bad_alloc{};
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return lockwood::ScarceMemory::take() ? std::malloc(size == 0 ? 1 : size) : nullptr;
}

// Inlined, they would free what the compiler knows as made by new, which it warns of.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

// What a value in JSON has got when its constructor runs out of memory is lost. That is the library's fault, and does
// no harm to a query that is given up; so the leak sanitizer, which looks for this function, is not to tell of it.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:nlohmann"; }
