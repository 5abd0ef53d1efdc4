#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/process/text_file.hpp"
#include "dpn/formats/json_format.hpp"
#include "dpn/formats/symbol_order.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/join_program.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/model/without_joins.hpp"
#include "dpn/semantics/describe.hpp"
#include "dpn/semantics/explore.hpp"
#include "dpn/semantics/replay.hpp"
#include "dpn/semantics/session.hpp"
#include "dpn/semantics/simulate.hpp"
#include "tests/oracle/dpn/naive_explore.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

std::set<std::filesystem::path> join_models() {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator{LOCKWOOD_SOURCE_DIR "/models/joins"})
    if (entry.path().extension() == ".dpn") files.insert(entry.path());
  return files;
}

ModelFile model(const std::string& rules) { return parse_dpn("dpn { initial (m1) rules {" + rules + "} }", "test"); }

std::string error_of(const std::string& rules) {
  try {
    (void)model(rules);
  } catch (const InputError& error) {
    return error.diagnostics().front().message;
  }
  return "accepted";
}

// Models with random rules, structured ones, and straight lines, which are denser in joins that have to wait.
Network joining_network(std::uint64_t seed) {
  constexpr RandomNetworkSizes with_groups{
      .controls = 2, .stacks = 7, .locks = 2, .actions = 3, .rules = 14, .groups = 2};
  if (seed % 2 == 0) return random_network(seed, with_groups);
  if (seed % 4 == 1) return join_program(seed);
  return testing::random_joining_network(
      seed, {.lines = 2 + seed % 3, .operations = 4 + seed % 4, .locks = 1 + seed % 2, .groups = 1 + seed / 3 % 2});
}

}  // namespace

