#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "base/text/diagnostic.hpp"
#include "tests/oracle/treeauto/random_automaton.hpp"
#include "tests/oracle/treeauto/random_transducer.hpp"
#include "tests/oracle/treeauto/reference.hpp"
#include "tests/oracle/treeauto/reference_transducer.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/formats/transducer_text.hpp"
#include "treeauto/lazy/lazy_exploration.hpp"
#include "treeauto/operations/homomorphism.hpp"
#include "treeauto/operations/image.hpp"
#include "treeauto/operations/inverse_image.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

// The cut transducer [nordhoff.13.iterable, Def. 8] for one rule of each kind.
struct CutTransducer {
  Alphabet alphabet;
  Transducer transducer;
  Tree tree(const std::string& text) const { return read_tree(text, alphabet); }
};

CutTransducer cut_transducer() {
  AlphabetBuilder symbols;
  const Symbol nil = symbols.add("NIL", 0);
  const Symbol ret = symbols.add("RET", 0);
  const Symbol base = symbols.add("BASE", 1);
  const Symbol ncall = symbols.add("NCALL", 1);
  const Symbol rcall = symbols.add("RCALL", 2);
  const Symbol spawn = symbols.add("SPAWN", 2);
  const Symbol cut = symbols.add("CUT", 1);
  const Alphabet alphabet = std::move(symbols).build();
  Transducer transducer{alphabet, alphabet};
  const TransducerState below = transducer.add_state();
  const TransducerState above = transducer.add_state(true);
  transducer.add(nil, {}, below, Term::node(nil));
  transducer.add(ret, {}, below, Term::node(ret));
  for (TransducerState state : {below, above}) {
    transducer.add(base, {state}, state, Term::copy(base, 1));
    transducer.add(ncall, {state}, state, Term::copy(ncall, 1));
    for (TransducerState spawned : {below, above}) transducer.add(spawn, {spawned, state}, state, Term::copy(spawn, 2));
    transducer.add(rcall, {below, state}, state, Term::copy(rcall, 2));
  }
  transducer.add(rcall, {above, below}, above, Term::node(ncall, {Term::variable(0)}));
  transducer.add(cut, {below}, above, Term::node(nil));
  return {alphabet, transducer};
}

std::set<std::string> texts(const std::vector<Tree>& trees) {
  std::set<std::string> result;
  for (const Tree& tree : trees) result.insert(to_text(tree));
  return result;
}

void check_inverse_images(std::uint64_t begin, std::uint64_t end) {
  std::size_t accepted = 0;
  for (std::uint64_t seed = begin; seed < end; ++seed) {
    const Alphabet input = random_alphabet(3 * seed, 3, 2);
    const Alphabet output = random_alphabet(3 * seed + 1, 3, 2);
    const Transducer transducer =
        random_transducer(seed, input, output, {.rules = 7 + seed % 4, .term_size = 1 + seed % 6});
    const Automaton automaton = random_automaton(seed, output, {.states = 3, .transitions = 9});
    CAPTURE(seed);
    CAPTURE(to_text(transducer));
    const Automaton inverse = inverse_image(transducer, automaton);
    const Automaton by_sets = materialised(LazyInverseImage{transducer, automaton});
    for (const Tree& tree : reference::all_trees(input, 5)) {
      const auto found = images(transducer, tree);
      const bool expected =
          std::ranges::any_of(found, [&](const Tree& one) { return reference::accepts(automaton, one); });
      CHECK(reference::accepts(inverse, tree) == expected);
      CHECK(reference::accepts(by_sets, tree) == expected);
      accepted += expected ? 1U : 0U;
    }
    CHECK(inverse.state_count() == materialised(LazyView{inverse}).state_count());  // all accessible
  }
  CHECK(accepted > 3 * (end - begin));
}

}  // namespace

TEST_CASE("the cut transducer yields the tree at the cut") {
  const CutTransducer cut = cut_transducer();
  const auto images_of = [&](const std::string& text) { return texts(images(cut.transducer, cut.tree(text))); };
  CHECK(images_of("BASE(CUT(BASE(NIL)))") == std::set<std::string>{"BASE(NIL)"});
  CHECK(images_of("RCALL(BASE(CUT(RET)),BASE(NIL))") == std::set<std::string>{"NCALL(BASE(NIL))"});
  CHECK(images_of("RCALL(BASE(RET),CUT(NIL))") == std::set<std::string>{"RCALL(BASE(RET),NIL)"});
  CHECK(images_of("CUT(CUT(NIL))").empty());
  CHECK(images_of("BASE(NIL)").empty());
}

