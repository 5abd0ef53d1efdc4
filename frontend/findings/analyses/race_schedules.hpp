#pragma once

#include <cstddef>
#include <optional>

#include "base/process/stop.hpp"
#include "dpn/trees/schedule.hpp"
#include "frontend/findings/analyses/focus.hpp"
#include "frontend/findings/analyses/races.hpp"

namespace lockwood::findings {

// Finds a schedule of each race. The network for the races of a variable is made once (focus.hpp), so they should be
// asked about one after the other.
class RaceSchedules {
 public:
  // The program must outlive it. `pays_from`: see Focus.
  explicit RaceSchedules(const program::Lowered& lowered, StopToken stop = {}, std::size_t pays_from = 3);
  // In the program's own network, with as few steps as possible. Nothing if there is no time left.
  [[nodiscard]] std::optional<dpn::Schedule> schedule(const Conflict& race);

 private:
  // The network for one variable, if it is not the program's own one.
  struct Focused {
    program::Variable variable;
    std::optional<dpn::Quotient> quotient;
    solver::BackwardFlow flow;
  };
  void focus_on(program::Variable variable);

  const program::Lowered& lowered_;
  StopToken stop_;
  std::size_t pays_from_;
  std::optional<Focus> focus_;
  std::optional<Focused> focused_;
};

}  // namespace lockwood::findings
