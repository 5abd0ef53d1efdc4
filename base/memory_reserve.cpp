#include "base/memory_reserve.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace lockwood {
namespace {

constexpr std::size_t reserved_bytes = std::size_t{4} << 20U;
std::atomic<void*> reserved = nullptr;

void give_back() { std::free(reserved.exchange(nullptr)); }

[[noreturn]] void give_back_and_fail() {
  give_back();
  throw std::bad_alloc{};
}

}  // namespace

MemoryReserve::MemoryReserve() {
  renew();
  std::set_new_handler(give_back_and_fail);
}

MemoryReserve::~MemoryReserve() {
  std::set_new_handler(nullptr);
  give_back();
}

void MemoryReserve::renew() const {
  if (reserved.load() != nullptr) return;
  void* none = nullptr;
  void* taken = std::malloc(reserved_bytes);
  if (taken == nullptr) throw std::bad_alloc{};
  if (!reserved.compare_exchange_strong(none, taken)) std::free(taken);
}

}  // namespace lockwood
