#pragma once

#include <cstddef>
#include <cstdint>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "solver/query/problem.hpp"

// Random models and questions for the comparison of engines, always the same for a seed. They are wide: what occurs in
// one model and the questions about it is meant to separate threads, procedures, locks and phases from each other.
namespace lockwood::oracle {

struct WideSizes {
  std::size_t threads = 4;     // at most, main included; more if a thread is started in a procedure or a loop
  std::size_t locks = 6;       // at most
  std::size_t procedures = 3;  // at most
  std::size_t points = 8;      // about so many per body at most, but at least 3
};

// A network of a small program. Monitors are nested, some are reentrant, some are around calls; procedures belong to
// one thread or are shared, and a few are recursive. Actions tell threads, procedures, kinds of rules or single rules
// apart, or are few and mean nothing. One network in eight is not a program but has rules at random.
[[nodiscard]] dpn::Network wide_network(std::uint64_t seed, const WideSizes& sizes = {});

// A question of one to three steps, more than 40 % of them of several. Some follow an execution that respects locks and
// avoided actions, or does not respect one of them; some are about a lock that a thread keeps while another passes by;
// some about two threads in regions of one lock. Avoided are the actions of a thread, one action, all but one, or some.
[[nodiscard]] dpn::Query wide_query(const dpn::Network& network, std::uint64_t seed);

// The same question, with a lock to be held or wanted in some of its goals, and sometimes with two sets of required
// actions in a phase. Only a Problem can ask for these.
[[nodiscard]] problem::Problem with_lock_goals(const dpn::Network& network, problem::Problem problem,
                                               std::uint64_t seed);

}  // namespace lockwood::oracle
