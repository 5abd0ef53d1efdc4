#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "dpn/model/network.hpp"
#include "dpn/trees/schedule.hpp"

namespace lockwood::dpn::testing {

// A small network with much spawning and locking. Its first rule is a spawn from the initial head.
struct NetworkShape {
  std::size_t controls = 2;
  std::size_t stacks = 5;
  std::size_t locks = 2;
  std::size_t monitors = 4;  // among 8 + so many rules
};
[[nodiscard]] Network random_locking_network(std::uint64_t seed, NetworkShape shape);

// Main spawns the other threads; then each does one random sequence of well-nested monitors, with a spawn here and
// there. Denser in lock conflicts than a network with random rules.
struct StraightLineShape {
  std::size_t threads = 3;
  std::size_t operations = 8;  // of each thread
  std::size_t locks = 3;
};
[[nodiscard]] Network random_straight_line_network(std::uint64_t seed, StraightLineShape shape);

// Straight lines that fork and join: each thread does one random sequence of well-nested monitors and calls, some of
// which open groups, and starts threads of other lines, as members of groups or not; it joins and forgets, and ends.
struct JoiningShape {
  std::size_t lines = 4;
  std::size_t operations = 8;  // of each line
  std::size_t locks = 2;
  std::size_t groups = 2;
};
[[nodiscard]] Network random_joining_network(std::uint64_t seed, JoiningShape shape);

// A random execution with random cuts. Threads and stacks stay small, so that brute force remains possible; a thread
// that ran tends to run on, and threads seldom end.
struct ExecutionShape {
  std::size_t moves = 12;
  std::size_t threads = 3;
  std::size_t depth = 4;
  std::size_t cuts = 2;
  bool ending = false;  // threads end as soon as they can
};
[[nodiscard]] Schedule random_execution(const Network& network, std::uint64_t seed, ExecutionShape shape,
                                        Semantics semantics);

// Whether few threads with few moves are wanted, so that all their schedules can be listed.
enum class TreeSize { ForBruteForce, ForSearch };

// Calls `use` with executions that respect no lock, one for each seed: of random locking networks, and of straight
// lines. The seed is captured for messages.
using UseExecution = std::function<void(const Network& network, const Schedule& execution)>;
void each_locking_execution(std::uint64_t first_seed, std::uint64_t end_seed, TreeSize size, const UseExecution& use);
void each_joining_execution(std::uint64_t first_seed, std::uint64_t end_seed, const UseExecution& use);
void each_straight_line_execution(std::uint64_t first_seed, std::uint64_t end_seed, TreeSize size,
                                  const UseExecution& use);

}  // namespace lockwood::dpn::testing
