#pragma once

#include <cstdint>

#include "base/ids/random.hpp"
#include "dpn/model/network.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/query/tree_alphabet.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::solver {

// A problem of one to three phases about the network, always the same for a seed: avoided and required actions, several
// goals, some with locks to hold or to want, sometimes collecting in one or two sets, sometimes lock-insensitive.
[[nodiscard]] Problem random_problem(const dpn::Network& network, std::uint64_t seed);

// The problem in three phases that each avoid some actions: several classes of actions, of which one is the commonest.
[[nodiscard]] Problem in_three_phases(const dpn::Network& network, Problem problem, std::uint64_t seed);

// The network with an action of its own for each rule.
[[nodiscard]] dpn::Network with_own_actions(const dpn::Network& network);

// A problem of one to three phases about such a network: one or two of its rules are required, and perhaps one avoided.
[[nodiscard]] Problem requiring_rules(const dpn::Network& network, std::uint64_t seed);

// A random automaton over the alphabet, of few states and so many transitions that it accepts many trees.
[[nodiscard]] treeauto::Automaton random_observer(const dpn::TreeAlphabet& alphabet, Random& random);

// The problem, which also asks for a random observer in one of its phases.
[[nodiscard]] Problem observed(const dpn::Network& network, Problem problem, std::uint64_t seed);

}  // namespace lockwood::solver
