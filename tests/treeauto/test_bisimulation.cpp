#include <doctest/doctest.h>

#include <map>
#include <set>

#include "tests/oracle/treeauto/random_automaton.hpp"
#include "treeauto/operations/difference.hpp"
#include "treeauto/operations/emptiness.hpp"
#include "treeauto/simulation/bisimulation.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

using Blocks = IdVector<State, std::uint32_t>;

bool equivalent(const Automaton& a, const Automaton& b) {
  return is_empty(difference(a, b)) && is_empty(difference(b, a));
}

// Everything that is true of a state, given the blocks, as the definitions say.
std::set<std::vector<std::size_t>> incoming(const Automaton& automaton, const Blocks& blocks, State state) {
  std::set<std::vector<std::size_t>> rows;
  for (TransitionId id : automaton.transitions_to(state)) {
    std::vector<std::size_t> row{automaton.symbol(id).index()};
    for (State child : automaton.children(id)) row.push_back(blocks[child]);
    rows.insert(row);
  }
  return rows;
}
std::set<std::vector<std::size_t>> outgoing(const Automaton& automaton, const Blocks& blocks, State state) {
  std::set<std::vector<std::size_t>> rows;
  if (automaton.is_final(state)) rows.insert({0});
  for (const Occurrence& at : automaton.occurrences(state)) {
    std::vector<std::size_t> row{automaton.symbol(at.transition).index(), at.position,
                                 blocks[automaton.target(at.transition)]};
    for (std::size_t i = 0; i < automaton.children(at.transition).size(); ++i)
      if (i != at.position) row.push_back(automaton.children(at.transition)[i].index());
    rows.insert(row);
  }
  return rows;
}

// The coarsest partition that the rows allow: two states are told apart as soon as their rows are, again and again.
template <class Rows>
std::set<std::set<State>> coarsest(const Automaton& automaton, Rows&& rows) {
  Blocks blocks(automaton.state_count(), 0);
  std::set<std::set<State>> parts;
  for (std::size_t round = 0; round <= automaton.state_count(); ++round) {
    std::map<std::pair<std::uint32_t, std::set<std::vector<std::size_t>>>, std::set<State>> classes;
    for (State state : automaton.states()) classes[{blocks[state], rows(automaton, blocks, state)}].insert(state);
    parts.clear();
    Blocks next(automaton.state_count(), 0);
    for (const auto& [key, part] : classes) {
      for (State state : part) next[state] = static_cast<std::uint32_t>(parts.size());
      parts.insert(part);
    }
    blocks = next;
  }
  return parts;
}

std::set<std::set<State>> parts_of(const Blocks& blocks) {
  std::map<std::uint32_t, std::set<State>> parts;
  for (State state : blocks.keys()) parts[blocks[state]].insert(state);
  std::set<std::set<State>> result;
  for (const auto& [block, part] : parts) result.insert(part);
  return result;
}

}  // namespace

TEST_CASE("bisimulations are the coarsest partitions of their definitions, and merging by them keeps the language") {
  std::size_t smaller = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton =
        random_automaton(seed, {.states = 5, .symbols = 3, .max_rank = 2, .transitions = 6 + seed % 20});
    CAPTURE(seed);
    const Blocks backward = backward_bisimulation(automaton);
    const Blocks forward = forward_bisimulation(automaton);
    REQUIRE(parts_of(backward) == coarsest(automaton, incoming));
    REQUIRE(parts_of(forward) == coarsest(automaton, outgoing));
    REQUIRE(equivalent(quotient(automaton, backward), automaton));
    REQUIRE(equivalent(quotient(automaton, forward), automaton));
    const Automaton both = bisimulation_quotient(automaton);
    REQUIRE(equivalent(both, automaton));
    if (both.state_count() < automaton.state_count()) ++smaller;
  }
  CHECK(smaller > 200);
}
