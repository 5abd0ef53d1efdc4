#pragma once

namespace lockwood {

// Memory that is given back when there is no more, before std::bad_alloc is thrown for that: the destructors of values
// in JSON need some, and the program would end if they had none. One at a time.
class MemoryReserve {
 public:
  // Throws std::bad_alloc if there is not that much: then it is better not to begin.
  MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;
  ~MemoryReserve();

  // Takes it again after it was given back. Throws std::bad_alloc if there is not that much.
  void renew() const;
};

}  // namespace lockwood
