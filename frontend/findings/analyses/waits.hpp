#pragma once

#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/trees/schedule.hpp"
#include "frontend/findings/analyses/held_locks.hpp"
#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::findings {

// A place at which a thread waits to be notified.
struct WaitPlace {
  program::ProcedureId procedure;
  program::Point point;
  program::Lock lock;                     // whose notification it waits for
  std::vector<dpn::StackSymbol> waiting;  // a thread there is waiting
};

// A wait from which no thread ever returns: whoever waits there is never notified.
struct EndlessWait {
  WaitPlace place;
  // The thread has this lock while it waits, and every notification is done while holding it: a nested-monitor lockout.
  std::optional<dpn::Lock> locked_out_by;
  bool notified_nowhere = false;  // no notification of the lock can be done at all
  bool always_holds = true;       // no: the thread only waits so with the lock by which it is locked out
  dpn::Schedule schedule;         // to the wait, and then the thread stands there
};

struct EndlessWaits {
  std::vector<EndlessWait> found;
  std::size_t undecided = 0;    // waits for which there was no time
  std::size_t not_covered = 0;  // waits that a notification can meet: it may come too early nevertheless
};

// The waits that control can get to, in the order of the text. The model lets threads go on without a notification, so
// what no thread does there while another one waits is not done in the program. A notification that can be done
// meanwhile need not be done: such waits are not covered, nor are those of programs whose models are no faithful ones.
[[nodiscard]] EndlessWaits endless_waits(const program::Program& program, const program::Lowered& lowered,
                                         StopToken stop = {});

}  // namespace lockwood::findings