TEST_CASE("exploration gives every verdict that models/joins expects, as far as it is finite") {
  std::size_t decided = 0;
  std::size_t open = 0;
  for (const auto& path : join_models()) {
    const ModelFile file = parse_dpn(read_text_file(path.string()), path.filename().string());
    CHECK(file.network.uses_groups());
    CHECK(file.warnings.empty());
    for (const Query& query : file.queries) {
      CAPTURE(path.filename().string());
      CAPTURE(to_text(file.network, query));
      REQUIRE(query.expected.has_value());
      const ExploreAnswer answer =
          explore_query(file.network, query, {.configurations = 20'000, .stack_depth = 6, .threads = 6});
      if (answer.verdict == Verdict::Unknown) {
        CHECK(query.expected == Verdict::Unreachable);
        ++open;
        continue;
      }
      ++decided;
      CHECK(to_string(answer.verdict) == to_string(*query.expected));
      std::vector<Move> moves;
      for (const auto& part : answer.schedule) moves.insert(moves.end(), part.begin(), part.end());
      CHECK_FALSE(replay(file.network, moves, query.semantics).error.has_value());
    }
  }
  CHECK(decided == 34);
  CHECK(open == 2);  // of the recursive model
}

TEST_CASE("models with groups are printed and read again, as text and as JSON") {
  for (const auto& path : join_models()) {
    CAPTURE(path.filename().string());
    const ModelFile file = parse_dpn(read_text_file(path.string()), path.filename().string());
    CHECK(parse_dpn(to_dpn(file.network, file.queries), "printed").network == file.network);
    const ModelFile json = parse_json(to_json(file.network, file.queries), "printed");
    CHECK(json.network == file.network);
    CHECK(json.queries == file.queries);
  }
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Network network = joining_network(seed);
    CHECK(parse_dpn(to_dpn(network, {}), "printed").network == network);
    CHECK(parse_json(to_json(network, {}), "printed").network == network);
    const ModelFile renumbered = in_order_of_appearance({network, {}, {}});
    CHECK(parse_dpn(to_dpn(renumbered.network, {}), "printed").network == renumbered.network);
  }
}

TEST_CASE("what rules say about groups") {
  const ModelFile file = model(
      "(m1) -- a --> (m2 :> t1) as all {k} into {h}\n(m2) -- a - x --> (b, m3) opening {k h h}"
      "(m3) -- a --> (m4) joining {h, k} (m4) -- a --> (m5) forgetting {h}, (b) -- a --> ()");
  const Network& network = file.network;
  const auto text = [&](std::size_t rule) { return to_text(network, network.rule(RuleId{rule})); };
  CHECK(text(0) == "(m1) -- a --> (m2 :> t1) as all {k} into {h}");
  CHECK(text(1) == "(m2) -- a - x --> (b, m3) opening {k, h}");
  CHECK(text(2) == "(m3) -- a --> (m4) joining {k, h}");
  CHECK(text(3) == "(m4) -- a --> (m5) forgetting {h}");
  CHECK(describe(network, network.rule(RuleId{0})) == "m1 -- a --> m2 [spawns t1 as all k, into h]");
  CHECK(describe(network, network.rule(RuleId{1})) == "m2 -- a --> b [acquires x, returns to m3, opens k, h]");
  CHECK(describe(network, network.rule(RuleId{2})) == "m3 -- a --> m4 [joins k, h]");
  CHECK(describe(network, network.rule(RuleId{3})) == "m4 -- a --> m5 [forgets h]");

  Configuration configuration = initial_configuration(network);
  for (const RuleId rule : {RuleId{0}, RuleId{1}}) apply(network, configuration, {main_thread, rule});
  apply(network, configuration, {main_thread, RuleId{4}});
  const Move join{main_thread, RuleId{2}};
  const auto why = blocked(network, configuration, join, Semantics::LockInsensitive);
  REQUIRE(why.has_value());
  CHECK(describe(network, configuration, join, *why) == "main waits for main.1 to end");
}

TEST_CASE("mistakes about groups are errors") {
  CHECK(error_of("(m1) -- a --> (m2) into {h}") == "only a spawn makes a thread a member of a group");
  CHECK(error_of("(m1) -- a --> (m2 :> t) joining {h}") ==
        "only a step is joining groups: one position on the right side");
  CHECK(error_of("(m1) -- a --> (m2) opening {h}") == "only a rule that pushes opens groups, and this one does not");
  CHECK(error_of("(m1) -- a --> (m2 :> t) into {h} as {h}") == "the new thread becomes a member of group 'h' twice");
  CHECK(error_of("(m1) -- a --> (m2) joining {}") == "expected a group, found '}'");
  CHECK(error_of("(m1) -- a --> (m2) joining h") == "expected '{' after 'joining': a set of groups, found 'h'");
  // Reading goes on behind the set: the second error is found, too.
  try {
    (void)model("(m1) -- a --> (m2) joining {+}\n(m2) -> (m3) joining {h}\n(m3) -- a --> (m4) into {h}");
    FAIL("three errors");
  } catch (const InputError& error) {
    CHECK(error.diagnostics().size() == 3);
  }
  NetworkBuilder builder;
  const Head head{builder.control("p"), builder.stack("g")};
  const Action action = builder.action("a");
  builder.initial(head);
  builder.add({head, action, Join{head, {}}});
  builder.add({head, action, Forget{head, {Group{0}}}});
  const Group h = builder.group("h");
  builder.add({head, action, Spawn{head, head, {{h, false, false}, {h, true, false}}}});
  const auto review = builder.review();
  REQUIRE(review.errors.size() == 2);
  CHECK(review.errors[0].message == "a join of no group");
  CHECK(review.errors[1].message == "the new thread becomes a member of group 'h' twice");
}

TEST_CASE("a label of a group is shown, and an unused one is remarked on") {
  const ModelFile file = parse_dpn(
      "dpn { groups { h : \"workers\", k : \"nobody\" } initial (m1) rules { (m1) -- a --> (m2) joining {h} } }",
      "test");
  CHECK(describe(file.network, file.network.rule(RuleId{0})) == "m1 -- a --> m2 [joins workers]");
  REQUIRE(file.warnings.size() == 1);
  CHECK(file.warnings[0].message == "no rule uses the group 'k'");
}

TEST_CASE("exploration with groups agrees with the small-step semantics on random models") {
  std::size_t compared = 0;
  std::size_t blocked_by_joins = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    const Network network = joining_network(seed);
    if (!network.uses_groups()) continue;
    const Query query = seed % 2 == 0 ? random_query(network, seed) : join_query(network, seed);
    const ExploreBounds bounds{.configurations = 400, .stack_depth = 4, .threads = 4};
    const reference::NaiveAnswer expected = reference::explore_query(network, query, bounds);
    const ExploreAnswer answer = explore_query(network, query, bounds);
    // The canonical configurations are fewer, so more is decided.
    if (expected.verdict == Verdict::Unknown) continue;
    ++compared;
    REQUIRE(to_string(answer.verdict) == to_string(expected.verdict));
    if (answer.verdict == Verdict::Unreachable) {
      const ExploreAnswer weaker = explore_query(without_joins(network), query, bounds);
      if (weaker.verdict == Verdict::Reachable) ++blocked_by_joins;
      continue;
    }
    std::vector<Move> moves;
    for (const auto& part : answer.schedule) moves.insert(moves.end(), part.begin(), part.end());
    CHECK(moves.size() == expected.moves);
    CHECK_FALSE(replay(network, moves, query.semantics).error.has_value());
  }
  MESSAGE("compared ", compared, ", unreachable because of joins ", blocked_by_joins);
  CHECK(compared > 1000);
  CHECK(blocked_by_joins > 20);
}

