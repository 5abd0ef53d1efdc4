#pragma once

namespace lockwood {

// Memory that is given back when there is no more, before std::bad_alloc is thrown for that: some destructors of values
// in JSON need a little, and the program would end if they had none. One at a time.
class MemoryReserve {
 public:
  MemoryReserve() noexcept;
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;
  ~MemoryReserve();

  // Takes it again after it was given back, if there is that much.
  void renew() const noexcept;
};

}  // namespace lockwood
