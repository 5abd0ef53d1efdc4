#pragma once

#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace lockwood {

// A row number that knows its table: passing a lock where a stack symbol is meant does not compile.
template <class Tag>
class Id {
 public:
  constexpr explicit Id(std::size_t index) : index_{static_cast<std::uint32_t>(index)} {
    assert(index <= std::numeric_limits<std::uint32_t>::max());
  }
  [[nodiscard]] constexpr std::size_t index() const { return index_; }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::uint32_t index_;
};

}  // namespace lockwood

template <class Tag>
struct std::hash<lockwood::Id<Tag>> {
  std::size_t operator()(lockwood::Id<Tag> id) const noexcept {
    return static_cast<std::size_t>(id.index() * 0x9E3779B97F4A7C15ULL);
  }
};
