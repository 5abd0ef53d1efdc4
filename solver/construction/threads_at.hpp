#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::solver::reference {

// T_rw, for any number of sets: m different threads stand with their tops of stack in S₁, …, Sₘ [nordhoff.13.iterable,
// Example 1, where m = 2]. Cuts are ignored. A thread that could stand for several sets is given to one of them, by
// guessing; given to none, it would only do less.
class Standing {
 public:
  using Value = std::uint64_t;  // bit i: the set number i has its thread

  // Throws TooManyGoals for more than 64 sets.
  Standing(const dpn::Network& network, const std::vector<std::vector<dpn::StackSymbol>>& sets);
  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value& value) const { return value == all_; }

 private:
  IdVector<dpn::StackSymbol, std::uint64_t> sets_of_;
  std::uint64_t all_ = 0;
};

}  // namespace lockwood::solver::reference
