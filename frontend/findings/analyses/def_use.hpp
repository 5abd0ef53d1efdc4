#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/query.hpp"
#include "frontend/findings/analyses/focus.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/findings/narrative/marked_thread.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "solver/analyses/explain.hpp"
#include "solver/analyses/locations_at_end.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood::findings {

// Who reads a value: the thread that has written it, or another one.
enum class Reader { Same, Other };

struct ReachedUse {
  AccessId use;
  bool by_same = false;   // the thread that defined the value can be before the use while the value is there
  bool by_other = false;  // another thread can
  [[nodiscard]] bool by(Reader reader) const { return reader == Reader::Same ? by_same : by_other; }
};

struct ReachedUses {
  std::vector<ReachedUse> uses;       // every use of the variable, in the order of accesses
  std::optional<StopReason> stopped;  // if so, more may be reached
};

// What all questions about definitions of one variable have in common: the network in which the thread that makes a
// definition can be marked, so that afterwards one can tell who stands at a use.
class DefUseModel {
 public:
  // The program must outlive it. If the focus is given, the network is the one that it makes for the variable. Throws
  // Interrupted.
  DefUseModel(const program::Lowered& lowered, program::Variable variable, const Focus* focus = nullptr,
              StopToken stop = {});

  [[nodiscard]] const program::Lowered& lowered() const { return lowered_; }
  [[nodiscard]] const std::vector<AccessId>& uses() const { return uses_; }
  [[nodiscard]] const dpn::Network& network() const { return marked_.instrumented.network; }
  [[nodiscard]] const solver::BackwardFlow& flow() const { return flow_; }  // of the network
  [[nodiscard]] const std::vector<dpn::Action>& marks() const { return marked_.marks; }
  [[nodiscard]] dpn::Action probe() const { return marked_.probe; }
  // Where a thread is that was probed before a use.
  [[nodiscard]] dpn::StackSymbol probed(dpn::StackSymbol before_use, Reader reader) const;

  // One of these definitions of the variable is made, as the second phase, and no definition comes after it. Where
  // threads are at the end is left open.
  [[nodiscard]] solver::Problem problem(std::span<const AccessId> definitions, dpn::Semantics semantics) const;

  // A schedule of the network in the program's own one.
  [[nodiscard]] dpn::Schedule in_program(const dpn::Schedule& schedule) const;

 private:
  [[nodiscard]] dpn::Action mark(AccessId definition) const;
  // In the network that threads are marked in.
  [[nodiscard]] dpn::Action action(AccessId id) const;
  [[nodiscard]] std::vector<dpn::Action> actions(const std::vector<AccessId>& ids) const;
  [[nodiscard]] std::vector<dpn::StackSymbol> places() const;

  const program::Lowered& lowered_;
  std::vector<AccessId> definitions_;
  std::vector<AccessId> uses_;
  std::optional<dpn::Quotient> focused_;
  MarkedThread marked_;
  solver::BackwardFlow flow_;
};

// Which uses of its variable a definition reaches: after it, and before any other definition, even by the same
// statement, a thread is before the use. One run decides all uses.
class DefinitionQuestion {
 public:
  // The model must outlive it, and be about the variable. The definition must be one that control can get to.
  DefinitionQuestion(const DefUseModel& model, AccessId definition) : model_{model}, definition_{definition} {}

  [[nodiscard]] ReachedUses reached(dpn::Semantics semantics, StopToken stop = {}) const;
  // An execution that shows it, in the program's own network and with three phases: before the definition, the
  // definition, after it.
  [[nodiscard]] solver::Answer witness(AccessId use, Reader reader, StopToken stop = {}) const;

  // Why there is no such execution.
  [[nodiscard]] solver::Reason reason(AccessId use, Reader reader, StopToken stop = {}) const;

  // Whether there would be one if other definitions did not count.
  [[nodiscard]] bool reaches_overwritten(AccessId use, Reader reader, dpn::Semantics semantics,
                                         StopToken stop = {}) const;

  // The question about one use, and the network that it is about: with locks.
  [[nodiscard]] solver::Problem problem(AccessId use, Reader reader) const;
  [[nodiscard]] const dpn::Network& network() const { return model_.network(); }

 private:
  [[nodiscard]] solver::Problem problem(dpn::Semantics semantics) const;
  [[nodiscard]] std::vector<dpn::StackSymbol> probed() const;
  [[nodiscard]] ReachedUses uses_at(const solver::LocationsAtEnd& places) const;

  const DefUseModel& model_;
  AccessId definition_;
};

// All definitions, or uses, that control can get to, of one variable if it is given.
[[nodiscard]] std::vector<AccessId> definitions(const program::Lowered& lowered,
                                                std::optional<program::Variable> variable = {});
[[nodiscard]] std::vector<AccessId> uses(const program::Lowered& lowered,
                                         std::optional<program::Variable> variable = {});

}  // namespace lockwood::findings
