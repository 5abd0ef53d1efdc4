#include <doctest/doctest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "tests/oracle/treeauto/random_automaton.hpp"
#include "tests/oracle/treeauto/reference.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/lazy/lazy_complement.hpp"
#include "treeauto/lazy/two_way.hpp"
#include "treeauto/operations/membership.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

// A component given by tables over contexts 0, …, 3 and outcomes 0, …, 2: what the child at some place inherits depends
// on the context, the symbol and the outcome of the child before it.
struct TableComponent {
  using Context = std::size_t;
  using Choice = Symbol;
  using Outcome = std::size_t;
  static constexpr std::size_t contexts = 4;
  static constexpr std::size_t outcomes = 3;

  Alphabet symbols;
  std::map<std::array<std::size_t, 4>, std::size_t> inherited;  // context, symbol, place, outcome before → context
  std::map<std::array<std::size_t, 3>, std::vector<std::size_t>> synthesised;  // context, symbol, sum → outcomes

  TableComponent(std::uint64_t seed, const Alphabet& alphabet) : symbols{alphabet} {
    Random random{seed};
    for (std::size_t context = 0; context < contexts; ++context)
      for (Symbol symbol : alphabet.symbols()) {
        for (std::size_t place = 0; place < alphabet.rank(symbol); ++place)
          for (std::size_t before = 0; before < (place == 0 ? 1 : outcomes); ++before)
            if (random.below(4) > 0) inherited[{context, symbol.index(), place, before}] = random.below(contexts);
        for (std::size_t sum = 0; sum < outcomes; ++sum)
          for (std::size_t outcome = 0; outcome < outcomes; ++outcome)
            if (random.below(3) == 0) synthesised[{context, symbol.index(), sum}].push_back(outcome);
      }
  }

  const Alphabet& alphabet() const { return symbols; }
  template <class Sink>
  void each_root(Sink&& sink) const {
    sink(Context{0});
  }
  template <class Sink>
  void each_choice(Context, Sink&& sink) const {
    for (Symbol one : symbols.symbols()) sink(one);
  }
  Symbol symbol(Symbol choice) const { return choice; }
  std::optional<Context> child_context(Context context, Symbol choice, std::span<const Outcome> before) const {
    const auto found = inherited.find({context, choice.index(), before.size(), before.empty() ? 0 : before.back()});
    return found == inherited.end() ? std::nullopt : std::optional{found->second};
  }
  template <class Sink>
  void each_outcome(Context context, Symbol choice, std::span<const Outcome> below, Sink&& sink) const {
    std::size_t sum = 0;
    for (Outcome one : below) sum += one;
    const auto found = synthesised.find({context, choice.index(), sum % outcomes});
    if (found == synthesised.end()) return;
    for (Outcome one : found->second) sink(one);
  }
  bool accepts(Outcome outcome) const { return outcome == 0; }
};

// The automaton of all pairs of a context and an outcome, with the transitions that the tables allow.
Automaton materialised(const TableComponent& component) {
  AutomatonBuilder builder{component.symbols};
  builder.add_states(TableComponent::contexts * TableComponent::outcomes);
  const auto state = [](std::size_t context, std::size_t outcome) {
    return State{context * TableComponent::outcomes + outcome};
  };
  for (std::size_t outcome = 0; outcome < TableComponent::outcomes; ++outcome)
    builder.set_final(state(0, outcome), component.accepts(outcome));
  for (std::size_t context = 0; context < TableComponent::contexts; ++context)
    for (Symbol symbol : component.symbols.symbols()) {
      std::vector<std::vector<std::size_t>> sequences{{}};
      for (std::size_t place = 0; place < component.symbols.rank(symbol); ++place) {
        std::vector<std::vector<std::size_t>> longer;
        for (const auto& sequence : sequences)
          for (std::size_t outcome = 0; outcome < TableComponent::outcomes; ++outcome) {
            longer.push_back(sequence);
            longer.back().push_back(outcome);
          }
        sequences = longer;
      }
      for (const auto& sequence : sequences) {
        std::vector<State> children;
        for (std::size_t place = 0; place < sequence.size(); ++place)
          if (const auto child = component.child_context(context, symbol, std::span{sequence}.first(place)))
            children.push_back(state(*child, sequence[place]));
        if (children.size() < sequence.size()) continue;
        component.each_outcome(context, symbol, sequence,
                               [&](std::size_t outcome) { builder.add(symbol, children, state(context, outcome)); });
      }
    }
  return std::move(builder).build();
}

