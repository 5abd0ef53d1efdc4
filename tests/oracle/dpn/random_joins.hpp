#pragma once

#include <cstdint>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

// Random models with groups and joins, always the same for a seed.
namespace lockwood::dpn {

struct RandomJoinsSizes {
  std::size_t bodies = 5;  // of threads and procedures, at most; the first one is main
  std::size_t items = 4;   // of a body or region, at most
  std::size_t locks = 3;   // at most
  std::size_t groups = 2;  // at most
  bool recursive = false;  // calls and starts may lead back
  std::size_t held_joins =
      0;  // of a hundred items: regions in which a thread is started and joined that needs the lock
};

// A small program: bodies with steps, branches, nested regions of locks, calls that may open groups, starts of threads
// with and without memberships, joins, and groups that are forgotten. Bodies call and start later ones only, unless
// they are recursive, so that executions are finite. Each body has an action, and the ends of bodies have another one.
[[nodiscard]] Network random_joins(std::uint64_t seed, const RandomJoinsSizes& sizes = {});

// A question of one to three steps that follows a random execution, in which mostly neither locks nor joins make
// anybody wait: at the end of each step some threads are where they are in the execution, and actions that are not done
// in it are avoided. So it is often unreachable because of locks, joins, or both.
[[nodiscard]] Query random_joins_query(const Network& network, std::uint64_t seed);

// A question about the place behind some join: in one step, or after a step in which a member, or the thread before the
// join, is somewhere, while some actions are avoided. As above if there is no join.
[[nodiscard]] Query behind_join_query(const Network& network, std::uint64_t seed);

}  // namespace lockwood::dpn
