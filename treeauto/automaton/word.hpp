#pragma once

#include <cstddef>
#include <cstdint>

namespace lockwood::treeauto {

// An index as it is kept in sequences of numbers.
[[nodiscard]] constexpr std::uint32_t word(std::size_t index) { return static_cast<std::uint32_t>(index); }

}  // namespace lockwood::treeauto
