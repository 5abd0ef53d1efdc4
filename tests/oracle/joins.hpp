#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

// The engine against exhaustive exploration on random models with groups and joins.
namespace lockwood::oracle {

// A random model with groups, of one of several kinds: structured programs, small programs dense in joins, and rules at
// random; some of them are recursive. Always the same for a seed.
[[nodiscard]] dpn::Network network_with_joins(std::uint64_t seed);
[[nodiscard]] dpn::Query query_with_joins(const dpn::Network& network, std::uint64_t seed);

// The network with joins that do not wait.
[[nodiscard]] dpn::Network without_joins(const dpn::Network& network);

struct JoinTally {
  std::size_t verdicts = 0;  // compared: several ways to solve for each query
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t because_of_joins = 0;   // unreachable, and reachable if joins do not wait
  std::size_t because_of_both = 0;    // of these: reachable without locks, too
  std::size_t because_of_phases = 0;  // unreachable, and each step by itself, with nothing avoided, is reachable
  std::size_t several_phases = 0;
  std::size_t symbolic = 0;   // verdicts that the symbolic domain gave
  std::size_t undecided = 0;  // by exploration
  [[nodiscard]] std::size_t decided() const { return reachable + unreachable; }
};
std::ostream& operator<<(std::ostream& out, const JoinTally& tally);

// What is wrong with the answers to the query, shrunk, or nothing: a verdict that exploration contradicts, answers that
// depend on what is left out or on the number of threads, or a witness that does not replay. `turn` chooses some of the
// ways to solve.
[[nodiscard]] std::optional<std::string> wrong_answer_with_joins(const dpn::Network& network, const dpn::Query& query,
                                                                 std::uint64_t turn, JoinTally& tally);

}  // namespace lockwood::oracle