TEST_CASE("the inverse image under the cut transducer accepts all continuations of a tree") {
  const CutTransducer cut = cut_transducer();
  const Automaton inverse = inverse_image(cut.transducer, reference::singleton(cut.tree("NCALL(BASE(NIL))")));
  const auto accepts = [&](const std::string& text) { return reference::accepts(inverse, cut.tree(text)); };
  CHECK(accepts("NCALL(BASE(CUT(NIL)))"));
  CHECK(accepts("NCALL(BASE(CUT(SPAWN(NIL,BASE(NIL)))))"));
  CHECK(accepts("RCALL(BASE(CUT(BASE(RET))),RCALL(RET,NIL))"));
  CHECK_FALSE(accepts("NCALL(BASE(NIL))"));
  CHECK_FALSE(accepts("NCALL(CUT(BASE(NIL)))"));
}

TEST_CASE("the images of a tree are those of the definition") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Alphabet input = random_alphabet(seed, 3, 2);
    const Alphabet output = random_alphabet(seed + 1, 3, 2);
    const Transducer transducer = random_transducer(
        seed, input, output, {.term_size = 3, .copying = seed % 2 == 0 ? Copying::Linear : Copying::Allowed});
    CAPTURE(seed);
    CAPTURE(to_text(transducer));
    const Tree tree = random_tree(seed, input, 1 + seed % 6);
    const std::vector<Tree> found = images(transducer, tree);
    CHECK(texts(found) == reference::outputs(transducer, tree));
    CHECK(texts(found).size() == found.size());
    const Automaton inputs = domain(transducer);
    CHECK(found.empty() != reference::accepts(inputs, tree));
  }
}

TEST_CASE("the inverse image accepts exactly the trees with an image in the language") { check_inverse_images(0, 600); }
TEST_CASE("the inverse image accepts exactly the trees with an image in the language, in many more cases [full]") {
  check_inverse_images(600, 3000);
}

TEST_CASE("the inverse image under a copying transducer accepts exactly the trees with an image in the language") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Alphabet input = random_alphabet(3 * seed, 3, 2);
    const Alphabet output = random_alphabet(3 * seed + 1, 3, 2);
    const Transducer transducer = random_transducer(seed, input, output, {.copying = Copying::Allowed});
    const Automaton automaton = random_automaton(seed, output, {.states = 3, .transitions = 9});
    CAPTURE(seed);
    CAPTURE(to_text(transducer));
    const Automaton inverse = inverse_image(transducer, automaton);
    for (const Tree& tree : reference::all_trees(input, 4)) {
      const auto found = images(transducer, tree);
      CHECK(reference::accepts(inverse, tree) ==
            std::ranges::any_of(found, [&](const Tree& one) { return reference::accepts(automaton, one); }));
    }
  }
}

TEST_CASE("the image of a language holds exactly the images of its trees") {
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Alphabet input = random_alphabet(3 * seed, 3, 2);
    const Alphabet output = random_alphabet(3 * seed + 1, 3, 2);
    const Transducer transducer =
        random_transducer(seed, input, output, {.rules = 7 + seed % 4, .term_size = 1 + seed % 5});
    const Automaton automaton = random_automaton(seed, input, {.states = 3, .transitions = 9});
    CAPTURE(seed);
    CAPTURE(to_text(transducer));
    const Automaton result = image(transducer, automaton);
    for (const Tree& tree : reference::all_trees(input, 4))
      if (reference::accepts(automaton, tree))
        for (const Tree& one : images(transducer, tree)) CHECK(reference::accepts(result, one));
    // The other direction: a tree is an image if the language meets its inverse image.
    for (const Tree& tree : reference::all_trees(output, 4)) {
      const Automaton origins = inverse_image(transducer, reference::singleton(tree));
      const bool expected = some_tree(automaton, LazyView{origins}).has_value();
      CHECK(reference::accepts(result, tree) == expected);
      accepted += expected ? 1U : 0U;
    }
  }
  CHECK(accepted > 500);
}

