#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "tests/oracle/treeauto/random_automaton.hpp"
#include "tests/oracle/treeauto/reference.hpp"
#include "tests/oracle/treeauto/shared_data.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/lazy/inclusion.hpp"
#include "treeauto/lazy/lazy_complement.hpp"
#include "treeauto/lazy/lazy_exploration.hpp"
#include "treeauto/lazy/two_way.hpp"
#include "treeauto/operations/emptiness.hpp"
#include "treeauto/operations/membership.hpp"
#include "treeauto/operations/union.hpp"
#include "treeauto/operations/universal.hpp"
#include "treeauto/simulation/reduction.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

constexpr InclusionMethod methods[] = {InclusionMethod::Automatic, InclusionMethod::Upward,
                                       InclusionMethod::UpwardSimulation, InclusionMethod::Downward,
                                       InclusionMethod::DownwardSimulation};

void check_counterexample(const Automaton& first, const Automaton& second, const Inclusion& answer) {
  REQUIRE(answer.counterexample.has_value() == !answer.holds);
  if (answer.holds) return;
  CHECK(accepts(first, *answer.counterexample));
  CHECK_FALSE(accepts(second, *answer.counterexample));
}

void check_inclusions(std::uint64_t begin, std::uint64_t end) {
  std::size_t holding = 0;
  for (std::uint64_t seed = begin; seed < end; ++seed) {
    const Alphabet alphabet = random_alphabet(seed, 2 + seed % 3, 2);
    const Automaton first =
        random_automaton(seed, alphabet, {.states = 2 + seed % 3, .transitions = 5 + seed % 6, .final_share = 0.3});
    Automaton second = random_automaton(seed + 1'000'000, alphabet,
                                        {.states = 2 + seed % 4, .transitions = 8 + seed % 11, .final_share = 0.6});
    if (seed % 3 == 0) second = union_of(second, first);
    CAPTURE(seed);
    CAPTURE(to_timbuk(first));
    CAPTURE(to_timbuk(second));
    const bool expected = reference::included(first, second);
    holding += expected && smallest_tree(first) ? 1U : 0U;
    for (InclusionMethod method : methods) {
      CAPTURE(static_cast<int>(method));
      const Inclusion answer = inclusion(first, second, {.method = method});
      CHECK(answer.holds == expected);
      check_counterexample(first, second, answer);
    }
  }
  CHECK(holding > (end - begin) / 6);
}

void check_inclusions_of_high_rank(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t seed = begin; seed < end; ++seed) {
    const Automaton first =
        random_automaton(seed, {.states = 2, .symbols = 3, .max_rank = 4, .transitions = 5, .final_share = 0.5});
    const Automaton second =
        random_automaton(seed + 1, {.states = 3, .symbols = 4, .max_rank = 4, .transitions = 14, .final_share = 0.5});
    CAPTURE(seed);
    CAPTURE(to_timbuk(first));
    CAPTURE(to_timbuk(second));
    const bool expected = reference::included(first, second);
    for (InclusionMethod method : methods) {
      CAPTURE(static_cast<int>(method));
      const Inclusion answer = inclusion(first, second, {.method = method});
      CHECK(answer.holds == expected);
      check_counterexample(first, second, answer);
    }
  }
}

}  // namespace

TEST_CASE("every method decides inclusion as the definition does, with a counterexample if it fails") {
  check_inclusions(0, 500);
}
TEST_CASE(
    "every method decides inclusion as the definition does, with a counterexample if it fails, in many more cases "
    "[full]") {
  check_inclusions(500, 3000);
}

TEST_CASE("every method decides inclusion of automata with high ranks and no shared numbering of symbols") {
  check_inclusions_of_high_rank(0, 40);
}
TEST_CASE(
    "every method decides inclusion of automata with high ranks and no shared numbering of symbols, in many more cases "
    "[full]") {
  check_inclusions_of_high_rank(40, 2000);
}

