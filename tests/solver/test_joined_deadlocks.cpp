// Deadlocks through joins: docs/theory.md, Sect. 10.8.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/text/json.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/join_program.hpp"
#include "solver/analyses/deadlock.hpp"
#include "solver/query/problem_json.hpp"
#include "tests/oracle/dpn/random_joins.hpp"
#include "tests/oracle/joins.hpp"
#include "tests/oracle/solver/waiting_cycles.hpp"
#include "verify/verify.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

// Small, with many locks, starts and joins.
Network model(std::uint64_t seed) {
  switch (seed % 5) {
    case 0: return random_joins(seed, {.bodies = 3, .items = 3, .locks = 1, .groups = 1});
    case 1: return random_joins(seed, {.bodies = 4, .items = 3, .locks = 2, .groups = 1});
    case 2: return random_joins(seed, {.bodies = 4, .items = 4, .locks = 2, .groups = 2});
    case 3: return join_program(seed, {.threads = 3, .locks = 2, .groups = 1, .statements = 2});
    default: return random_joins(seed, {.bodies = 5, .items = 2, .locks = 2, .groups = 2});
  }
}

oracle::DeadlockTally compare(std::uint64_t first, std::uint64_t last) {
  oracle::DeadlockTally tally;
  for (std::uint64_t seed = first; seed < last; ++seed) {
    CAPTURE(seed);
    if (const auto flaw = oracle::wrong_deadlocks(model(seed), seed / 5, tally)) FAIL_CHECK(*flaw);
  }
  MESSAGE(tally.models << " models, " << tally.cycles << " cycles close, " << tally.through_joins
                       << " of them through joins, " << tally.of_one_lock << " of these with one lock, "
                       << tally.refuted_through_joins << " through joins are refuted; " << tally.stuck
                       << " models have stuck threads; " << tally.too_large << " are too large");
  return tally;
}

std::vector<CycleShape> closing(const std::string& rules, Verdict verdict = Verdict::Reachable) {
  const ModelFile file = parse_dpn("dpn { initial (m) rules { " + rules + " } }", "test");
  std::vector<CycleShape> shapes;
  for (const LockCycle& cycle : find_deadlocks(file.network).cycles)
    if (cycle.answer.verdict == verdict) shapes.push_back(cycle.shape);
  return shapes;
}

// How many nodes of the document hold true of `wanted`, and the document without the n-th one.
std::size_t drop_waits(nlohmann::json& certificate, std::size_t number) {
  std::size_t seen = 0;
  for (auto& context : certificate["contexts"]) {
    if (!context.contains("facts")) continue;
    auto& facts = context["facts"];
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (!facts[i].contains("waits")) continue;
      if (seen++ == number) facts.erase(i--);
    }
  }
  return seen;
}

}  // namespace

TEST_CASE("rings through locks and joins are those of all configurations") {
  const oracle::DeadlockTally tally = compare(0, 3000);
  CHECK(tally.models > 2000);
  CHECK(20 * tally.through_joins > tally.models);  // a cycle through a join in one model of 20
  CHECK(tally.of_one_lock > 50);
  CHECK(tally.through_joins - tally.of_one_lock > 3);
  CHECK(tally.refuted_through_joins > 100);
  CHECK(tally.stuck > 50);
}

