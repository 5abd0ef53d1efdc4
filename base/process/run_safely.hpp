#pragma once

#include <functional>
#include <string_view>

namespace lockwood {

// What this returns, or the exit status that belongs to what it throws, which is told on standard error by the program
// of that name: an internal error, such as a broken answer, is 4.
[[nodiscard]] int run_safely(std::string_view program, const std::function<int()>& work) noexcept;

}  // namespace lockwood