TEST_CASE("inclusion is decided with long antichains, from which sets are taken out again") {
  std::size_t holding = 0;
  std::size_t failing = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    // A constant reaches a few states, and three symbols lead from about half of the states to themselves, so that
    // larger trees have smaller sets.
    constexpr std::size_t states = 24;
    Random random{seed};
    AutomatonBuilder builder;
    builder.add_states(states);
    for (State state : IdRange<State>{states}) builder.set_final(state, random.below(4) != 0);
    for (std::size_t i = 0; i < 80; ++i) {
      const Symbol constant = builder.symbol("c" + std::to_string(i), 0);
      builder.add(constant, {}, State{random.below(2)});  // this is never lost: no set is empty
      for (std::size_t count = 1 + random.below(6); count > 0; --count)
        builder.add(constant, {}, State{random.below(states)});
    }
    for (const char* name : {"f", "g", "h"})
      for (State state : IdRange<State>{states})
        if (state.index() < 2 || random.below(2) == 0) builder.add(builder.symbol(name, 1), {state}, state);
    const Automaton second = std::move(builder).build();
    const Automaton first = universal_automaton(second.alphabet());
    CAPTURE(seed);
    const bool expected = reference::included(first, second);
    (expected ? holding : failing) += 1;
    for (InclusionMethod method : {InclusionMethod::Upward, InclusionMethod::Automatic}) {
      const Inclusion answer = inclusion(first, second, {.method = method});
      CHECK(answer.holds == expected);
      check_counterexample(first, second, answer);
    }
    const auto lazily = some_tree(first, LazyComplement{second});
    const auto both_ways = some_common_tree(DownwardView{first}, LazyComplement{second});
    for (const auto& found : {lazily, both_ways}) {
      REQUIRE(found.has_value() == !expected);
      if (found) CHECK_FALSE(accepts(second, *found));
    }
  }
  CHECK(holding > 5);
  CHECK(failing > 5);
}

TEST_CASE("large automata are compared without simulations") {
  // Words whose length is a multiple of 7; words whose length is not 1 modulo 9000.
  const auto lengths = [](std::size_t modulus, auto&& is_final) {
    AutomatonBuilder builder;
    builder.add_states(modulus);
    builder.add(builder.symbol("a", 0), {}, State{0});
    for (std::size_t i = 0; i < modulus; ++i) {
      builder.add(builder.symbol("s", 1), {State{i}}, State{(i + 1) % modulus});
      builder.set_final(State{i}, is_final(i));
    }
    return std::move(builder).build();
  };
  const Automaton first = lengths(7, [](std::size_t i) { return i == 0; });
  const Automaton second = lengths(9000, [](std::size_t i) { return i != 1; });
  const Inclusion answer = inclusion(first, second);
  CHECK((answer.decided_by == InclusionMethod::Upward || answer.decided_by == InclusionMethod::Downward));
  check_counterexample(first, second, answer);
  CHECK(tree_size(*answer.counterexample) == 36'002);
}

TEST_CASE("equivalence is inclusion both ways and says who accepts the counterexample") {
  std::size_t equivalent = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton first = random_automaton(seed, {.states = 3, .symbols = 3, .transitions = 9});
    const Automaton second =
        seed % 2 == 0 ? reduced(first) : random_automaton(seed + 1, first.alphabet(), {.states = 3, .transitions = 9});
    CAPTURE(seed);
    const bool expected = reference::equivalent(first, second);
    CHECK(are_equivalent(first, second) == expected);
    equivalent += expected ? 1U : 0U;
    for (InclusionMethod method : methods) {
      CAPTURE(static_cast<int>(method));
      const Equivalence answer = equivalence(first, second, {.method = method});
      REQUIRE(answer.holds == expected);
      if (answer.holds) continue;
      CHECK(accepts(first, *answer.counterexample) == answer.accepted_by_first);
      CHECK(accepts(second, *answer.counterexample) != answer.accepted_by_first);
    }
  }
  CHECK(equivalent >= 1000);
}