TEST_CASE("[full] cycles through locks and joins are those of all configurations of many models") {
  CHECK(compare(100'000, 130'000).models > 20'000);
}

TEST_CASE("a thread that holds a lock waits for a member that wants it") {
  const std::string member = "(t) -- get - x --> (in, out) (in) -- back --> () (out) -- back --> () ";
  const auto main = [&](const std::string& body) { return "(m) -- get - x --> (n, e) " + body + member; };
  CHECK(closing(main("(n) -- s --> (o :> t) into {h} (o) -- j --> (p) joining {h} (p) -- back --> ()")).size() == 1);
  CHECK(closing(main("(n) -- s --> (o :> t) (o) -- j --> (p) joining {h} (p) -- back --> ()")).empty());
  CHECK(closing(main("(n) -- s --> (o :> t) into {h} (o) -- f --> (q) forgetting {h} (q) -- j --> (p) joining {h}"))
            .empty());
  CHECK(closing(main("(n) -- s --> (o :> t) into {h} (o) -- s --> (q :> u) as {h} (q) -- j --> (p) joining {h} "
                     "(u) -- back --> () "))
            .empty());
  SUBCASE("after the first join there is nobody to wait for") {
    CHECK(closing("(m) -- s --> (l :> t) into {h} (l) -- j --> (k) joining {h} (k) -- get - x --> (n, e) "
                  "(n) -- j --> (p) joining {h} " +
                  member)
              .empty());
  }
  SUBCASE("of members, or through a thread between") {
    const std::string chain =
        "(n) -- s --> (o :> b) into {h} (o) -- j --> (p) joining {h} (p) -- back --> () "
        "(b) -- s --> (c :> t) into {g} ";
    CHECK(closing(main(chain + "(c) -- j --> (d) joining {g} (d) -- back --> () ")).size() == 1);
    CHECK(closing(main(chain + "(c) -- j --> (d) joining {h} (d) -- back --> () ")).empty());
  }
  SUBCASE("offspring counts if it is waited for") {
    const auto through = [&](const char* into) {
      return main(std::string{"(n) -- s --> (o :> b) "} + into +
                  " {h} (o) -- j --> (p) joining {h} (p) -- back --> () (b) -- s --> (c :> t) (c) -- back --> () ");
    };
    CHECK(closing(through("into all")).size() == 1);
    CHECK(closing(through("into")).empty());
  }
  SUBCASE("a call that opens the group hides it") {
    const auto through = [&](const char* opening) {
      return main(std::string{"(n) -- s --> (o :> t) into {h} (o) -- call --> (f, e) "} + opening +
                  " (f) -- j --> (p) joining {h} (p) -- back --> () ");
    };
    CHECK(closing(through("")).size() == 1);
    CHECK(closing(through("opening {h}")).empty());
  }
}

TEST_CASE("proofs about cycles through joins are checked, and facts about who waits for whom are needed") {
  std::size_t certificates = 0;
  std::size_t mutants = 0;
  std::size_t rejected = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const Network network = model(seed);
    DeadlockOptions options;
    options.solving.certify = true;
    for (const LockCycle& cycle : find_deadlocks(network, options).cycles) {
      if (!cycle.shape.has_joins() || !cycle.answer.certificate) continue;
      ++certificates;
      const std::string text = cycle.answer.certificate->dump();
      const auto rejection_reason = verify::judge(network, text, "certificate").flaw;
      if (rejection_reason) FAIL_CHECK(*rejection_reason << "\n" << to_dpn(network, {}));
      nlohmann::json certificate = nlohmann::json::parse(text);
      nlohmann::json all = certificate;
      const std::size_t facts = drop_waits(all, ~std::size_t{0});
      for (std::size_t i = 0; i < std::min<std::size_t>(facts, 3); ++i) {
        nlohmann::json mutant = certificate;
        drop_waits(mutant, (seed + i * 7) % facts);
        ++mutants;
        if (verify::judge(network, mutant.dump(), "mutant").flaw) ++rejected;
      }
    }
  }
  MESSAGE(certificates << " certificates, " << rejected << " of " << mutants << " mutants rejected");
  CHECK(certificates > 30);
  CHECK(rejected == mutants);
}

TEST_CASE("a problem about threads that wait in joins is the same when it is read again") {
  const ModelFile file =
      parse_dpn("dpn { initial (m) rules { (m) -- get - x --> (n, e) (n) -- j --> (o) joining {h} } }", "test");
  const Problem problem = cycle_problem({.locks = {Lock{0}}, .through_joins = {true}});
  const auto written = problem::problem_json(file.network, problem);
  const Problem read = problem::read_problem(file.network, nlohmann::json::parse(written.dump()));
  CHECK(problem::problem_json(file.network, read) == written);
  for (
      const char* wrong :
      {R"({"semantics":"lock-sensitive","phases":[{"standing":[{"holding":"x"},{"wanting":"x"}],"awaiting":[[1,2]]}]})",
       R"({"semantics":"lock-sensitive","phases":[{"standing":[{"joining":true}],"awaiting":[[1,1]]}]})",
       R"({"semantics":"lock-sensitive","phases":[{"standing":[{"joining":true},{"wanting":"x"}],"awaiting":[[1,2]]},{}]})"}) {
    CAPTURE(wrong);
    const nlohmann::json json = nlohmann::json::parse(wrong);
    CHECK_THROWS_AS((void)problem::read_problem(file.network, json), InputError);
  }
}
