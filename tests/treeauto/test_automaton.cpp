#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/oracle/treeauto/random_automaton.hpp"
#include "treeauto/automaton/automaton_at_random.hpp"
#include "treeauto/automaton/automaton_builder.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

TEST_CASE("a symbol is a name and a rank") {
  AlphabetBuilder builder;
  const Symbol f1 = builder.add("f", 1);
  const Symbol f2 = builder.add("f", 2);
  const Symbol a = builder.add("a", 0);
  CHECK(builder.add("f", 1) == f1);
  CHECK(f1 != f2);
  const Alphabet alphabet = std::move(builder).build();
  CHECK(alphabet.size() == 3);
  CHECK(alphabet.name(f2) == "f");
  CHECK(alphabet.rank(f2) == 2);
  CHECK(alphabet.max_rank() == 2);
  CHECK(alphabet.find("a", 0) == a);
  CHECK_FALSE(alphabet.find("a", 1).has_value());
  CHECK_FALSE(alphabet.find("b", 0).has_value());
  CHECK(alphabet.with_name("f") == std::vector{f1, f2});
}

TEST_CASE("joining alphabets keeps the numbers of the first and matches by name and rank") {
  AlphabetBuilder left;
  left.add("a", 0);
  left.add("f", 1);
  const Alphabet first = std::move(left).build();
  AlphabetBuilder right;
  right.add("f", 2);
  right.add("f", 1);
  const Alphabet second = std::move(right).build();
  const JoinedAlphabet both = joined(first, second);
  CHECK(both.alphabet.size() == 3);
  CHECK(both.alphabet.find("f", 1) == Symbol{1});
  CHECK(both.from_second == IdVector<Symbol, Symbol>{Symbol{2}, Symbol{1}});
  CHECK(joined(first, first).alphabet == first);
  CHECK(matched(second, first) == IdVector<Symbol, std::optional<Symbol>>{std::nullopt, Symbol{1}});
}

TEST_CASE("transitions are a set, ordered by symbol, children and target") {
  AutomatonBuilder builder;
  const Symbol f = builder.symbol("f", 2);
  const Symbol a = builder.symbol("a", 0);
  const State p = builder.state("p");
  const State q = builder.state("q");
  builder.add(a, {}, q);
  builder.add(f, {q, p}, p);
  builder.add(f, {p, q}, q);
  builder.add(f, {p, q}, p);
  builder.add(f, {q, p}, p);
  builder.set_final(q);
  const Automaton automaton = std::move(builder).build();
  REQUIRE(automaton.transition_count() == 4);
  CHECK(automaton.transitions_of(f).size() == 3);
  CHECK(automaton.target(TransitionId{0}) == p);
  CHECK(automaton.target(TransitionId{1}) == q);
  CHECK(automaton.symbol(TransitionId{3}) == a);
  CHECK(automaton.transitions_of(f, std::vector{p, q}).size() == 2);
  CHECK(automaton.transitions_of(f, std::vector{p, p}).size() == 0);
  CHECK(automaton.occurrences(p).size() == 3);
  CHECK(automaton.occurrences(p)[2] == Occurrence{TransitionId{2}, 1});
  CHECK(automaton.transitions_to(p).size() == 2);
  CHECK(std::ranges::equal(automaton.final_states(), std::vector{q}));
  CHECK(total_size(automaton) == 10);
}

TEST_CASE("states without a name are called q and their number, and never like another state") {
  AutomatonBuilder builder;
  builder.add_state();
  CHECK(std::move(builder).build().state_name(State{0}) == "q0");

  AutomatonBuilder mixed;
  mixed.add_state();
  mixed.state("q0");
  const Automaton automaton = std::move(mixed).build();
  CHECK(automaton.state_name(State{1}) == "q0");
  CHECK(automaton.state_name(State{0}) == "q0'");
}

TEST_CASE("the order of building does not matter for transitions of any rank") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    const Automaton automaton = random_automaton(seed, {.states = 3, .symbols = 4, .max_rank = 5, .transitions = 40});
    AutomatonBuilder builder{automaton.alphabet()};
    builder.add_states_of(automaton);
    for (std::size_t i = automaton.transition_count(); i-- > 0;) {
      const Transition transition = automaton.transition(TransitionId{i});
      builder.add(transition.symbol, transition.children, transition.target);
      builder.add(transition.symbol, transition.children, transition.target);
    }
    CHECK(std::move(builder).build() == automaton);
    for (TransitionId id : automaton.transitions()) {
      const auto same = automaton.transitions_of(automaton.symbol(id), automaton.children(id));
      CHECK(std::ranges::any_of(same, [&](TransitionId other) { return other == id; }));
      for (TransitionId other : same) CHECK(std::ranges::equal(automaton.children(other), automaton.children(id)));
    }
    std::size_t occurrences = 0;
    for (State state : automaton.states()) {
      for (const Occurrence& at : automaton.occurrences(state))
        CHECK(automaton.children(at.transition)[at.position] == state);
      occurrences += automaton.occurrences(state).size();
      for (TransitionId id : automaton.transitions_to(state)) CHECK(automaton.target(id) == state);
    }
    CHECK(occurrences + automaton.transition_count() == total_size(automaton));
  }
}

