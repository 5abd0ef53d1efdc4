#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/oracle/treeauto/random_automaton.hpp"
#include "tests/oracle/treeauto/reference.hpp"
#include "tests/oracle/treeauto/reference_simulation.hpp"
#include "tests/oracle/treeauto/shared_data.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/operations/trim.hpp"
#include "treeauto/simulation/reduction.hpp"
#include "treeauto/simulation/simulation.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

reference::StateRelation pairs(const StatePreorder& preorder) {
  reference::StateRelation relation;
  for (State a : IdRange<State>{preorder.state_count()})
    for (State b : IdRange<State>{preorder.state_count()}) {
      if (preorder.holds(a, b)) relation.emplace(a, b);
      CHECK(preorder.equivalent(a, b) == (preorder.holds(a, b) && preorder.holds(b, a)));
    }
  return relation;
}

Automaton random_case(std::uint64_t seed) {
  return random_automaton(
      seed, {.states = 2 + seed % 7, .symbols = 1 + seed % 4, .max_rank = 1 + seed % 3, .transitions = 4 + seed % 23});
}

void check_reductions(std::uint64_t begin, std::uint64_t end) {
  std::size_t before = 0;
  std::size_t after = 0;
  for (std::uint64_t seed = begin; seed < end; ++seed) {
    const Automaton automaton = random_automaton(
        seed,
        {.states = 2 + seed % 5, .symbols = 1 + seed % 4, .max_rank = 1 + seed % 2, .transitions = 4 + seed % 13});
    CAPTURE(seed);
    CAPTURE(to_timbuk(automaton));
    const StatePreorder downward = downward_simulation(automaton);
    const StatePreorder upward = upward_simulation(automaton);
    CHECK(reference::equivalent(quotient(automaton, downward), automaton));
    CHECK(reference::equivalent(quotient(automaton, upward), automaton));
    CHECK(reference::equivalent(pruned_downwards(automaton, downward), automaton));
    CHECK(reference::equivalent(pruned_upwards(automaton, upward), automaton));
    for (bool prune : {false, true}) {
      CHECK(reference::equivalent(reduced(automaton, {.upward = false, .prune = prune}), automaton));
      CHECK(reference::equivalent(reduced(automaton, {.downward = false, .prune = prune}), automaton));
      CHECK(reference::equivalent(reduced(automaton, {.prune = prune}), automaton));
    }
    const Automaton result = reduced(automaton);
    CHECK(reduced(result) == result);
    before += trimmed(automaton).state_count();
    after += result.state_count();
  }
  CHECK(after < before * 9 / 10);
}

}  // namespace

TEST_CASE("downward simulation is the greatest one of the definition") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = random_case(seed);
    CAPTURE(seed);
    CAPTURE(to_timbuk(automaton));
    CHECK(pairs(downward_simulation(automaton)) == reference::downward_simulation(automaton));
  }
}

TEST_CASE("upward simulation is the greatest one of the definition, whatever it is induced by") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = random_case(seed);
    CAPTURE(seed);
    CAPTURE(to_timbuk(automaton));
    const auto by_identity = reference::upward_simulation(automaton, reference::identity(automaton));
    CHECK(pairs(upward_simulation(automaton)) == by_identity);
    CHECK(pairs(upward_simulation(automaton, StatePreorder::identity(automaton.state_count()))) == by_identity);
    const StatePreorder downward = downward_simulation(automaton);
    CHECK(pairs(upward_simulation(automaton, downward)) == reference::upward_simulation(automaton, pairs(downward)));
  }
}

TEST_CASE("every way of reducing keeps the language") { check_reductions(0, 500); }
TEST_CASE("every way of reducing keeps the language, in many more cases [full]") { check_reductions(500, 3000); }

TEST_CASE("states that accept the same trees by the same transitions are made one, with the first name") {
  const Automaton automaton = read_timbuk(
      "Ops a:0 f:1 g:2 Automaton A States p q r Final States r Transitions a -> p a -> q f(p) -> p f(q) -> q "
      "g(p, q) -> r",
      "<text>");
  const Automaton result = reduced(automaton);
  CHECK(to_timbuk(result) ==
        "Ops a:0 f:1 g:2\nAutomaton A\nStates p r\nFinal States r\nTransitions\na -> p\nf(p) -> p\ng(p, p) -> r\n");
}

TEST_CASE("a chain of one thousand states has as many classes") {
  std::string text = "Ops a:0 f:1 Automaton A States Final States q999 Transitions a -> q0";
  for (int i = 0; i < 999; ++i) text += "\nf(q" + std::to_string(i) + ") -> q" + std::to_string(i + 1);
  const Automaton chain = read_timbuk(text, "<text>");
  CHECK(downward_simulation(chain).class_count() == 1'000);
  CHECK(upward_simulation(chain).class_count() == 1'000);
  CHECK(reduced(chain).state_count() == 1'000);
}

// Many copies of one automaton, to which simulations are no larger than to one.
TEST_CASE("copies of an automaton are made one before simulations are computed") {
  const Automaton one = random_automaton(4, {.states = 6, .symbols = 4, .max_rank = 2, .transitions = 24});
  AutomatonBuilder builder{one.alphabet()};
  constexpr std::size_t copies = 5'000;  // a relation on 30,000 states would take 110 MB, counters many times that
  for (std::size_t copy = 0; copy < copies; ++copy) {
    const std::size_t first = builder.add_states_of(one).index();
    for (TransitionId id : one.transitions()) {
      std::vector<State> children;
      for (State child : one.children(id)) children.emplace_back(first + child.index());
      builder.add(one.symbol(id), children, State{first + one.target(id).index()});
    }
  }
  const Automaton many = std::move(builder).build();
  CHECK(downward_simulation(many).class_count() == downward_simulation(one).class_count());
  CHECK(reduced(many) == reduced(one));
}

TEST_CASE("the shared automata are reduced, and again without change [full]") {
  for (const std::string& file : shared_timbuk_files()) {
    const Automaton automaton = trimmed(read_timbuk_file(file));
    if (automaton.transition_count() > 1500) continue;
    CAPTURE(file);
    const Automaton result = reduced(automaton);
    CHECK(result.state_count() <= automaton.state_count());
    CHECK(reduced(result) == result);
  }
}
