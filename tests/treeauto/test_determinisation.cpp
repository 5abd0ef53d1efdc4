#include <doctest/doctest.h>

#include <string>

#include "tests/oracle/treeauto/random_automaton.hpp"
#include "tests/oracle/treeauto/reference.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/lazy/universality.hpp"
#include "treeauto/operations/complement.hpp"
#include "treeauto/operations/completion.hpp"
#include "treeauto/operations/deterministic.hpp"
#include "treeauto/operations/difference.hpp"
#include "treeauto/operations/emptiness.hpp"
#include "treeauto/operations/intersection.hpp"
#include "treeauto/operations/membership.hpp"
#include "treeauto/operations/trim.hpp"
#include "treeauto/operations/union.hpp"
#include "treeauto/operations/universal.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

// Every tenth with a symbol of rank 3, and dense enough that some are universal.
Automaton automaton_of(std::uint64_t seed) {
  if (seed % 10 == 0) return random_automaton(seed, {.states = 3, .symbols = 3, .max_rank = 3, .transitions = 10});
  return random_automaton(
      seed, {.states = 1 + seed % 4, .symbols = 1 + seed % 4, .max_rank = 2, .transitions = 2 + seed % 16});
}

Automaton partner_of(std::uint64_t seed) {
  return random_automaton(seed + 1'000'000,
                          {.states = 1 + seed % 3, .symbols = 2 + seed % 2, .transitions = 3 + seed % 9});
}

constexpr std::uint64_t quick_cases = 500;  // those after them are in the full test

void check_determinisation(std::uint64_t seed) {
  CAPTURE(seed);
  const Automaton automaton = automaton_of(seed);
  CAPTURE(to_timbuk(automaton));
  const DeterministicAutomaton result = determinised(automaton);
  const Automaton expected = reference::determinised(trimmed(automaton));
  const Automaton complete = to_automaton(result, Totality::Complete);
  CHECK(is_deterministic(complete));
  CHECK(is_complete(complete));
  CHECK(complete.state_count() == expected.state_count());
  CHECK(complete.transition_count() == expected.transition_count());
  CHECK(reaches_sink(result) == (complete.state_count() == result.state_count()));
  CHECK(reference::equivalent(complete, automaton));
  const Automaton partial = to_automaton(result, Totality::Partial);
  CHECK(is_deterministic(partial));
  CHECK(partial.state_count() + 1 == result.state_count());
  CHECK(reference::equivalent(partial, automaton));
}

void check_minimisation(std::uint64_t seed) {
  CAPTURE(seed);
  const Automaton automaton = automaton_of(seed);
  CAPTURE(to_timbuk(automaton));
  const DeterministicAutomaton result = minimised(determinised(automaton));
  const Automaton complete = to_automaton(result, Totality::Complete);
  CHECK(is_deterministic(complete));
  CHECK(is_complete(complete));
  CHECK(complete.state_count() == reference::distinguishable_states(reference::determinised(automaton)));
  CHECK(reference::equivalent(complete, automaton));
  CHECK(reference::equivalent(to_automaton(result, Totality::Partial), automaton));
  const DeterministicAutomaton opposite = minimised(complement(minimised(complement(result))));
  CHECK(opposite.state_count() == result.state_count());
  CHECK(opposite.row_count() == result.row_count());
}

void check_complement(std::uint64_t seed) {
  CAPTURE(seed);
  const Automaton automaton = automaton_of(seed);
  CAPTURE(to_timbuk(automaton));
  const Automaton rejected = complement(automaton);
  const auto pairs = reference::reached_pairs(automaton, rejected);
  CHECK(std::ranges::all_of(pairs, [&](const auto& pair) {
    return reference::has_final(automaton, pair.first) != reference::has_final(rejected, pair.second);
  }));
  CHECK(reference::equivalent(to_automaton(complement(determinised(automaton)), Totality::Complete), rejected));
}

