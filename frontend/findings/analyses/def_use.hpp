#pragma once

#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/query.hpp"
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

// Which uses of its variable a definition reaches: after it, and before any other definition, even by the same
// statement, a thread is before the use. One run decides all uses: the defining thread is marked, so that
// afterwards one can tell who stands there.
class DefinitionQuestion {
 public:
  // The program must outlive it. The definition must be one that control can get to.
  DefinitionQuestion(const program::Lowered& lowered, AccessId definition);

  [[nodiscard]] ReachedUses reached(dpn::Semantics semantics, StopToken stop = {}) const;
  // Both at once, for little more than with locks alone.
  struct ComparedUses {
    ReachedUses with_locks;
    ReachedUses without_locks;
  };
  [[nodiscard]] ComparedUses reached_with_and_without_locks(StopToken stop = {}) const;

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
  [[nodiscard]] const dpn::Network& network() const { return marked_.instrumented.network; }

 private:
  [[nodiscard]] solver::Problem problem(dpn::Semantics semantics) const;
  [[nodiscard]] std::vector<dpn::StackSymbol> probed() const;
  [[nodiscard]] ReachedUses uses_at(const solver::LocationsAtEnd& places) const;

  const program::Lowered& lowered_;
  std::vector<AccessId> uses_;
  std::vector<dpn::Action> definitions_;  // that overwrite the value: all of the variable, or none
  MarkedThread marked_;
  solver::BackwardFlow flow_;  // of the network
};

// All definitions, or uses, that control can get to, of one variable if it is given.
[[nodiscard]] std::vector<AccessId> definitions(const program::Lowered& lowered,
                                                std::optional<program::Variable> variable = {});
[[nodiscard]] std::vector<AccessId> uses(const program::Lowered& lowered,
                                         std::optional<program::Variable> variable = {});

}  // namespace lockwood::findings
