#include <doctest/doctest.h>

#include <memory>

#include "base/ids/random.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/construction/intersection.hpp"
#include "solver/construction/successors.hpp"
#include "solver/construction/threads_at.hpp"
#include "solver/query/observer.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/random_problem.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/operations/emptiness.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;
using solver::reference::LabelledAutomaton;
using solver::reference::Standing;

namespace {

std::vector<std::string> complaints(const Network& network, std::string_view timbuk) {
  const auto alphabet = std::make_shared<TreeAlphabet>(network);
  try {
    const Observer observer{alphabet, treeauto::read_timbuk(timbuk, "o.tmb"), "o.tmb"};
  } catch (const InputError& error) {
    std::vector<std::string> texts;
    for (const Diagnostic& diagnostic : error.diagnostics()) texts.push_back(to_text(diagnostic));
    return texts;
  }
  return {};
}

}  // namespace

TEST_CASE("T_rw as an automaton observer gives the verdicts of the built-in goals") {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    const Network network = seed % 2 == 0 ? random_network(seed) : lock_program(seed);
    const Query query = seed % 2 == 0 ? random_query(network, seed) : lock_query(network, seed);
    const auto shared = std::make_shared<TreeAlphabet>(network);
    const TreeAlphabet& alphabet = *shared;
    const Problem built_in = problem_of(query);
    Problem observed = built_in;
    for (std::size_t i = 0; i < query.steps.size(); ++i) {
      const LabelledAutomaton standing{alphabet, Standing{network, query.steps[i].positions}};
      observed.phases[i].standing.clear();
      observed.phases[i].observers.push_back(
          std::make_shared<Observer>(shared, treeauto::materialised(standing), "standing"));
    }
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {&query, 1}));
    const Verdict verdict = solve(network, built_in).verdict;
    REQUIRE(to_string(solve(network, observed).verdict) == to_string(verdict));
    ++(verdict == Verdict::Reachable ? reachable : unreachable);
  }
  CHECK(reachable > 50);
  CHECK(unreachable > 50);
}

TEST_CASE("random automata observe the same trees in the engine and in the reference construction") {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Network network =
        seed % 2 == 0 ? random_network(seed, {.controls = 2, .stacks = 4, .locks = 2, .actions = 2, .rules = 7})
                      : lock_program(seed, {.threads = 2, .locks = 2, .statements = 2, .nesting = 2});
    const auto shared = std::make_shared<TreeAlphabet>(network);
    const TreeAlphabet& alphabet = *shared;
    Random random{seed};
    Problem problem;
    treeauto::Automaton trees = reference::initial_tree(alphabet);
    for (std::size_t i = 0; i < 1 + seed % 2; ++i) {
      const treeauto::Automaton observer = random_observer(alphabet, random);
      trees = reference::intersected(reference::successors(alphabet, trees), observer);
      problem.phases.emplace_back().observers.push_back(std::make_shared<Observer>(shared, observer, "observer"));
    }
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {}));
    const Verdict verdict = solve(network, problem).verdict;
    REQUIRE((verdict == Verdict::Unreachable) == is_empty(trees));
    ++(verdict == Verdict::Reachable ? reachable : unreachable);
  }
  MESSAGE(reachable << " reachable, " << unreachable << " unreachable");
  CHECK(reachable > 50);
  CHECK(unreachable > 10);
}

TEST_CASE("an observer with symbols that execution trees do not have is refused with a hint") {
  const ModelFile file = parse_dpn(R"(dpn { initial (main) rules {
    (main) -- start --> (main :> worker)
    (worker) -- enter - x --> (inside, worker)
    (inside) -- leave --> ()
  } })",
                                   "model");
  CHECK(complaints(file.network, "Ops NIL.main:0 NIL.worker:0\nTransitions\nNIL.main -> q\n").empty());
  CHECK(complaints(file.network, "Ops NIL.mian:0 Something:3 SPAWN.main.start:1\nTransitions\n") ==
        std::vector<std::string>{
            "o.tmb: error: 'NIL.mian' is not a symbol of the execution trees of this model\n"
            "    did you mean 'NIL.main'?\n",
            "o.tmb: error: 'Something' is not a symbol of the execution trees of this model\n",
            "o.tmb: error: 'SPAWN.main.start' is given 1 child, but has 2 children in an execution tree\n"});
}