void check_tree(const std::optional<SharedTree>& found, const std::optional<SharedTree>& expected,
                const Automaton& down) {
  REQUIRE(found.has_value() == expected.has_value());
  if (found) CHECK(accepts(down, *found));
}

}  // namespace

static_assert(DownwardComponent<TableComponent> && DownwardComponent<DownwardView>);

TEST_CASE("the two-way search finds a tree iff the materialised product has one") {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Alphabet alphabet = random_alphabet(seed, 3, 1 + seed % 3);
    const TableComponent component{seed, alphabet};
    const Automaton up =
        random_automaton(seed, alphabet, {.states = 4, .transitions = 8 + seed % 8, .final_share = 0.2});
    const Automaton down = materialised(component);
    CAPTURE(seed);
    CAPTURE(to_timbuk(up));
    const auto expected = smallest_tree(down, LazyView{up});
    const auto smallest = smallest_common_tree(component, LazyView{up});
    const auto some = some_common_tree(component, LazyView{up});
    check_tree(smallest, expected, down);
    check_tree(some, expected, down);
    if (!expected) continue;
    ++found;
    CHECK(tree_size(*smallest) == tree_size(*expected));
    CHECK(accepts(up, *smallest));
    CHECK(accepts(up, *some));
  }
  CHECK(found > 500);
  CHECK(found < 2500);
}

TEST_CASE("subsumption in the upward component changes no answer") {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Alphabet alphabet = random_alphabet(seed, 3, 2);
    const TableComponent component{seed, alphabet};
    const Automaton up = random_automaton(seed, alphabet, {.states = 4, .transitions = 16, .final_share = 0.7});
    const Automaton down = materialised(component);
    CAPTURE(seed);
    const LazyComplement complement{up};
    const auto expected = smallest_tree(down, LazyComplement{up});
    const auto smallest = smallest_common_tree(component, complement);
    const auto some = some_common_tree(component, LazyComplement{up});
    check_tree(smallest, expected, down);
    check_tree(some, expected, down);
    if (!expected) continue;
    ++found;
    CHECK(tree_size(*smallest) == tree_size(*expected));
    CHECK_FALSE(accepts(up, *smallest));
    CHECK_FALSE(accepts(up, *some));
  }
  CHECK(found > 300);
}

TEST_CASE("an automaton read from the root meets another like their intersection does") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Alphabet alphabet = random_alphabet(seed, 3, 3);
    const Automaton down = random_automaton(seed, alphabet, {.states = 4, .transitions = 9});
    const Automaton up = random_automaton(seed + 1, alphabet, {.states = 4, .transitions = 9});
    CAPTURE(seed);
    const auto expected = smallest_tree(down, LazyView{up});
    const auto found = smallest_common_tree(DownwardView{down}, LazyView{up});
    check_tree(found, expected, down);
    if (found) CHECK(tree_size(*found) == tree_size(*expected));
  }
}

TEST_CASE("contexts that the root does not lead to are never looked at") {
  const Automaton automaton = read_timbuk(
      "Ops a:0 f:1 Automaton A States p q r Final States q Transitions a -> p f(p) -> q f(r) -> r a -> r", "<text>");
  const DownwardView down{automaton};
  const LazyView up{universal_automaton(automaton.alphabet())};
  TwoWaySearch<DownwardView, LazyView> search{down, up, Superseded::Kept, {}};
  CHECK(to_text(unfolded(*search.run())) == "f(a)");
  CHECK(search.context_count() == 2);
  CHECK(search.fact_count() == 2);
}

TEST_CASE("a chain of one million contexts is searched") {
  std::string text = "Ops a:0 f:1 Automaton A States Final States q1000000 Transitions a -> q0";
  for (int i = 0; i < 1'000'000; ++i) text += "\nf(q" + std::to_string(i) + ") -> q" + std::to_string(i + 1);
  const Automaton deep = read_timbuk(text, "<text>");
  const auto tree = some_common_tree(DownwardView{deep}, LazyView{universal_automaton(deep.alphabet())});
  REQUIRE(tree.has_value());
  CHECK(tree_size(*tree) == 1'000'001);
}
