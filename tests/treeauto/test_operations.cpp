#include <doctest/doctest.h>

#include <string>

#include "tests/oracle/treeauto/random_automaton.hpp"
#include "tests/oracle/treeauto/reference.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/formats/json.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/lazy/lazy_exploration.hpp"
#include "treeauto/operations/emptiness.hpp"
#include "treeauto/operations/finiteness.hpp"
#include "treeauto/operations/intersection.hpp"
#include "treeauto/operations/membership.hpp"
#include "treeauto/operations/top_down.hpp"
#include "treeauto/operations/trim.hpp"
#include "treeauto/operations/union.hpp"
#include "treeauto/simulation/bisimulation.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

Automaton automaton_of(std::uint64_t seed) {
  return random_automaton(seed, {.states = 1 + seed % 6,
                                 .symbols = 1 + seed % 4,
                                 .max_rank = seed % 3 == 0 ? 3U : 2U,
                                 .transitions = 2 + seed % 13});
}

// Shares some symbols with automaton_of(seed), has others with another rank, lacks some.
Automaton partner_of(std::uint64_t seed) {
  return random_automaton(seed + 1'000'000,
                          {.states = 1 + seed % 4, .symbols = 2 + seed % 3, .transitions = 3 + seed % 9});
}

}  // namespace

TEST_CASE("the worklist finds the accessible and coaccessible states of the definition") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = automaton_of(seed);
    CAPTURE(to_timbuk(automaton));
    CHECK(accessible_states(automaton) == reference::accessible_states(automaton));
    CHECK(coaccessible_states(automaton) == reference::coaccessible_states(automaton));
  }
}

TEST_CASE("trimming keeps the language, leaves only useful states, and keeps their names") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = automaton_of(seed);
    CAPTURE(to_timbuk(automaton));
    const Automaton useful = trimmed(automaton);
    CHECK(reference::equivalent(useful, automaton));
    CHECK(reference::equivalent(without_inaccessible(automaton), automaton));
    for (State state : useful.states())
      CHECK((reference::accessible_states(useful)[state] && reference::coaccessible_states(useful)[state]));
    CHECK(trimmed(useful) == useful);
    CHECK(useful.alphabet() == automaton.alphabet());
  }
  CHECK(to_timbuk(trimmed(read_timbuk("States p q r Final States r Transitions a->p b(q)->q f(p)->r g(q)->r", "f"))) ==
        "Ops a:0 b:1 f:1 g:1\nAutomaton\nStates p r\nFinal States r\nTransitions\na -> p\nf(p) -> r\n");
}

TEST_CASE("a run on a tree reaches what the definition says, on all small trees") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = automaton_of(seed);
    CAPTURE(to_timbuk(automaton));
    for (const Tree& tree : reference::all_trees(automaton.alphabet(), 4)) {
      CAPTURE(to_text(tree));
      const auto expected = reference::reached_states(automaton, tree);
      CHECK(reached_states(automaton, tree) == std::vector<State>(expected.begin(), expected.end()));
      CHECK(accepts(automaton, tree) == reference::accepts(automaton, tree));
    }
  }
}

TEST_CASE("an accepting run labels every node by a transition that fits those of its children") {
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = automaton_of(seed);
    const Tree tree = random_tree(seed, automaton.alphabet(), 1 + seed % 40);
    CAPTURE(to_timbuk(automaton));
    CAPTURE(to_text(tree));
    const auto run = accepting_run(automaton, tree);
    REQUIRE(run.has_value() == reference::accepts(automaton, tree));
    if (!run) continue;
    ++accepted;
    REQUIRE(run->size() == tree.size());
    CHECK(automaton.is_final(automaton.target(run->front())));
    const auto sizes = subtree_sizes(tree);
    for (std::size_t node = 0; node < tree.size(); ++node) {
      CHECK(automaton.symbol((*run)[node]) == tree.preorder()[node]);
      std::size_t child = node + 1;
      for (State state : automaton.children((*run)[node])) {
        CHECK(automaton.target((*run)[child]) == state);
        child += sizes[child];
      }
    }
  }
  CHECK(accepted > 250);
}

TEST_CASE("a symbol that the automaton lacks is not accepted") {
  const Automaton automaton = read_timbuk("Final States q Transitions a->q f(q)->q", "f");
  CHECK(accepts(automaton, read_tree("f(f(a))")));
  CHECK_FALSE(accepts(automaton, read_tree("f(f(b))")));
  CHECK_FALSE(accepts(automaton, read_tree("f(a,a)")));
}

TEST_CASE("membership of a tree of depth one million is decided") {
  const Automaton even = read_timbuk("Final States e Transitions a->e f(e)->o f(o)->e g(e,e)->e g(o,o)->o", "f");
  std::vector<Symbol> preorder(1'000'000, *even.alphabet().find("f", 1));
  preorder.push_back(*even.alphabet().find("a", 0));
  const Tree tree{even.alphabet(), preorder};
  CHECK(accepts(even, tree));
  CHECK(accepting_run(even, tree)->size() == 1'000'001);
  std::vector<Symbol> comb;  // g(a, g(a, … a))
  for (int i = 0; i < 500'000; ++i) {
    comb.push_back(*even.alphabet().find("g", 2));
    comb.push_back(*even.alphabet().find("a", 0));
  }
  comb.push_back(*even.alphabet().find("a", 0));
  CHECK(accepts(even, Tree{even.alphabet(), comb}));
  CHECK(accepting_run(even, Tree{even.alphabet(), comb})->size() == 1'000'001);
}

