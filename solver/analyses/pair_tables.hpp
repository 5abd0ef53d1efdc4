#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "solver/analyses/mhp.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/reduction/relevance.hpp"

namespace lockwood::solver {

// Tables of the pairs of places at which two threads can stand, for questions that ask about the same places over and
// over, as the questions about the races on one variable do: from one run for all pairs (mhp.hpp), which takes about as
// long as a few questions.
//
// Places that were asked about together belong together. A table is made for those that belong together once there were
// as many questions about them as they are, and these have taken longer than the table before did. Making it may take
// as long as they have taken; if that is too little, the next attempt waits until much more time was spent. So
// questions that have nothing in common lose next to nothing, and no batch takes much more than twice as long as
// without tables.
//
// All functions may be called by several threads at the same time.
class PairTables {
 public:
  using Clock = std::chrono::steady_clock;

  // The network must outlive it.
  PairTables(const dpn::Network& network, dpn::Semantics semantics, const Reductions& reductions, StopToken stop);
  PairTables(const PairTables&) = delete;
  PairTables& operator=(const PairTables&) = delete;

  // The problem asks whether two threads can stand somewhere in one phase, and nothing else.
  [[nodiscard]] static bool apply_to(const Problem& problem);

  // Whether it is reachable, if that is known. The problem must be such a problem and have the semantics.
  [[nodiscard]] std::optional<bool> reachable(const Problem& problem);
  // The problem was not known, and its verdict has taken this time.
  void took(const Problem& problem, Clock::duration time);

  // How many times a table was made.
  [[nodiscard]] std::size_t made() const { return made_; }

 private:
  struct Table {
    std::vector<dpn::StackSymbol> places;  // ascending
    std::vector<ParallelPair> pairs;       // of them: ascending
  };
  // Places that belong together; none if they all went over to another group.
  struct Group {
    std::vector<dpn::StackSymbol> members;
    std::size_t questions = 0;       // that had to be answered without a table
    Clock::duration spent{};         // on those since the table was made
    Clock::duration next_attempt{};  // when so much was spent
    std::shared_ptr<const Table> table;
  };
  using GroupId = Id<struct GroupTag>;

  [[nodiscard]] GroupId group_of(const Problem& problem);
  [[nodiscard]] GroupId merged(GroupId a, GroupId b);
  void make(std::vector<dpn::StackSymbol> places, Clock::duration allowed);

  const dpn::Network& network_;
  dpn::Semantics semantics_;
  Reductions reductions_;
  StopToken stop_;
  std::atomic<std::size_t> made_{0};
  std::mutex making_;  // one table at a time; the others do without meanwhile
  std::mutex mutex_;   // of all below
  IdVector<dpn::StackSymbol, std::optional<GroupId>> groups_of_;
  IdVector<GroupId, Group> groups_;
};

}  // namespace lockwood::solver
