#include <doctest/doctest.h>

#include <set>

#include "dpn/model/network_builder.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "solver/query/tree_alphabet.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/operations/universal.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

// The symbols in their order, with their ranks and what they stand for.
std::string listed(const TreeAlphabet& alphabet) {
  std::string text;
  for (treeauto::Symbol symbol : alphabet.symbols().symbols())
    text += std::string{alphabet.symbols().name(symbol)} + ":" + std::to_string(alphabet.symbols().rank(symbol)) +
            "  " + describe(alphabet, symbol) + "\n";
  return text;
}

}  // namespace

TEST_CASE("symbols have readable names and say what they stand for") {
  NetworkBuilder builder;
  const ControlState p = builder.control("0");
  const StackSymbol m = builder.stack("m");
  const StackSymbol f = builder.stack("f(1,2)");
  const Action a = builder.action("a");
  builder.initial({p, m});
  builder.add({{p, m}, a, Base{{p, f}}});
  builder.add({{p, m}, a, Base{{p, m}}});
  builder.add({{p, m}, a, Call{{p, f}, m}});
  builder.add({{p, m}, a, Monitor{{p, f}, m, builder.lock("x")}});
  builder.add({{p, f}, a, Return{p}});
  builder.add({{p, f}, a, Spawn{{p, f}, {p, m}}});
  const Network network = std::move(builder).build();
  CHECK(listed(TreeAlphabet{network}) == R"(NIL.m:0  a thread is at m
NIL.f[1;2]:0  a thread is at f(1,2)
BASE.m.a:1  m -- a --> f(1,2)
BASE.m.a#2:1  m -- a --> m
NCALL.m.a:1  m -- a --> f(1,2) [returns to m], has not returned
RCALL.m.a:2  m -- a --> f(1,2) [returns to m], has returned
ACQ.m.a.x:1  m -- a --> f(1,2) [acquires x, returns to m], has not returned
USE.m.a.x:2  m -- a --> f(1,2) [acquires x, returns to m], has returned
REACQ.m.a.x:1  m -- a --> f(1,2) [acquires x, returns to m], with the lock held already, has not returned
REUSE.m.a.x:2  m -- a --> f(1,2) [acquires x, returns to m], with the lock held already, has returned
RET.f[1;2].a:0  f(1,2) -- a --> return
SPAWN.f[1;2].a:2  f(1,2) -- a --> f(1,2) [spawns m]
CUT.m:1  a thread goes on to the next step at m
CUT.f[1;2]:1  a thread goes on to the next step at f(1,2)
)");
}

TEST_CASE("names are different and fit the Timbuk format, whatever the model calls things") {
  const std::vector<std::string> odd{"",       "a b",    "a",      ".",     "..",    "->",  ">",   "-",
                                     "f(1,2)", "f[1;2]", "%",      "%20",   "#2",    "a#2", ":",   "(",
                                     ")",      ",",      "\n",     "\x7F",  "é",     ";",   "a.b", "a-",
                                     "Final",  "Ops",    "States", "->a->", "a%2Eb", "[a]", "NIL"};
  NetworkBuilder builder;
  for (const std::string& name : odd) {
    builder.control(name);
    builder.stack(name);
    builder.action(name);
    builder.lock(name);
  }
  for (const std::string& name : odd) {
    const Head head{builder.control(name), builder.stack(odd[name.size() % odd.size()])};
    builder.add({head, builder.action(name), Base{head}});
    builder.add({head, builder.action(name), Return{head.control}});
    builder.add({head, builder.action(name), Call{head, head.top}});
    builder.add({head, builder.action(name), Spawn{head, head}});
    for (const std::string& lock : odd)
      builder.add({head, builder.action(name), Monitor{head, head.top, builder.lock(lock)}});
  }
  builder.initial({builder.control("a"), builder.stack("a")});
  const Network network = std::move(builder).build();
  const TreeAlphabet alphabet{network};
  std::set<std::string_view> names;
  for (treeauto::Symbol symbol : alphabet.symbols().symbols()) names.insert(alphabet.symbols().name(symbol));
  CHECK(names.size() == alphabet.symbols().size());
  const treeauto::Automaton all = universal_automaton(alphabet.symbols());
  CHECK(treeauto::read_timbuk(to_timbuk(all), "all", treeauto::TimbukReading::Strict).alphabet() == alphabet.symbols());
}

TEST_CASE("symbols and labels correspond") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Network network = random_network(seed);
    const TreeAlphabet alphabet{network};
    for (treeauto::Symbol symbol : alphabet.symbols().symbols()) {
      CHECK(alphabet.symbol(alphabet.label(symbol)) == symbol);
      CHECK(alphabet.symbols().rank(symbol) == rank(alphabet.label(symbol).kind));
    }
  }
}

TEST_CASE("an execution tree is the same tree over the alphabet") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Network network = dpn::testing::random_locking_network(seed, {});
    const TreeAlphabet alphabet{network};
    const Schedule run = dpn::testing::random_execution(network, seed, {}, Semantics::LockSensitive);
    const ExecutionTree tree = tree_of_execution(network, run.moves, run.cuts);
    CHECK(to_execution_tree(alphabet, to_tree(alphabet, tree)) == tree);
  }
}