TEST_CASE("the witness of emptiness is accepted and has the smallest size") {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = automaton_of(seed);
    CAPTURE(to_timbuk(automaton));
    const auto sizes = reference::smallest_sizes(automaton);
    const SmallestTrees smallest = smallest_trees(automaton);
    std::optional<std::uint64_t> best;
    for (State state : automaton.states()) {
      REQUIRE(smallest.reaches(state) == sizes[state].has_value());
      if (!sizes[state]) continue;
      CHECK(smallest.entries[state]->size == *sizes[state]);
      const SharedTree tree = tree_of(automaton, smallest, state);
      CHECK(tree_size(tree) == *sizes[state]);
      CHECK(reference::reached_states(automaton, unfolded(tree)).contains(state));
      if (automaton.is_final(state) && (!best || *sizes[state] < *best)) best = sizes[state];
    }
    CHECK(is_empty(automaton) == !best.has_value());
    const auto tree = smallest_tree(automaton);
    REQUIRE(tree.has_value() == best.has_value());
    const auto lazily = smallest_tree(LazyView{automaton});
    REQUIRE(lazily.has_value() == best.has_value());
    if (!tree) continue;
    ++found;
    CHECK(tree_size(*tree) == *best);
    CHECK(tree_size(*lazily) == *best);
    CHECK(reference::accepts(automaton, unfolded(*tree)));
    CHECK(reference::accepts(automaton, unfolded(*lazily)));
    CHECK(accepts(automaton, *tree));
  }
  CHECK(found > 500);
}

TEST_CASE("a smallest tree with more nodes than can be counted is found and checked") {
  AutomatonBuilder builder;
  const Symbol a = builder.symbol("a", 0);
  const Symbol f = builder.symbol("f", 2);
  State state = builder.add_state();
  builder.add(a, {}, state);
  for (int i = 0; i < 100'000; ++i) {
    const State next = builder.add_state();
    builder.add(f, {state, state}, next);
    state = next;
  }
  builder.set_final(state);
  const Automaton automaton = std::move(builder).build();
  const auto tree = smallest_tree(automaton);
  REQUIRE(tree.has_value());
  CHECK(tree->stored_nodes() == 100'001);
  CHECK(tree_size(*tree) == ~std::uint64_t{0});
  CHECK(accepts(automaton, *tree));
}

TEST_CASE("the union accepts what one of both accepts") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton first = automaton_of(seed);
    const Automaton second = partner_of(seed);
    CAPTURE(to_timbuk(first));
    CAPTURE(to_timbuk(second));
    const Automaton both = union_of(first, second);
    CHECK(both.transition_count() == first.transition_count() + second.transition_count());
    for (const Tree& tree : reference::all_trees(both.alphabet(), 4)) {
      CAPTURE(to_text(tree));
      CHECK(reference::accepts(both, tree) == (reference::accepts(first, tree) || reference::accepts(second, tree)));
    }
  }
}

TEST_CASE("the union keeps names that are disjoint and drops them otherwise") {
  const Automaton p = read_timbuk("States p Final States p Transitions a->p", "f");
  const Automaton q = read_timbuk("States q Final States Transitions b(q)->q", "f");
  CHECK(to_timbuk(union_of(p, q)) ==
        "Ops a:0 b:1\nAutomaton\nStates p q\nFinal States p\nTransitions\na -> p\nb(q) -> q\n");
  CHECK(to_timbuk(union_of(p, p)) ==
        "Ops a:0\nAutomaton\nStates q0 q1\nFinal States q0 q1\nTransitions\na -> q0\na -> q1\n");
}

TEST_CASE("the intersection is the useful part of the full product") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton first = automaton_of(seed);
    const Automaton second = seed % 2 == 0
                                 ? partner_of(seed)
                                 : random_automaton(seed + 7, first.alphabet(), {.states = 4, .transitions = 12});
    CAPTURE(to_timbuk(first));
    CAPTURE(to_timbuk(second));
    const auto [both, pairs] = product(first, second);
    const Automaton expected = trimmed(reference::intersection(first, second));
    REQUIRE(both.state_count() == expected.state_count());
    CHECK(both.transition_count() == expected.transition_count());
    CHECK(both.final_states().size() == expected.final_states().size());
    CHECK(both.alphabet() == expected.alphabet());
    for (State state : both.states())
      CHECK(both.is_final(state) == (first.is_final(pairs[state].first) && second.is_final(pairs[state].second)));
    for (const Tree& tree : reference::all_trees(first.alphabet(), 4))
      CHECK(accepts(both, tree) == (reference::accepts(first, tree) && reference::accepts(second, tree)));
    const Automaton lazily = trimmed(materialised(first, LazyView{second}));
    CHECK(lazily.state_count() == both.state_count());
    CHECK(lazily.transition_count() == both.transition_count());
  }
}

