#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dpn/network.hpp"
#include "dpn/query.hpp"
#include "frontend/verify/json_item.hpp"
#include "frontend/verify/locks.hpp"

namespace lockwood::verify {

using Tops = std::set<dpn::StackSymbol>;

struct StandGoal {
  std::optional<Tops> tops;
  std::optional<dpn::Lock> holding;
  std::optional<dpn::Lock> wanting;
};

struct Phase {
  std::set<dpn::Action> avoiding;
  std::vector<StandGoal> standing;
  std::vector<std::set<dpn::Action>> fired;
  std::size_t first_goal = 0;  // goals are numbered phase by phase: the standing ones, then the fired ones
};

// Is there an execution that goes through the phases, and if sets are given for collecting, where else do threads stand
// at its end? (docs/certificates.md)
struct Problem {
  dpn::Semantics semantics = dpn::Semantics::LockSensitive;
  std::vector<Phase> phases;
  std::vector<Tops> collect;
  std::size_t goals = 0;
  std::string text;  // for people
};

[[nodiscard]] Problem read_problem(const dpn::Network& network, const JsonItem& item);

// A thread that stands at the head and holds the locks meets the goal.
[[nodiscard]] bool meets(const dpn::Network& network, dpn::Head head, const Locks& held, const StandGoal& goal);

// Different threads can stand at these tops in some of the sets for collecting, each in a set of its own.
[[nodiscard]] bool collectable(const Problem& problem, const std::vector<dpn::StackSymbol>& tops);

}  // namespace lockwood::verify
