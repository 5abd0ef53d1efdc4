#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dpn/network.hpp"
#include "dpn/query.hpp"
#include "frontend/verify/json_item.hpp"
#include "frontend/verify/locks.hpp"

// What stands in certificates and witnesses (docs/certificates.md).
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

// Is there an execution that goes through the phases, and if there are sets for collecting, where else do threads stand
// at its end?
struct Problem {
  dpn::Semantics semantics = dpn::Semantics::LockSensitive;
  std::vector<Phase> phases;
  std::vector<Tops> collect;  // none, one or two
  std::size_t goals = 0;      // of all phases, at most 64
};

// Where a subtree of an execution begins: its thread's head and locks, and the phase, from 0. If `thread`, the tree of
// a whole thread, whether it ended or not.
struct Context {
  dpn::Head head;
  Locks held;
  std::size_t phase;
  bool thread;
  friend auto operator<=>(const Context&, const Context&) = default;
};

// The control state and phase in which the subtree's own thread returned; nothing if it stands at the end.
using Outcome = std::optional<std::pair<dpn::ControlState, std::size_t>>;

// What the problem has seen of a subtree.
struct Seen {
  std::uint64_t goals = 0;                  // bit i: goal i is met
  std::vector<dpn::StackSymbol> collected;  // ascending
  friend auto operator<=>(const Seen&, const Seen&) = default;
};

struct Fact {
  Outcome outcome;
  Seen seen;
  std::size_t structure;  // a row of Table::structures
  friend auto operator<=>(const Fact&, const Fact&) = default;
};
using Facts = std::map<Outcome, std::vector<Fact>>;

struct Table {
  std::vector<Structure> structures;
  std::vector<Context> order;  // of the contexts in the file
  std::map<Context, Facts> contexts;
  std::set<std::vector<dpn::StackSymbol>> conceded;  // answers
  std::size_t facts = 0;
};

[[nodiscard]] Problem read_problem(const dpn::Network& network, const JsonItem& item);
[[nodiscard]] Table read_table(const dpn::Network& network, const Problem& problem, const JsonItem& certificate);
[[nodiscard]] std::vector<dpn::StackSymbol> read_collected(const dpn::Network& network, const JsonItem& names);

// A thread that stands at the head and holds the locks meets the goal.
[[nodiscard]] bool meets(const dpn::Network& network, dpn::Head head, const Locks& held, const StandGoal& goal);

// Different threads that stand at these tops are, each in a set of its own, in the sets for collecting.
[[nodiscard]] bool collectable(const Problem& problem, const std::vector<dpn::StackSymbol>& tops);

// What is wrong with the table as a proof that the problem has no answers but those conceded: the first violated rule
// instance, in the names of the model. Nothing if it is such a proof.
[[nodiscard]] std::optional<std::string> table_flaw(const dpn::Network& network, const Problem& problem, Table table);

// What is wrong with the schedule as an execution that goes through the phases of the problem and, if it collects, ends
// with threads at the symbols of the answer. Nothing if it is one.
[[nodiscard]] std::optional<std::string> schedule_flaw(const dpn::Network& network, const Problem& problem,
                                                       const JsonItem& schedule,
                                                       const std::vector<dpn::StackSymbol>& answer);

}  // namespace lockwood::verify
