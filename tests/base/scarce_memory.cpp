#include "tests/base/scarce_memory.hpp"

#include <cstdlib>

namespace lockwood {

thread_local std::size_t ScarceMemory::left_ = std::numeric_limits<std::size_t>::max();

}  // namespace lockwood

void* operator new(std::size_t size) {
  if (void* memory = lockwood::ScarceMemory::take() ? std::malloc(size == 0 ? 1 : size) : nullptr) return memory;
  throw std::bad_alloc{};
}

// Inlined, they would free what the compiler knows as made by new, which it warns of.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
