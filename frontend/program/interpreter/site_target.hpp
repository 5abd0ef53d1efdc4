#pragma once

#include <cstdint>
#include <vector>

#include "explorer/search/search.hpp"
#include "frontend/program/interpreter/machine.hpp"

namespace lockwood::program {

// Different threads, one before each of these ends: a race, a deadlock, or a place that is to be reached.
//
// The distance of a thread to an end is the least number of visible steps on the control graph, with calls and returns
// matched, from its real stack; values and locks are ignored. A thread that does not exist yet is reached through one
// that may spawn it. If there is no such way, no run from here gets there.
class SiteTarget final : public explorer::Target {
 public:
  using End = std::vector<explorer::Site>;  // any of these
  enum class Condition {
    Standing,    // the threads stand there; a thread that waits to be notified or to have its lock again does not
    Deadlocked,  // and are in one deadlock
    // The first one stands there and wants a lock that the second one has, and so on; the last one wants one of the
    // first one's. Or one is before a join that waits for the next one, perhaps through others that stand before
    // joins, and are different from all others.
    Ring
  };

  // The machine must be the one that is searched. Requires an end. Sites are those of visible actions: threads stand
  // nowhere else.
  // `through_joins`, of a cycle: at which ends threads wait in joins; nowhere if it is empty.
  SiteTarget(const ProgramMachine& machine, std::vector<End> ends, Condition condition = Condition::Standing,
             std::vector<bool> through_joins = {});

  [[nodiscard]] bool is_reached(const explorer::Machine& machine) override;
  [[nodiscard]] bool allows_reduction() const override { return allows_reduction_; }
  [[nodiscard]] std::optional<std::uint32_t> distance(const explorer::Machine& machine) override;

 private:
  static constexpr std::uint32_t infinite = std::numeric_limits<std::uint32_t>::max();
  // Least numbers of visible steps, by site.
  struct Distances {
    std::vector<std::uint32_t> own;      // to the end, in this procedure or in one that it calls
    std::vector<std::uint32_t> spawned;  // to where a thread has been spawned, and then of that one to the end
  };
  // By end: of one thread with its stack.
  struct ThreadDistance {
    std::uint32_t own = infinite;
    std::uint32_t spawned = infinite;
  };

  // Whether the ends from this one on can be given to different sites of these, beside those that are taken.
  [[nodiscard]] bool is_matched(std::span<const explorer::Site> sites, std::size_t end, std::vector<bool>& taken) const;
  [[nodiscard]] bool is_matched(std::span<const explorer::Site> sites) const;
  [[nodiscard]] bool is_cycle() const;
  [[nodiscard]] bool is_at(explorer::ThreadId thread, std::size_t end) const;
  // The rest of a cycle: the last of the threads is at the end, or between that one and the next.
  [[nodiscard]] bool cycle_closes(std::vector<explorer::ThreadId>& threads, std::size_t end) const;
  void compute_leaving();
  [[nodiscard]] Distances compute(const End& end) const;
  // The least cost of going on behind a call.
  [[nodiscard]] std::uint32_t behind_call(const std::vector<std::uint32_t>& at, std::size_t site) const;
  [[nodiscard]] ThreadDistance distance_of(explorer::ThreadId thread, std::size_t end) const;

  const ProgramMachine& machine_;
  Condition condition_;
  std::vector<bool> through_joins_;
  bool allows_reduction_;
  std::vector<std::uint32_t> leaving_;    // by site: steps until the procedure is left
  std::vector<std::vector<bool>> sites_;  // by end and site
  std::vector<Distances> distances_;      // by end
};

}  // namespace lockwood::program
