#pragma once

#include <cstddef>
#include <functional>

namespace lockwood::solver {

// Runs `work` where TBB has `jobs` threads, this one among them, or as many as the system allows; `work` is told how
// many. TBB's own threads would not do: it ends the program when it cannot start one of them.
void with_workers(std::size_t jobs, const std::function<void(std::size_t)>& work);

}  // namespace lockwood::solver