void check_laws(std::uint64_t seed) {
  CAPTURE(seed);
  const Automaton first = random_automaton(
      seed, {.states = 1 + seed % 3, .symbols = 1 + seed % 4, .max_rank = 2, .transitions = 2 + seed % 8});
  const Automaton second = random_automaton(seed + 5, first.alphabet(), {.states = 2, .transitions = 6});
  CAPTURE(to_timbuk(first));
  CAPTURE(to_timbuk(second));
  const Automaton neither = complement(union_of(first, second));
  CHECK(reference::equivalent(neither, intersection(complement(first), complement(second))));
  CHECK(
      reference::equivalent(complement(intersection(first, second)), union_of(complement(first), complement(second))));
  const Automaton only_first = difference(first, second);
  CHECK(reference::equivalent(only_first, intersection(first, complement(second))));
  CHECK(is_empty(only_first) == reference::included(first, second));
  CHECK(reference::equivalent(complement(complement(first)), first));
}

void check_difference(std::uint64_t seed) {
  CAPTURE(seed);
  const Automaton first = automaton_of(seed);
  const Automaton second = partner_of(seed);
  CAPTURE(to_timbuk(first));
  CAPTURE(to_timbuk(second));
  const Automaton rest = difference(first, second);
  for (const Tree& tree : reference::all_trees(rest.alphabet(), 4))
    CHECK(accepts(rest, tree) == (reference::accepts(first, tree) && !reference::accepts(second, tree)));
  CHECK(is_empty(rest) == reference::included(first, second));
}

void check_completion(std::uint64_t seed) {
  CAPTURE(seed);
  const Automaton automaton = automaton_of(seed);
  CAPTURE(to_timbuk(automaton));
  const Automaton complete = completed(automaton);
  CHECK(is_complete(complete));
  CHECK(completed(complete) == complete);
  CHECK(is_deterministic(complete) == is_deterministic(automaton));
  CHECK(reference::equivalent(complete, automaton));
  CHECK(complete.state_count() == automaton.state_count() + (is_complete(automaton) ? 0 : 1));
}

}  // namespace

TEST_CASE("determinisation gives the accessible sets of the textbook construction, deterministic and complete") {
  for (std::uint64_t seed = 0; seed < quick_cases; ++seed) check_determinisation(seed);
}

TEST_CASE("minimisation keeps the language and leaves no two states that could be merged") {
  for (std::uint64_t seed = 0; seed < quick_cases; ++seed) check_minimisation(seed);
}

TEST_CASE("a bound on the steps of determinisation is kept, and enough steps give the whole result") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Automaton automaton = automaton_of(seed);
    const auto whole = determinised_within(automaton, 1'000'000);
    REQUIRE(whole.has_value());
    CHECK(whole->row_count() == determinised(automaton).row_count());
    std::size_t steps = 0;
    while (!determinised_within(automaton, steps)) ++steps;
    CHECK(determinised_within(automaton, steps)->row_count() == whole->row_count());
  }
}

// Reachable sets of states are as many as there are words of the last symbols read; reduction helps with copies of it.
TEST_CASE("what is determinised after a reduction is the same automaton") {
  AutomatonBuilder builder;
  const Symbol end = builder.symbol("e", 0);
  const Symbol zero = builder.symbol("0", 1);
  const Symbol one = builder.symbol("1", 1);
  for (int copy = 0; copy < 60; ++copy) {
    State state = builder.add_state();
    builder.add(end, {}, state);
    builder.add(zero, {state}, state);
    builder.add(one, {state}, state);
    for (int i = 0; i < 12; ++i) {
      const State next = builder.add_state();
      if (i > 0) builder.add(zero, {state}, next);
      builder.add(one, {state}, next);
      state = next;
    }
    builder.set_final(state);
  }
  const Automaton automaton = std::move(builder).build();
  CHECK_FALSE(determinised_within(automaton, 1'000'000 + 200 * total_size(automaton)).has_value());
  const DeterministicAutomaton minimal = minimal_deterministic(automaton);
  CHECK(minimal.state_count() == 4097);  // one for each word of length 12, and the sink, which no tree reaches
  CHECK_FALSE(reaches_sink(minimal));
  const Automaton rejected = complement(automaton);
  CHECK(accepts(automaton, read_tree("0(0(0(0(0(0(0(0(0(0(0(1(e))))))))))))")));
  CHECK_FALSE(accepts(rejected, read_tree("0(0(0(0(0(0(0(0(0(0(0(1(e))))))))))))")));
  CHECK(accepts(rejected, read_tree("1(1(1(1(1(1(1(1(1(1(1(0(e))))))))))))")));
  CHECK(is_empty(difference(automaton, automaton)));
}