TEST_CASE("images and inverse images under a homomorphism are those of the definition") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Alphabet input = random_alphabet(3 * seed, 3, 2);
    const Alphabet output = random_alphabet(3 * seed + 1, 3, 2);
    const bool linear = seed % 3 != 0;
    const Homomorphism homomorphism =
        random_homomorphism(seed, input, output, linear ? Copying::Linear : Copying::Allowed);
    const Automaton automaton = random_automaton(seed, output, {.states = 3, .transitions = 9});
    const Automaton inverse = inverse_image(homomorphism, automaton);
    const Automaton origin = random_automaton(seed, input, {.states = 3, .transitions = 9});
    CAPTURE(seed);
    for (const Tree& tree : reference::all_trees(input, 5)) {
      const Tree one = image(homomorphism, tree);
      CHECK(reference::outputs(as_transducer(homomorphism), tree) == std::set{to_text(one)});
      CHECK(reference::accepts(inverse, tree) == reference::accepts(automaton, one));
      if (linear && reference::accepts(origin, tree)) CHECK(reference::accepts(image(homomorphism, origin), one));
    }
  }
}

TEST_CASE("erasing unary symbols takes exactly their nodes out of the trees") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    AlphabetBuilder symbols;
    symbols.add("a", 0);
    symbols.add("cut", 1);
    symbols.add("f", 2);
    symbols.add("g", 1);
    const Alphabet alphabet = std::move(symbols).build();
    const Symbol cut{1};
    const Automaton automaton = random_automaton(seed, alphabet, {.states = 4, .transitions = 10});
    const Automaton erased = without_unary_symbols(automaton, std::vector{cut});
    CAPTURE(seed);
    CHECK(erased.alphabet().size() == 3);
    Homomorphism definition{alphabet, erased.alphabet(), {}};
    for (Symbol symbol : alphabet.symbols())
      definition.terms.push_back(symbol == cut
                                     ? Term::variable(0)
                                     : Term::copy(*erased.alphabet().find(alphabet.name(symbol), alphabet.rank(symbol)),
                                                  alphabet.rank(symbol)));
    const Automaton expected = image(definition, automaton);
    for (const Tree& tree : reference::all_trees(erased.alphabet(), 5))
      CHECK(reference::accepts(erased, tree) == reference::accepts(expected, tree));
  }
}

TEST_CASE("a relabelled language holds exactly the trees of the language, relabelled") {
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton =
        random_automaton(seed, {.states = 3, .symbols = 4, .max_rank = 2, .transitions = 6 + seed % 8});
    const Alphabet output = random_alphabet(seed + 1, 4, 2);
    Random random{seed};
    IdVector<Symbol, std::optional<Symbol>> symbols(automaton.alphabet().size());
    for (Symbol symbol : automaton.alphabet().symbols())
      for (Symbol other : output.symbols())
        if (output.rank(other) == automaton.alphabet().rank(symbol) && random.below(2) == 0) symbols[symbol] = other;
    std::set<std::string> expected;
    for (const Tree& tree : reference::all_trees(automaton.alphabet(), 4)) {
      if (!reference::accepts(automaton, tree)) continue;
      std::vector<Symbol> preorder;
      for (Symbol symbol : tree.preorder())
        if (symbols[symbol]) preorder.push_back(*symbols[symbol]);
      if (preorder.size() == tree.size()) expected.insert(to_text(Tree{output, preorder}));
    }
    CAPTURE(seed);
    const Automaton result = relabelled(automaton, output, symbols);
    for (const Tree& tree : reference::all_trees(output, 4))
      CHECK(reference::accepts(result, tree) == expected.contains(to_text(tree)));
    accepted += expected.size();
  }
  CHECK(accepted > 500);
}

TEST_CASE("relabelling replaces symbols and drops transitions without one") {
  const Tree tree = read_tree("f(a,g(b))");
  const Automaton automaton = reference::singleton(tree);
  const Alphabet output = read_tree("h(c,d(c))").alphabet();
  IdVector<Symbol, std::optional<Symbol>> symbols{output.find("h", 2), output.find("c", 0), output.find("d", 1),
                                                  output.find("c", 0)};
  CHECK(reference::accepts(relabelled(automaton, output, symbols), read_tree("h(c,d(c))", output)));
  symbols[Symbol{2}] = std::nullopt;
  CHECK(relabelled(automaton, output, symbols).transition_count() == 3);
}

