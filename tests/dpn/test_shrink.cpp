#include <doctest/doctest.h>

#include <algorithm>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/generators/shrink.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/semantics/explore.hpp"
#include "tests/oracle/dpn/random_network.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

constexpr ExploreBounds bounds{.configurations = 2000, .stack_depth = 5, .threads = 4};

// Locks, and nothing else, stand in the way.
bool hindered_by_locks(const Network& network, const Query& query) {
  Query insensitive = query;
  insensitive.semantics = Semantics::LockInsensitive;
  return explore_query(network, query, bounds).verdict == Verdict::Unreachable &&
         explore_query(network, insensitive, bounds).verdict == Verdict::Reachable;
}

Network without_rule(const Network& network, RuleId left_out) {
  NetworkBuilder builder{network.symbols()};
  builder.initial(network.initial());
  for (RuleId rule : network.rules().keys())
    if (rule != left_out) builder.add(network.rule(rule));
  return std::move(builder).build();
}

}  // namespace

TEST_CASE("what is shrunk stays interesting, and no rule, step, set or action can be left out of it") {
  std::size_t found = 0;
  std::size_t rules_before = 0;
  std::size_t rules_after = 0;
  for (std::uint64_t seed = 0; found < 30; ++seed) {
    const Network network = lock_program(seed);
    const Query query = lock_query(network, seed);
    if (!hindered_by_locks(network, query)) continue;
    ++found;
    const Shrunk small = shrunk(network, query, hindered_by_locks);
    CAPTURE(seed);
    CAPTURE(to_dpn(small.network, {&small.query, 1}));
    CHECK(small.minimal);
    REQUIRE(hindered_by_locks(small.network, small.query));
    for (RuleId rule : small.network.rules().keys())
      CHECK_FALSE(hindered_by_locks(without_rule(small.network, rule), small.query));
    for (std::size_t i = 0; i < small.query.steps.size(); ++i) {
      if (small.query.steps.size() > 1) {
        Query fewer = small.query;
        fewer.steps.erase(fewer.steps.begin() + static_cast<std::ptrdiff_t>(i));
        CHECK_FALSE(hindered_by_locks(small.network, fewer));
      }
      const QueryStep& step = small.query.steps[i];
      for (std::size_t set = 0; set < step.positions.size(); ++set) {
        Query fewer = small.query;
        fewer.steps[i].positions.erase(fewer.steps[i].positions.begin() + static_cast<std::ptrdiff_t>(set));
        CHECK_FALSE(hindered_by_locks(small.network, fewer));
      }
      for (std::size_t action = 0; action < step.avoiding.size(); ++action) {
        Query fewer = small.query;
        fewer.steps[i].avoiding.erase(fewer.steps[i].avoiding.begin() + static_cast<std::ptrdiff_t>(action));
        CHECK_FALSE(hindered_by_locks(small.network, fewer));
      }
    }
    const ModelFile read = parse_dpn(to_dpn(small.network, {&small.query, 1}), "shrunk.dpn");
    CHECK(read.network == small.network);
    CHECK(read.queries.front() == small.query);
    rules_before += network.rules().size();
    rules_after += small.network.rules().size();
  }
  CAPTURE(rules_before);
  CAPTURE(rules_after);
  CHECK(rules_after * 4 < rules_before);
}

TEST_CASE("of what is always interesting next to nothing remains") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    const Shrunk small =
        shrunk(network, random_query(network, seed), [](const Network&, const Query&) { return true; });
    CHECK(small.minimal);
    CHECK(small.network.rules().empty());
    CHECK(small.network.control_states().size() == 1);
    CHECK(small.network.stack_symbols().size() == 1);
    CHECK(small.network.locks().size() == 0);
    CHECK(small.network.actions().size() == 0);
    CHECK(small.query.steps == std::vector{QueryStep{}});
  }
}

TEST_CASE("what must stay stays") {
  const ModelFile model = parse_dpn(R"(dpn {
      locks { unused: "nobody takes it", x: "the lock" }
      initial (p, m1)
      rules {
        (p, m1) -- a --> (p, m2 :> q, t1)
        (p, m2) -- b --> (p, m3)
        (p, m3) -- c - x --> (p, m4, m5)
        (p, m4) -- d --> (p)
        (q, t1) -- e - x --> (q, t2, t3)
        (q, t2) -- f --> (q)
      }
    }
    iterate {m4, m1} avoiding {a, f} , {t2 t1} requiring {e d})",
                                    "model.dpn");
  const auto has_monitor = [](const Network& network, const Query&) {
    return std::ranges::any_of(network.rules(), [](const Rule& rule) { return rule.kind() == RuleKind::Monitor; });
  };
  const Shrunk small = shrunk(model.network, model.queries.front(), has_monitor);
  REQUIRE(small.network.rules().size() == 1);
  CHECK(small.network.locks().size() == 1);
  CHECK(small.network.locks().shown(Lock{0}) == "the lock");

  const auto requires_something = [](const Network&, const Query& query) {
    return std::ranges::any_of(query.steps, [](const QueryStep& step) { return !step.requiring.empty(); });
  };
  const Shrunk required = shrunk(model.network, model.queries.front(), requires_something);
  REQUIRE(required.query.steps.size() == 1);
  CHECK(required.query.steps.front().requiring.size() == 1);
  CHECK(required.query.steps.front().avoiding.empty());
  CHECK(required.query.form == QueryForm::Iterate);
}

TEST_CASE("a limit on the number of tests is kept, and the result is still interesting") {
  std::uint64_t seed = 0;
  while (!hindered_by_locks(lock_program(seed), lock_query(lock_program(seed), seed))) ++seed;
  const Network network = lock_program(seed);
  const Query query = lock_query(network, seed);
  for (std::size_t tests : std::vector<std::size_t>{0, 1, 5, 20}) {
    std::size_t asked = 0;
    const auto counted = [&](const Network& candidate, const Query& question) {
      ++asked;
      return hindered_by_locks(candidate, question);
    };
    const Shrunk small = shrunk(network, query, counted, {.tests = tests, .stop = {}});
    CHECK(asked <= tests);
    CHECK(small.tests == asked);
    CHECK_FALSE(small.minimal);
    CHECK(hindered_by_locks(small.network, small.query));
  }
  StopSource source;
  source.request(StopReason::Cancelled);
  CHECK(shrunk(network, query, hindered_by_locks, {.stop = StopToken{source}}).network == network);
}
