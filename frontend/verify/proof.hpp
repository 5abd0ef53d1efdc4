#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dpn/network.hpp"
#include "frontend/verify/locks.hpp"

// What stands in certificates and witnesses (docs/certificates.md), in the names of the model.
namespace lockwood::verify {

struct StandGoal {
  std::optional<Names> tops;
  std::optional<std::string> holding;
  std::optional<std::string> wanting;
};

struct Phase {
  Names avoiding;
  std::vector<StandGoal> standing;
  std::vector<Names> fired;
  std::size_t first_goal = 0;  // goals are numbered phase by phase: the standing ones, then the fired ones
};

// Is there an execution that goes through the phases, and if there are sets for collecting, where else do threads stand
// at its end?
struct Problem {
  bool lock_sensitive = true;
  std::vector<Phase> phases;   // at least one
  std::vector<Names> collect;  // none, one or two
  std::size_t goals = 0;       // of all phases, at most 64
};

// Where a subtree of an execution begins: its thread's head and locks, and the phase, from 0. If `thread`, the tree of
// a whole thread, whether it ended or not.
struct Context {
  std::string control;
  std::string top;
  Names held;
  std::size_t phase = 0;
  bool thread = false;
  friend auto operator<=>(const Context&, const Context&) = default;
};

// The control state and phase in which the subtree's own thread returned; nothing if it stands at the end.
using Outcome = std::optional<std::pair<std::string, std::size_t>>;

// What the problem has seen of a subtree.
struct Seen {
  std::uint64_t goals = 0;             // bit i: goal i is met
  std::vector<std::string> collected;  // stack symbols, ascending
  friend auto operator<=>(const Seen&, const Seen&) = default;
};

struct Fact {
  Outcome outcome;
  Seen seen;
  std::size_t structure = 0;  // a row of Table::structures
  friend auto operator<=>(const Fact&, const Fact&) = default;
};
using Facts = std::map<Outcome, std::vector<Fact>>;

struct Table {
  std::vector<Structure> structures;
  std::vector<Context> order;  // of the contexts in the file
  std::map<Context, Facts> contexts;
  std::set<std::vector<std::string>> conceded;  // answers
  std::size_t facts = 0;
};

// The steps of an execution, phase by phase: thread and rule.
using Schedule = std::vector<std::vector<std::pair<std::string, std::string>>>;

struct Proof {
  Problem problem;
  std::optional<Table> table;        // of a certificate
  std::optional<Schedule> schedule;  // of a witness
  std::vector<std::string> answer;   // of a witness
  std::size_t steps = 0;             // of a witness
};

// Throws InputError, or what the JSON library throws, if this is no certificate or witness about the network.
[[nodiscard]] Proof read_proof(const dpn::Network& network, const Json& json);

// A thread that stands at the head and holds the locks meets the goal.
[[nodiscard]] bool meets(const dpn::Network& network, dpn::Head head, const Names& held, const StandGoal& goal);

// Different threads that stand at these tops are, each in a set of its own, in the sets for collecting.
[[nodiscard]] bool collectable(const Problem& problem, const std::vector<std::string>& tops);

// What is wrong with the table as a proof that the problem has no answers but those conceded: the first violated rule
// instance, in the names of the model. Nothing if it is such a proof.
[[nodiscard]] std::optional<std::string> table_flaw(const dpn::Network& network, const Problem& problem, Table table);

// What is wrong with the schedule as an execution that goes through the phases of the problem and, if it collects, ends
// with threads at the symbols of the answer. Nothing if it is one.
[[nodiscard]] std::optional<std::string> schedule_flaw(const dpn::Network& network, const Proof& witness);

}  // namespace lockwood::verify
