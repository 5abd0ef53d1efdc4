#pragma once

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "solver/query/named_json.hpp"
#include "solver/query/problem.hpp"
#include "verify/structure.hpp"
#include "verify/waits.hpp"

namespace lockwood::verify {

// Where a subtree of an execution begins: its thread's head and locks, and the phase.
struct Context {
  dpn::Head head;
  std::set<dpn::Lock> held;
  std::size_t phase;
  friend auto operator<=>(const Context&, const Context&) = default;
};

// The control state and phase in which the subtree's own thread returned; nothing if it is at the end.
using Outcome = std::optional<std::pair<dpn::ControlState, std::size_t>>;

// There may be a subtree that looks like this.
struct Fact {
  Outcome outcome{};
  std::vector<dpn::StackSymbol> collected{};                      // ascending
  std::vector<std::optional<problem::Observer::State>> states{};  // by observer; nothing if its phase ended before
  Waits waits{};                                                  // none if the problem asks for none
  std::uint64_t goals = 0;                                        // met by different threads, a bit for each
  std::size_t structure = Structures::empty;
  friend auto operator<=>(const Fact&, const Fact&) = default;
  [[nodiscard]] std::optional<std::size_t> returned_in() const {
    return outcome ? std::optional{outcome->second} : std::nullopt;
  }
  // All but goals and structure, in which one fact may be better than another.
  [[nodiscard]] auto shape() const { return std::tie(outcome, collected, states, waits); }
};
using Facts = std::set<Fact>;

// What is in a certificate (docs/certificates.md).
struct Table {
  // Throws InputError, Interrupted, or what the JSON library throws.
  Table(const dpn::Network& network, const problem::Problem& problem, const problem::Object& proof, StopToken stop_by);

  // The goals and observers of the problem, numbered through all phases.
  std::vector<std::uint64_t> first_goal;  // by phase, its bit: the standing goals, then the fired ones
  std::uint64_t goals = 0;                // all bits
  std::vector<std::pair<std::size_t, const problem::Observer*>> observers;  // with their phases

  Structures structures;
  std::map<Context, Facts> contexts;
  std::set<std::vector<dpn::StackSymbol>> conceded;  // answers
  StopToken stop;                                    // of those who read or check it
};

// What is wrong with the table as a proof that the problem has no answers but those conceded: the first violated rule
// instance, in the names of the model. Nothing if it is such a proof.
[[nodiscard]] std::optional<std::string> flaw(const dpn::Network& network, const problem::Problem& problem,
                                              Table& table);

}  // namespace lockwood::verify
