#include <doctest/doctest.h>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/generators/shrink.hpp"
#include "frontend/cli/answering/engines.hpp"
#include "frontend/cli/answering/external_engine.hpp"

using namespace lockwood;
using namespace lockwood::frontend;
using namespace std::chrono_literals;

namespace {

const dpn::ModelFile& model() {
  static const dpn::ModelFile file = dpn::parse_dpn(R"(dpn {
      initial (m1)
      rules {
        (m1) -- a --> (m2 :> t1)
        (m2) -- b - x --> (m3, m4)
        (m3) -- c --> ()
        (t1) -- b - x --> (t2, t3)
        (t2) -- c --> ()
      }
    }
    reach {m3}
    conflict {m3} and {t2})",
                                                    "model.dpn");
  return file;
}

Opinion ask(const Engine& engine, std::size_t query, std::chrono::milliseconds limit = 30s) {
  return opinions({&engine, 1}, model().network, model().queries[query], limit, {}).front();
}

// An engine with the most natural bug: it forgets about locks.
Engine careless_engine() {
  return {"careless", [](const dpn::Network& network, const dpn::Query& query, StopToken stop) {
            dpn::Query insensitive = query;
            insensitive.semantics = dpn::Semantics::LockInsensitive;
            return explore_engine({}).ask(network, insensitive, stop);
          }};
}

}  // namespace

TEST_CASE("our engines agree, and their evidence is found right") {
  for (const Engine& engine : {fast_engine(), reference_engine(), explore_engine({})}) {
    CAPTURE(engine.name);
    for (std::size_t query : {std::size_t{0}, std::size_t{1}}) {
      const Opinion opinion = ask(engine, query);
      CHECK(opinion.verdict == (query == 0 ? dpn::Verdict::Reachable : dpn::Verdict::Unreachable));
      CHECK_FALSE(opinion.flaw.has_value());
      CHECK(opinion.unknown_because.empty());
    }
  }
  CHECK(ask(fast_engine(), 0).evidence == Evidence::Witness);
  CHECK(ask(fast_engine(), 1).evidence == Evidence::Certificate);
  CHECK(ask(explore_engine({}), 0).evidence == Evidence::Witness);
}

TEST_CASE("a bound and a request to stop make opinions unknown, with their reasons") {
  const Opinion bounded = ask(explore_engine({.configurations = 1}), 1);
  CHECK(to_text(bounded) == "unknown (bound)");
  StopSource source;
  source.request(StopReason::Cancelled);
  for (const Engine& engine :
       {fast_engine(), reference_engine(), explore_engine({}), external_engine("e", "sleep 20 #")})
    CHECK(opinions({&engine, 1}, model().network, model().queries[1], 30s, StopToken{source}).front().verdict ==
          dpn::Verdict::Unknown);
}

TEST_CASE("who does not know contradicts nobody, and a flaw is a disagreement") {
  const Opinion reachable{.verdict = dpn::Verdict::Reachable};
  const Opinion unreachable{.verdict = dpn::Verdict::Unreachable};
  const Opinion unknown{.unknown_because = "bound"};
  const Opinion flawed{.verdict = dpn::Verdict::Reachable, .flaw = "its witness does not replay"};
  CHECK_FALSE(disagree(std::vector{reachable, unknown, reachable}));
  CHECK_FALSE(disagree(std::vector{unreachable, unknown}));
  CHECK_FALSE(disagree(std::vector<Opinion>{}));
  CHECK(disagree(std::vector{reachable, unknown, unreachable}));
  CHECK(disagree(std::vector{reachable, flawed}));
  CHECK(to_text(flawed) == "reachable, but its witness does not replay");
}

TEST_CASE("a disagreement with an engine that forgets locks shrinks to a few rules") {
  const std::vector<Engine> engines{fast_engine(), careless_engine()};
  const auto differ = [&](const dpn::Network& network, const dpn::Query& query) {
    return disagree(opinions(engines, network, query, 30s, {}));
  };
  std::size_t found = 0;
  for (std::uint64_t seed = 0; found < 3; ++seed) {
    const dpn::Network network = dpn::lock_program(seed);
    const dpn::Query query = dpn::lock_query(network, seed);
    if (!differ(network, query)) continue;
    ++found;
    const dpn::Shrunk small = dpn::shrunk(network, query, differ);
    CAPTURE(dpn::to_dpn(small.network, {&small.query, 1}));
    CHECK(small.minimal);
    CHECK(differ(small.network, small.query));
    CHECK(small.network.rules().size() <= 5);
  }
}

TEST_CASE("another program's last verdict counts, whatever its exit status is") {
  CHECK(ask(external_engine("e", "printf 'reach {m3}: unknown\\nq: reachable\\n' #"), 0).verdict ==
        dpn::Verdict::Reachable);
  CHECK(ask(external_engine("e", "echo q: unreachable; exit 1 #"), 0).verdict == dpn::Verdict::Unreachable);
  CHECK(ask(external_engine("e", "echo unreachable #"), 0).verdict == dpn::Verdict::Unreachable);
  CHECK(to_text(ask(external_engine("e", "echo 'q: unknown (too large)' #"), 0)) == "unknown (its own words)");
}

TEST_CASE("another program gets the model with the one query in a file") {
  // It answers by what it finds in the file.
  const Engine engine = external_engine("e", "grep -q 'reach {m3}' \"$1\" && echo reachable || echo unreachable #");
  CHECK(ask(engine, 0).verdict == dpn::Verdict::Reachable);
  CHECK(ask(engine, 1).verdict == dpn::Verdict::Unreachable);
  CHECK(ask(external_engine("e", "sed -n 's/.*[(]m1[)].*/un&reachable/; $s/.*/x: reachable/p'"), 0).verdict ==
        dpn::Verdict::Reachable);
}

TEST_CASE("another program that fails is flawed, and one that takes too long does not know") {
  CHECK(ask(external_engine("e", "kill -SEGV $$ #"), 0).flaw == "it was ended by signal 11");
  CHECK(ask(external_engine("e", "echo nonsense; exit 5 #"), 0).flaw == "it gave no verdict and ended with status 5");
  CHECK(ask(external_engine("e", "exec 2>/dev/null; /no/such/program"), 0).flaw ==
        "it gave no verdict and ended with status 127");
  const auto start = std::chrono::steady_clock::now();
  CHECK(to_text(ask(external_engine("e", "sleep 20 & sleep 20 #"), 0, 50ms)) == "unknown (time limit reached)");
  CHECK(std::chrono::steady_clock::now() - start < 10s);
}
