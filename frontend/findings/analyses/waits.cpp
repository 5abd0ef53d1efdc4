#include "frontend/findings/analyses/waits.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "frontend/program/lowering/waiting.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood::findings {
namespace {

using program::SymbolRole;

class WaitSearch {
 public:
  WaitSearch(const program::Program& program, const program::Lowered& lowered, StopToken stop)
      : program_{program}, lowered_{lowered}, stop_{stop} {
    std::map<std::pair<program::ProcedureId, program::Point>, WaitPlace> places;
    for (dpn::StackSymbol symbol : lowered.symbols.keys()) {
      const program::SymbolOrigin& origin = lowered.symbols[symbol];
      const program::Procedure& procedure = program.procedures[origin.procedure];
      const program::Instruction& instruction = procedure.points[origin.point].instruction;
      if (const auto* wait = std::get_if<program::Wait>(&instruction)) {
        // Where a region is left by the wait, a thread waits outside of it; elsewhere the model knows one place only.
        const bool leaves = program::region_left_by_wait(procedure, origin.point).has_value() &&
                            has_symbol(origin, SymbolRole::Waiting);
        if (origin.role != (leaves ? SymbolRole::Waiting : SymbolRole::Before)) continue;
        WaitPlace& place = places
                               .try_emplace({origin.procedure, origin.point},
                                            WaitPlace{origin.procedure, origin.point, wait->lock, {}})
                               .first->second;
        place.waiting.push_back(symbol);
      } else if (const auto* notify = std::get_if<program::Notify>(&instruction)) {
        if (origin.role == SymbolRole::Before) notifying_[notify->lock].push_back(symbol);
      }
    }
    for (auto& [where, place] : places) places_.push_back(std::move(place));
  }

  EndlessWaits run() && {
    if (!program_.exact) {
      result_.not_covered = places_.size();
      return std::move(result_);
    }
    std::size_t looked_at = 0;
    try {
      for (; looked_at < places_.size(); ++looked_at) look_at(places_[looked_at]);
    } catch (const Interrupted&) {
      result_.undecided = places_.size() - looked_at;
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool has_symbol(const program::SymbolOrigin& at, SymbolRole role) const {
    return std::ranges::any_of(lowered_.symbols, [&](const program::SymbolOrigin& other) {
      return other.procedure == at.procedure && other.point == at.point && other.role == role;
    });
  }

  void look_at(const WaitPlace& place) {
    stop_.check();
    const std::vector<dpn::StackSymbol>& notifying = notifying_[place.lock];
    if (notifying.empty()) return report(place, {}, true);
    if (!met(place, {})) {
      const HeldLocks held = locks_at(place);
      return report(place, by_whom(place, held.always), false);
    }
    // With some lock it may wait in vain, and without that lock it does not.
    for (dpn::Lock lock : locks_at(place).sometimes)
      if (lock != dpn::Lock{place.lock.index()} && always_held(notifying, lock) && !met(place, lock))
        return report(place, lock, false);
    ++result_.not_covered;
  }

  // A thread can be about to notify while another one waits there, with the lock if it is given.
  [[nodiscard]] bool met(const WaitPlace& place, std::optional<dpn::Lock> holding) const {
    solver::Problem problem{.phases = {solver::Phase{}}};
    auto& standing = problem.phases.front().standing;
    standing.push_back({.tops = place.waiting, .holding = holding, .wanting = {}});
    standing.push_back({.tops = notifying_.at(place.lock), .holding = {}, .wanting = {}});
    const solver::Answer answer =
        solver::solve(lowered_.network, problem, {.witness = solver::WitnessChoice::None, .stop = stop_});
    stop_.check();
    return answer.verdict != dpn::Verdict::Unreachable;
  }

  const IdVector<dpn::StackSymbol, HeldLocks>& held() {
    if (!held_) held_ = held_locks(lowered_, stop_);
    return *held_;
  }
  [[nodiscard]] HeldLocks locks_at(const WaitPlace& place) { return held_at(held(), place.waiting); }
  [[nodiscard]] bool always_held(const std::vector<dpn::StackSymbol>& symbols, dpn::Lock lock) {
    return std::ranges::binary_search(held_at(held(), symbols).always, lock);
  }
  // The lock that the waiting thread has and every notifying one needs.
  [[nodiscard]] std::optional<dpn::Lock> by_whom(const WaitPlace& place, const std::vector<dpn::Lock>& locks) {
    for (dpn::Lock lock : locks)
      if (lock != dpn::Lock{place.lock.index()} && always_held(notifying_[place.lock], lock)) return lock;
    return std::nullopt;
  }

  // If a thread can get there at all.
  void report(const WaitPlace& place, std::optional<dpn::Lock> locked_out_by, bool nowhere) {
    solver::Problem problem{.phases = {solver::Phase{}}};
    problem.phases.front().standing.push_back({.tops = place.waiting, .holding = locked_out_by, .wanting = {}});
    solver::Answer answer = solver::solve(lowered_.network, problem, {.stop = stop_});
    stop_.check();
    if (!answer.witness) return;
    const bool always = !locked_out_by || std::ranges::binary_search(locks_at(place).always, *locked_out_by);
    result_.found.push_back({.place = place,
                             .locked_out_by = locked_out_by,
                             .notified_nowhere = nowhere,
                             .always_holds = always,
                             .schedule = std::move(answer.witness->schedule)});
  }

  const program::Program& program_;
  const program::Lowered& lowered_;
  StopToken stop_;
  std::vector<WaitPlace> places_;
  std::map<program::Lock, std::vector<dpn::StackSymbol>> notifying_;
  std::optional<IdVector<dpn::StackSymbol, HeldLocks>> held_;
  EndlessWaits result_;
};

}  // namespace

EndlessWaits endless_waits(const program::Program& program, const program::Lowered& lowered, StopToken stop) {
  return WaitSearch{program, lowered, stop}.run();
}

}  // namespace lockwood::findings