TEST_CASE("in programs with joins, joins matter") {
  struct Met {
    std::size_t decided = 0;
    std::size_t unreachable = 0;
    std::size_t by_joins = 0;  // reachable if joins are steps
    std::size_t by_both = 0;   // reachable if joins are steps, and without locks
  } met;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Network network = join_program(seed, {.threads = 3 + seed % 3, .locks = 1 + seed % 3});
    for (std::uint64_t i = 0; i < 3; ++i) {
      Query query = join_query(network, 10 * seed + i);
      const ExploreBounds bounds{.configurations = 3000, .stack_depth = 8, .threads = 6};
      const Verdict verdict = explore_query(network, query, bounds).verdict;
      if (verdict != Verdict::Unknown) ++met.decided;
      if (verdict != Verdict::Unreachable) continue;
      ++met.unreachable;
      if (explore_query(without_joins(network), query, bounds).verdict != Verdict::Reachable) continue;
      ++met.by_joins;
      query.semantics = Semantics::LockInsensitive;
      if (explore_query(network, query, bounds).verdict == Verdict::Reachable) ++met.by_both;
    }
  }
  MESSAGE("decided ", met.decided, ", unreachable ", met.unreachable, ", reachable if joins are steps ", met.by_joins,
          ", and also without locks ", met.by_both);
  CHECK(met.decided > 600);
  CHECK(met.by_joins > 30);
  CHECK(met.by_both > 5);
}

TEST_CASE("deadlocks with joins are found by exploration as the small-step semantics has them") {
  std::size_t deadlocks = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    const Network network = joining_network(seed);
    const ExploreBounds bounds{.configurations = 500, .stack_depth = 4, .threads = 4};
    const auto expected = reference::explore(network, Semantics::LockSensitive, bounds);
    const Exploration found = explore(network, Semantics::LockSensitive, bounds);
    if (expected.omissions.configurations) continue;
    CHECK(found.configurations <= expected.configurations);
    CHECK(found.omissions == expected.omissions);
    REQUIRE(found.deadlock.has_value() == expected.deadlock.has_value());
    if (!found.deadlock) continue;
    ++deadlocks;
    CHECK(found.deadlock->size() == *expected.deadlock);
    const Replay replayed = replay(network, *found.deadlock, Semantics::LockSensitive);
    REQUIRE_FALSE(replayed.error.has_value());
    CHECK(reference::deadlocked(network, replayed.configuration));
  }
  CHECK(deadlocks > 40);
}

TEST_CASE("random runs, sessions and replay agree on joins") {
  std::size_t joins = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    const Network network = joining_network(seed);
    const Run run = random_run(network, seed, {.choice = MoveChoice::Uniform, .moves = 30});
    Session session{network, Semantics::LockSensitive};
    std::vector<Configuration> passed{session.configuration()};
    for (const Move move : run.moves) {
      const auto enabled = session.enabled();
      CHECK(std::ranges::count(enabled, move) == 1);
      if (network.rule(move.rule).kind() == RuleKind::Join) ++joins;
      REQUIRE_FALSE(session.make(move).has_value());
      passed.push_back(session.configuration());
    }
    CHECK(session.configuration() == run.reached);
    if (run.end != RunEnd::MoveLimit) CHECK(session.enabled().empty());
    // Moves that are not enabled are not made by replay either.
    std::vector<Move> more = run.moves;
    for (const ThreadId thread : run.reached.threads.keys()) {
      if (run.reached.threads[thread].ended()) continue;
      for (const RuleId rule : network.rules_from(run.reached.threads[thread].head())) {
        more.push_back({thread, rule});
        CHECK(replay(network, more, Semantics::LockSensitive).error.has_value() ==
              blocked(network, run.reached, {thread, rule}, Semantics::LockSensitive).has_value());
        more.pop_back();
      }
    }
    while (!passed.empty()) {
      CHECK(session.configuration() == passed.back());
      passed.pop_back();
      session.undo();
    }
    while (session.redo()) continue;
    CHECK(session.configuration() == run.reached);
  }
  CHECK(joins > 200);
}