TEST_CASE("counterexamples found upwards are on average hardly larger than the smallest") {
  std::uint64_t found = 0;
  std::uint64_t possible = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Alphabet alphabet = random_alphabet(seed, 3, 2);
    const Automaton first = random_automaton(seed, alphabet, {.states = 5, .transitions = 12});
    const Automaton second = random_automaton(seed + 1, alphabet, {.states = 5, .transitions = 20});
    const Inclusion answer = inclusion(first, second, {.method = InclusionMethod::Upward});
    if (answer.holds) continue;
    CAPTURE(seed);
    const auto smallest = smallest_tree(first, LazyComplement{with_alphabet(second, alphabet)});
    REQUIRE(smallest.has_value());
    found += tree_size(*answer.counterexample);
    possible += tree_size(*smallest);
  }
  CHECK(found < possible * 6 / 5);
}

TEST_CASE("what was proved under an assumption is forgotten when the assumption turns out wrong") {
  // From the root: is x within {x1}? Its f(y) asks whether y is within {y1}, which is so if x is within {x1}; but it is
  // not, because of b. It is within {x1, x2}, so the search goes on, and k(y) asks about y and {y1} again.
  const Automaton first = read_timbuk(
      "Ops f:1 g:1 h:1 k:1 b:0 c:0 Automaton A States x y r Final States r Transitions f(y) -> x b -> x g(x) -> y "
      "h(x) -> r k(y) -> r",
      "<text>");
  const Automaton second = read_timbuk(
      "Ops f:1 g:1 h:1 k:1 b:0 c:0 Automaton B States x1 y1 x2 y2 r Final States r Transitions f(y1) -> x1 c -> x1 "
      "g(x1) -> y1 f(y2) -> x2 b -> x2 g(x2) -> y2 h(x1) -> r h(x2) -> r k(y1) -> r",
      "<text>");
  for (InclusionMethod method : methods) {
    CAPTURE(static_cast<int>(method));
    const Inclusion answer = inclusion(first, second, {.method = method});
    REQUIRE(answer.counterexample.has_value());
    CHECK(to_text(unfolded(*answer.counterexample)) == "k(g(b))");
  }
}

TEST_CASE("a symbol that only the first automaton knows makes a counterexample") {
  const Automaton first = read_timbuk("Ops a:0 b:0 Automaton A Final States q Transitions a -> q b -> q", "<text>");
  const Automaton second = read_timbuk("Ops c:0 a:0 Automaton B Final States q Transitions a -> q c -> q", "<text>");
  for (InclusionMethod method : methods) {
    const Inclusion answer = inclusion(first, second, {.method = method});
    REQUIRE(answer.counterexample.has_value());
    CHECK(to_text(unfolded(*answer.counterexample)) == "b");
  }
}

TEST_CASE("counterexamples of depth one million are found from both ends") {
  std::string text = "Ops a:0 f:1 Automaton A States Final States q1000000 Transitions a -> q0";
  for (int i = 0; i < 1'000'000; ++i) text += "\nf(q" + std::to_string(i) + ") -> q" + std::to_string(i + 1);
  const Automaton deep = read_timbuk(text, "<text>");
  const Automaton odd =
      read_timbuk("Ops a:0 f:1 Automaton B States Final States o Transitions a -> e f(e) -> o f(o) -> e", "<text>");
  for (InclusionMethod method : {InclusionMethod::Upward, InclusionMethod::Downward}) {
    const Inclusion answer = inclusion(deep, odd, {.method = method});
    REQUIRE(answer.counterexample.has_value());
    CHECK(tree_size(*answer.counterexample) == 1'000'001);
  }
}

TEST_CASE("a search can be stopped") {
  StopSource source;
  source.request(StopReason::Timeout);
  const Automaton automaton = random_automaton(1, {.states = 20, .symbols = 4, .max_rank = 2, .transitions = 200});
  for (InclusionMethod method : methods)
    CHECK_THROWS_AS((void)inclusion(automaton, automaton, {.method = method}, StopToken{source}), Interrupted);
}

TEST_CASE("inclusion of the shared pairs is decided, with counterexamples where it fails [full]") {
  for (const auto& pair : shared_timbuk_pairs()) {
    const Automaton first = read_timbuk_file(pair.first);
    const Automaton second = read_timbuk_file(pair.second);
    if (first.transition_count() + second.transition_count() > 20'000) continue;
    CAPTURE(pair.first);
    CAPTURE(pair.second);
    check_counterexample(first, second, inclusion(first, second));
  }
}