TEST_CASE("a tree of depth one million and a rule with a term of depth one hundred thousand are transduced") {
  const Alphabet alphabet = read_tree("f(a)").alphabet();
  const Symbol f{0};
  const Symbol a{1};
  std::vector<Symbol> preorder(1'000'000, f);
  preorder.push_back(a);
  const Tree tree{alphabet, preorder};
  CHECK(images(identity_transducer(alphabet), tree).front() == tree);

  Transducer deep{alphabet, alphabet};
  const TransducerState only = deep.add_state(true);
  std::vector<Term::Node> nodes(100'000, f);
  nodes.emplace_back(Variable{0});
  deep.add(f, {only}, only, Term{nodes});
  deep.add(a, {}, only, Term::node(a));
  const Automaton all = universal_automaton(alphabet);
  CHECK(image(deep, all).state_count() == 100'000);
  CHECK(inverse_image(deep, all).transition_count() == 2);
  CHECK(images(deep, read_tree("f(f(a))", alphabet)).front().size() == 200'001);
}

namespace {

// As the format of docs/tree-automata.md says.
std::string written(const Transducer& transducer) {
  std::string text = "Ops";
  for (Symbol symbol : transducer.input().symbols())
    text += ' ' + std::string{transducer.input().name(symbol)} + ':' + std::to_string(transducer.input().rank(symbol));
  text += "\nOutput Ops";
  for (Symbol symbol : transducer.output().symbols())
    text +=
        ' ' + std::string{transducer.output().name(symbol)} + ':' + std::to_string(transducer.output().rank(symbol));
  text += "\nTransducer T\nStates";
  for (TransducerState state : transducer.states()) text += " q" + std::to_string(state.index());
  text += "\nFinal States";
  for (TransducerState state : transducer.states())
    if (transducer.is_final(state)) text += " q" + std::to_string(state.index());
  text += "\n# a remark\nTransitions\n";
  for (const Transducer::Rule& rule : transducer.rules()) {
    text += transducer.input().name(rule.symbol);
    for (std::size_t i = 0; i < rule.children.size(); ++i)
      text += (i == 0 ? "(q" : ", q") + std::to_string(rule.children[i].index()) + "(x" + std::to_string(i) + ")";
    text += (rule.children.empty() ? " -> q" : ") -> q") + std::to_string(rule.target.index()) + '(' +
            to_text(rule.output, transducer.output()) + ")\n";
  }
  return text;
}

std::string problems_of(const std::string& text, TimbukReading reading = TimbukReading::Lenient) {
  try {
    static_cast<void>(read_transducer(text, "file", reading));
  } catch (const InputError& error) {
    std::string all;
    for (const Diagnostic& problem : error.diagnostics())
      all += std::to_string(problem.at->line) + ':' + std::to_string(problem.at->column) + ": " + problem.message +
             (problem.hint.empty() ? "" : " [" + problem.hint + "]") + '\n';
    return all;
  }
  return {};
}

}  // namespace

TEST_CASE("a transducer is read as it is written") {
  std::size_t rules = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Alphabet input = random_alphabet(seed, 4, 3);
    const Alphabet output = random_alphabet(seed + 1000, 4, 3);
    const Transducer transducer =
        random_transducer(seed, input, output, {.states = 1 + seed % 4, .rules = 10, .copying = Copying::Allowed});
    const std::string text = written(transducer);
    CAPTURE(text);
    const TransducerText read = read_transducer(text, "file", TimbukReading::Strict);
    CHECK(read.name == "T");
    CHECK(written(read.transducer) == text);
    CHECK(read.transducer.input() == input);
    CHECK(read.transducer.output() == output);
    REQUIRE(read.places.size() == transducer.rules().size());
    for (TransducerRule rule : transducer.rules().keys()) {
      CHECK(read.transducer.rules()[rule].children == transducer.rules()[rule].children);
      CHECK(read.transducer.rules()[rule].output == transducer.rules()[rule].output);
      CHECK(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(read.places[rule]), '\n') ==
            static_cast<std::ptrdiff_t>(7 + rule.index()));
      ++rules;
    }
  }
  CHECK(rules > 2000);
}

TEST_CASE("what is not declared is added, in the order of the text") {
  const TransducerText read =
      read_transducer("Final States r\nTransitions\nf(q(x),\n  r(y)) -> r(g(y, a, x))\na -> q(a())", "file");
  CHECK(written(read.transducer) ==
        "Ops f:2 a:0\nOutput Ops g:3 a:0\nTransducer T\nStates q0 q1\nFinal States q0\n# a remark\nTransitions\n"
        "f(q1(x0), q0(x1)) -> q0(g(x1,a,x0))\na -> q1(a)\n");
  CHECK(read.name.empty());
}

TEST_CASE("errors in transducers have their place, and reading goes on in the next line") {
  CHECK(problems_of("") == "1:1: the file ends without a section 'Transitions'\n");
  CHECK(problems_of("Automaton A\nTransitions") ==
        "1:1: this is an automaton, and a transducer is expected [a transducer says 'Transducer' here]\n");
  CHECK(problems_of("Tarnsitions") ==
        "1:1: expected 'Ops', 'Output Ops', 'Transducer', 'States', 'Final States' or 'Transitions' [did you mean "
        "'Transitions'?]\n");
  CHECK(problems_of("Output a:0\nTransitions") == "1:8: expected 'Ops' after 'Output'\n");
  CHECK(problems_of("States q\nStates r\nTransitions") == "2:1: a second section 'States'\n");
  CHECK(problems_of("Ops a:x\nTransitions") == "1:7: expected a number after ':'\n");
  CHECK(problems_of("Ops a:1000001\nTransitions") == "1:7: a rank can be at most 1000000\n");
  CHECK(problems_of("Transitions\na -> q\nb -> q(c)\nf(q) -> q(a)\nf(q(x), q(x)) -> q(x)\nf(q(x) -> q(x)\n -> q") ==
        "3:1: expected '(' and what is put out after the state 'q'\n"
        "4:4: expected '(' and a variable after the state 'q'\n"
        "5:11: the variable 'x' stands on the left side already\n"
        "6:8: expected ',' or ')'\n"
        "7:2: expected a rule, which begins with a symbol\n");
  CHECK(problems_of("Transitions\na -> q(f(b") == "2:11: the file ends within a rule\n");
  CHECK(
      problems_of("Ops leaf:0\nOutput Ops done:0\nStates state\nTransitions\nleaf -> stat(done)\nleaf -> state(doen)\n"
                  "laef -> state(done)",
                  TimbukReading::Strict) ==
      "5:9: the state 'stat' is not declared [did you mean 'state'?]\n"
      "6:15: the symbol of the output 'doen' of rank 0 is not declared [did you mean 'done'?]\n"
      "7:1: the symbol 'laef' of rank 0 is not declared [did you mean 'leaf'?]\n");
}

TEST_CASE("transducers with many rules, states and variables are read") {
  std::string left;
  std::string right;
  for (int i = 0; i < 50'000; ++i) {
    left += (i == 0 ? "" : ",") + ("q(x" + std::to_string(i)) + ')';
    right += (i == 0 ? "x" : ",x") + std::to_string(i);
  }
  std::string text = "Transitions\nf(" + left + ") -> q(f(" + right + "))\n";
  for (int i = 0; i < 50'000; ++i) text += "a -> q" + std::to_string(i) + "(a)\n";
  const TransducerText read = read_transducer(text, "file");
  CHECK(read.transducer.rules().size() == 50'001);
  CHECK(read.transducer.state_count() == 50'001);
  CHECK(is_linear(read.transducer));
}

TEST_CASE("any bytes are read as a transducer or refused") {
  const std::string text = written(cut_transducer().transducer);
  Random random{1};
  std::size_t read = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string changed = text.substr(0, random.below(text.size() + 1));
    for (std::size_t change = random.below(3); change > 0 && !changed.empty(); --change)
      changed[random.below(changed.size())] = static_cast<char>(random.below(256));
    if (problems_of(changed).empty()) ++read;
  }
  CHECK(read > 0);
  CHECK(read < 2000);
}
