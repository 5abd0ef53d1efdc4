#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/verify/locks.hpp"
#include "frontend/verify/problem.hpp"

namespace lockwood::verify {

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

// What a certificate holds besides the problem.
struct Table {
  std::vector<Structure> structures;
  std::vector<Context> order;  // of the contexts in the file
  std::map<Context, Facts> contexts;
  std::set<std::vector<dpn::StackSymbol>> conceded;
  std::size_t facts = 0;
};

[[nodiscard]] Table read_table(const dpn::Network& network, const Problem& problem, const JsonItem& certificate);

// In the names of the model.
[[nodiscard]] std::string to_text(const dpn::Network& network, const Context& context);
[[nodiscard]] std::string to_text(const dpn::Network& network, const Fact& fact, const Structure& structure);

}  // namespace lockwood::verify