TEST_CASE("the intersection of automata with too many pairs for a matrix is found") {
  AutomatonBuilder builder;  // chains: the product has as many pairs as one of them
  const Symbol a = builder.symbol("a", 0);
  const Symbol f = builder.symbol("f", 2);
  std::vector<State> states{builder.add_state()};
  builder.add(a, {}, states.back());
  for (int i = 1; i < 5000; ++i) {
    states.push_back(builder.add_state());
    builder.add(f, {states[states.size() - 2], states.front()}, states.back());
  }
  builder.set_final(states.back());
  const Automaton chain = std::move(builder).build();
  const Automaton both = intersection(chain, chain);
  CHECK(both.state_count() == 5000);
  CHECK(both.transition_count() == 5000);
  CHECK(tree_size(*smallest_tree(both)) == 9999);
}

TEST_CASE("the intersection of automata whose pairs become many enough for a matrix is found") {
  const Automaton first = random_automaton(1, random_alphabet(3, 5, 2), {.states = 160, .transitions = 2500});
  const Automaton second = random_automaton(2, first.alphabet(), {.states = 160, .transitions = 2500});
  const auto [both, pairs] = product(first, second);
  REQUIRE(both.state_count() > 160 * 160 / 16);
  const Automaton expected = trimmed(reference::intersection(first, second));
  CHECK(both.state_count() == expected.state_count());
  CHECK(both.transition_count() == expected.transition_count());
}

TEST_CASE("finiteness agrees with the pumping bound") {
  std::size_t infinite = 0;
  std::size_t finite = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = automaton_of(seed);
    CAPTURE(to_timbuk(automaton));
    CHECK(is_finite(automaton) == reference::is_finite(automaton));
    (is_empty(automaton) ? finite : is_finite(automaton) ? finite : infinite) += 1;
  }
  CHECK(infinite > 150);
  CHECK(finite > 150);
}

TEST_CASE("an automaton can be read from the root down") {
  const Automaton automaton = read_timbuk("Final States p Transitions a->q b->q f(q,q)->p f(q,p)->p g(p)->p", "f");
  const State p{0};
  const State q{1};
  const Symbol f = *automaton.alphabet().find("f", 2);
  CHECK(choices(automaton, p, f).size() == 2);
  CHECK(choices(automaton, q, f).empty());
  CHECK_FALSE(is_top_down_deterministic(automaton));
  CHECK(is_top_down_deterministic(read_timbuk("Final States p Transitions a->q b->q f(q,q)->p", "f")));
  CHECK(to_grammar(automaton) == "start p\np -> f(q, p)\np -> f(q, q)\np -> g(p)\nq -> a\nq -> b\n");
}

TEST_CASE("choices and grammars are the transitions, looked up from their targets") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = automaton_of(seed);
    CAPTURE(to_timbuk(automaton));
    std::string grammar = "start";
    for (State state : automaton.final_states()) grammar += ' ' + automaton.state_name(state);
    grammar += '\n';
    bool deterministic = automaton.final_states().size() <= 1;
    for (State state : automaton.states())
      for (Symbol symbol : automaton.alphabet().symbols()) {
        std::vector<TransitionId> expected;
        for (TransitionId id : automaton.transitions())
          if (automaton.target(id) == state && automaton.symbol(id) == symbol) expected.push_back(id);
        const auto found = choices(automaton, state, symbol);
        CHECK(std::vector<TransitionId>(found.begin(), found.end()) == expected);
        deterministic = deterministic && expected.size() <= 1;
        for (TransitionId id : expected) {
          grammar += automaton.state_name(state) + " -> " + std::string{automaton.alphabet().name(symbol)};
          std::string separator = "(";
          for (State child : automaton.children(id)) {
            grammar += separator + automaton.state_name(child);
            separator = ", ";
          }
          grammar += automaton.children(id).empty() ? "\n" : ")\n";
        }
      }
    CHECK(is_top_down_deterministic(automaton) == deterministic);
    CHECK(to_grammar(automaton) == grammar);
  }
}

TEST_CASE("long operations stop when they are asked to") {
  StopSource source;
  source.request(StopReason::Timeout);
  const Automaton automaton = random_automaton(1, {.states = 20, .symbols = 5, .max_rank = 2, .transitions = 200});
  CHECK_THROWS_AS((void)intersection(automaton, automaton, StopToken{source}), Interrupted);
  CHECK_THROWS_AS((void)smallest_tree(automaton, StopToken{source}), Interrupted);
  CHECK_THROWS_AS((void)read_timbuk(to_timbuk(automaton), "f", TimbukReading::Lenient, StopToken{source}), Interrupted);
  CHECK_THROWS_AS((void)read_json(to_json(automaton), "f", StopToken{source}), Interrupted);
  CHECK_THROWS_AS((void)backward_bisimulation(automaton, StopToken{source}), Interrupted);
  CHECK_THROWS_AS((void)accepts(automaton, random_tree(1, automaton.alphabet(), 20), StopToken{source}), Interrupted);
}