TEST_CASE("indexes may be asked for by several threads at once") {
  const Automaton automaton = random_automaton(7, {.states = 50, .symbols = 5, .max_rank = 3, .transitions = 2000});
  std::vector<std::size_t> sums(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t& sum : sums)
      threads.emplace_back([&automaton, &sum] {
        for (State state : automaton.states())
          sum += automaton.occurrences(state).size() + automaton.transitions_to(state).size();
      });
  }
  CHECK(std::ranges::all_of(sums, [&](std::size_t sum) { return sum == total_size(automaton); }));
}

TEST_CASE("an automaton moves to another alphabet by name and rank") {
  AutomatonBuilder builder;
  const Symbol a = builder.symbol("a", 0);
  const Symbol f = builder.symbol("f", 1);
  const State q = builder.add_state();
  builder.add(a, {}, q);
  builder.add(f, {q}, q);
  const Automaton automaton = std::move(builder).build();
  AlphabetBuilder other;
  other.add("b", 0);
  const Symbol moved = other.add("f", 1);
  const Automaton there = with_alphabet(automaton, std::move(other).build());
  CHECK(there.transition_count() == 1);
  CHECK(there.symbol(TransitionId{0}) == moved);
}

namespace {

// All transitions over the symbols and states, by all ways to choose children.
Automaton all_transitions(const Alphabet& alphabet, std::size_t states) {
  AutomatonBuilder builder{alphabet};
  builder.add_states(states);
  for (Symbol symbol : alphabet.symbols()) {
    std::vector<State> chosen;
    const auto choose = [&](const auto& self) -> void {
      for (std::size_t state = 0; state < states; ++state) {
        if (chosen.size() == alphabet.rank(symbol)) {
          builder.add(symbol, chosen, State{state});
        } else {
          chosen.emplace_back(state);
          self(self);
          chosen.pop_back();
        }
      }
    };
    choose(choose);
  }
  return std::move(builder).build();
}

}  // namespace

TEST_CASE("an automaton at random has the sizes that were asked for, and any transitions that there are") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Alphabet alphabet = random_alphabet(seed, 1 + seed % 4, 3);
    const std::size_t states = seed % 5;
    const Automaton all = all_transitions(alphabet, states);
    CAPTURE(seed);
    REQUIRE(possible_transitions(alphabet, states) == all.transition_count());
    CHECK(automaton_at_random(alphabet, {states, 0, all.transition_count()}, seed) == all);
    const AutomatonSizes sizes{states, states - states / 2, all.transition_count() * (seed % 7) / 7};
    const Automaton automaton = automaton_at_random(alphabet, sizes, seed);
    CHECK(automaton.alphabet() == alphabet);
    CHECK(automaton.state_count() == sizes.states);
    CHECK(automaton.final_states().size() == sizes.final_states);
    CHECK(automaton.transition_count() == sizes.transitions);  // different ones: a builder keeps no copies
    CHECK(automaton_at_random(alphabet, sizes, seed) == automaton);
  }
}

TEST_CASE("all sets of transitions are equally likely, and all sets of final states") {
  AlphabetBuilder builder;
  builder.add("a", 0);
  builder.add("g", 1);
  const Alphabet alphabet = std::move(builder).build();
  std::map<std::string, std::size_t> transitions;   // 20 sets of three among six
  std::map<std::string, std::size_t> final_states;  // 2 sets of one
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const Automaton automaton = automaton_at_random(alphabet, {2, 1, 3}, seed);
    std::string text;
    for (TransitionId id : automaton.transitions()) {
      text += alphabet.name(automaton.symbol(id));
      for (State child : automaton.children(id)) text += std::to_string(child.index());
      text += std::to_string(automaton.target(id).index()) + ' ';
    }
    ++transitions[text];
    ++final_states[std::to_string(automaton.final_states().front().index())];
  }
  CHECK(transitions.size() == 20);
  for (const auto& transition : transitions) {
    INFO(transition.first);
    const std::size_t number = transition.second;
    CHECK(number > 220);  // 300 are expected, with a deviation of 17
    CHECK(number < 380);
  }
  CHECK(final_states.size() == 2);
  for (const auto& [text, number] : final_states) {
    CHECK(number > 2800);  // 3000, with a deviation of 39
    CHECK(number < 3200);
  }
}

TEST_CASE("transitions that are too many to be numbered are told") {
  AlphabetBuilder builder;
  builder.add("f", 20);
  const Alphabet alphabet = std::move(builder).build();
  CHECK(possible_transitions(alphabet, 0) == 0);
  CHECK(possible_transitions(alphabet, 1) == 1);
  CHECK(possible_transitions(alphabet, 8) == std::nullopt);  // 2^63
  CHECK(possible_transitions(alphabet, 7).has_value());
}
