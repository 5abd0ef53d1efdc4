#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "explorer/reduction/oracle.hpp"
#include "frontend/program/interpreter/machine.hpp"

namespace lockwood::program {

// What threads may still do, and which monitors they must take before: an oracle for frozen sets. Static facts about
// each point of the program, folded over the real stacks.
//
// For a class of actions and a point of a procedure there are two sets of guards, monitors that are surely acquired:
//   g  on every way from the point to the first action of the class that is met inside the procedure or what it calls;
//   e  on every way on which the procedure is left without such an action.
// The set of all monitors stands for "there is no such way". Over a stack with the points p0 (innermost), p1, …, the
// guards before the first action are g(p0) ∩ (e(p0) ∪ g(p1)) ∩ (e(p0) ∪ e(p1) ∪ g(p2)) ∩ …. A thread that must acquire
// a monitor which is held by a thread that does not move cannot get to the action. Threads that it spawns need none of
// the guards that come later in it, but those before the spawn.
class FutureOracle final : public explorer::Oracle {
 public:
  // The machine must be the one that the questions are about.
  explicit FutureOracle(const ProgramMachine& machine);

  [[nodiscard]] bool cannot_reach(const explorer::Machine& machine, const explorer::Question& question) override;

 private:
  // A set of the first 63 monitors; later ones do not guard. All bits: no way leads there.
  using Guards = std::uint64_t;
  static constexpr Guards none = 0;
  static constexpr Guards no_way = ~Guards{0};
  static constexpr Guards no_way_bit = Guards{1} << 63U;

  struct Facts {
    Guards before;  // g
    Guards beyond;  // e
  };
  struct ClassFacts {
    std::vector<Facts> at;          // by site: for a thread that is there
    std::vector<Facts> after_call;  // by site of a call: for a caller that waits for its callee there
  };
  using ClassKey = std::pair<std::uint32_t, std::uint32_t>;  // what is done, and with which object

  [[nodiscard]] const ClassFacts* facts_of(const explorer::Conflict& conflict);
  [[nodiscard]] ClassFacts compute(std::uint32_t deeds, std::uint32_t object) const;
  [[nodiscard]] Guards guards_of(const ClassFacts& facts, explorer::ThreadId thread) const;

  const ProgramMachine& machine_;
  std::vector<std::vector<std::size_t>> calls_;  // by procedure: sites that call or spawn it
  std::vector<bool> unheld_;                     // by site: a wait without its lock
  std::map<ClassKey, ClassFacts> known_;
};

}  // namespace lockwood::program