TEST_CASE("a deterministic automaton steps as its explicit form does") {
  const DeterministicAutomaton result = determinised(automaton_of(10));
  const Automaton complete = to_automaton(result, Totality::Complete);
  for (const Tree& tree : reference::all_trees(complete.alphabet(), 5)) {
    const auto state = evaluated<std::optional<State>>(
        tree, [&](Symbol symbol, std::span<const std::optional<State>> children) -> std::optional<State> {
          std::vector<State> states;
          for (const auto& child : children) states.push_back(*child);
          return result.target(symbol, states);
        });
    CHECK(result.final[*state] == accepts(complete, tree));
  }
}

TEST_CASE("the complement accepts exactly what is rejected") {
  for (std::uint64_t seed = 0; seed < quick_cases; ++seed) check_complement(seed);
}

TEST_CASE("the complement counts symbols that are declared but not used, of whatever rank") {
  const Automaton automaton = read_timbuk("Ops a:0 f:1 huge:500 States q Final States q Transitions a->q f(q)->q", "f");
  const Automaton rejected = complement(automaton);
  CHECK(tree_size(*smallest_tree(rejected)) == 501);
  CHECK_FALSE(accepts(rejected, read_tree("f(f(a))")));
}

TEST_CASE("De Morgan's laws and the laws of difference hold") {
  for (std::uint64_t seed = 0; seed < quick_cases; ++seed) check_laws(seed);
}

TEST_CASE("the difference respects symbols that only one automaton has") {
  for (std::uint64_t seed = 0; seed < quick_cases; ++seed) check_difference(seed);
}

TEST_CASE("universality agrees with the sets of the textbook construction, and a rejected tree is rejected") {
  std::size_t universal = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = automaton_of(seed);
    CAPTURE(to_timbuk(automaton));
    const bool expected = reference::included(universal_automaton(automaton.alphabet()), automaton);
    CHECK(is_universal(automaton) == expected);
    for (InclusionMethod method : {InclusionMethod::Downward, InclusionMethod::DownwardSimulation})
      CHECK(rejected_tree(automaton, {.method = method}).has_value() == !expected);
    CHECK(is_empty(complement(automaton)) == expected);
    universal += expected ? 1 : 0;
    if (const auto tree = rejected_tree(automaton)) CHECK_FALSE(reference::accepts(automaton, unfolded(*tree)));
  }
  CHECK(universal > 7);
  CHECK(universal < 1000);
}

TEST_CASE("completion adds what is missing and keeps the language") {
  for (std::uint64_t seed = 0; seed < quick_cases; ++seed) check_completion(seed);
}

TEST_CASE("the empty automaton and the empty alphabet are no special cases") {
  const Automaton nothing;
  CHECK(is_empty(nothing));
  CHECK(is_universal(nothing));  // there is no tree at all
  CHECK(is_complete(nothing));
  CHECK(complement(nothing).transition_count() == 0);
  CHECK(intersection(nothing, nothing).state_count() == 0);
  CHECK(union_of(nothing, nothing) == nothing);
  CHECK(difference(nothing, nothing).state_count() == 0);
  const Automaton none = read_timbuk("Ops a:0 f:2 Transitions", "f");
  CHECK_FALSE(is_universal(none));
  CHECK(is_universal(complement(none)));
  CHECK(minimised(determinised(none)).state_count() == 1);
}

TEST_CASE("subset constructions stop when they are asked to") {
  StopSource source;
  source.request(StopReason::Memory);
  const StopToken stop{source};
  const Automaton automaton = random_automaton(1, {.states = 20, .symbols = 5, .max_rank = 2, .transitions = 200});
  CHECK_THROWS_AS((void)determinised(automaton, stop), Interrupted);
  CHECK_THROWS_AS((void)complement(automaton, stop), Interrupted);
  CHECK_THROWS_AS((void)difference(automaton, automaton, stop), Interrupted);
  CHECK_THROWS_AS((void)is_universal(automaton, stop), Interrupted);
  CHECK_THROWS_AS((void)completed(automaton, stop), Interrupted);
  CHECK_THROWS_AS((void)minimised(determinised(automaton_of(10)), stop), Interrupted);
}

TEST_CASE("all of this holds for thousands of automata more [full]") {
  for (std::uint64_t seed = quick_cases; seed < 3000; ++seed) {
    check_determinisation(seed);
    check_minimisation(seed);
    check_complement(seed);
    check_completion(seed);
    check_difference(seed);
    check_laws(seed);
  }
}
