#include <doctest/doctest.h>

#include <random>

#include "base/text/json.hpp"
#include "dpn/formats/schedule_text.hpp"
#include "dpn/semantics/replay.hpp"
#include "tests/oracle/dpn/example_network.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::dpn::testing;

namespace {

struct Example : ExampleParts {
  Network network = [this] {
    add_reentrant_main(a);
    return std::move(builder).build();
  }();
  static Move main(std::size_t rule) { return {main_thread, RuleId{rule}}; }
  static Move child(std::size_t rule) { return {ThreadId{1}, RuleId{rule}}; }
  Schedule schedule{{main(0), main(1), main(2), main(3), main(4), child(5), main(6)}, {3, 3}};

  [[nodiscard]] std::string error(const std::vector<Move>& moves) const {
    const auto found = replay(network, moves, Semantics::LockSensitive).error;
    return found ? to_text(*found) : "";
  }
};

}  // namespace

TEST_CASE("a replay stops at the first move that is not enabled and says why") {
  const Example example;
  const auto main = Example::main;
  const auto child = Example::child;
  CHECK(example.error(example.schedule.moves).empty());
  CHECK(example.error({main(0), main(1), child(5)}) ==
        "step 3: main.1 cannot use t1 -- a --> t2 [acquires x, returns to t3]: lock x is held by main");
  CHECK(example.error({main(0), child(5), main(1)}) ==
        "step 3: main cannot use m2 -- a --> b1 [acquires x, returns to m3]: lock x is held by main.1");
  CHECK(example.error({main(1)}) ==
        "step 1: main cannot use m2 -- a --> b1 [acquires x, returns to m3]: the thread is at m1");
  CHECK(example.error({child(5)}) ==
        "step 1: thread 1 cannot use t1 -- a --> t2 [acquires x, returns to t3]: there is no such thread yet");
  CHECK(example.error({main(77)}) == "step 1: main cannot use rule 77: there is no such rule");
  CHECK(example.error({main(0), main(1), main(2), main(3), main(4), main(6), main(0)}) ==
        "step 7: main cannot use m1 -- a --> m2 [spawns t1]: the thread has ended");
  const Replay stopped = replay(example.network, std::vector<Move>{main(0), main(0)}, Semantics::LockSensitive);
  CHECK(stopped.error->index == 1);
  CHECK(stopped.configuration.threads.size() == 2);
}

TEST_CASE("a replay does what the small-step semantics says, on any moves") {
  std::size_t stopped = 0;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    CAPTURE(seed);
    const Network network = random_locking_network(seed, {.controls = 1, .stacks = 4, .locks = 2, .monitors = 8});
    const Schedule execution =
        random_execution(network, seed, {.moves = 20, .threads = 4, .depth = 6}, Semantics::LockInsensitive);
    std::mt19937_64 random{seed};
    std::vector<Move> moves = execution.moves;
    if (seed % 4 == 0) {
      Move& victim = moves[random() % moves.size()];
      victim = {ThreadId{random() % 4}, RuleId{random() % network.rules().size()}};
    }
    for (Semantics semantics : {Semantics::LockSensitive, Semantics::LockInsensitive}) {
      Configuration configuration = initial_configuration(network);
      std::size_t made = 0;
      while (made < moves.size() && !blocked(network, configuration, moves[made], semantics))
        apply(network, configuration, moves[made++]);
      const Replay result = replay(network, moves, semantics);
      CHECK(result.configuration == configuration);
      REQUIRE(result.error.has_value() == (made < moves.size()));
      if (!result.error) continue;
      ++stopped;
      CHECK(result.error->index == made);
      const bool by_lock = result.error->reason.ends_with("is held by " + [&] {
        const auto why = blocked(network, configuration, moves[made], semantics);
        return why->holder ? thread_name(configuration, *why->holder) : "nobody";
      }());
      CHECK(by_lock == (blocked(network, configuration, moves[made], semantics)->reason == Blocked::Reason::LockHeld));
    }
  }
  CHECK(stopped > 1000);
}

TEST_CASE("a schedule is written line by line with its lock events and phases") {
  const Example example;
  CHECK(schedule_text(example.network, example.schedule) ==
        "phase 1 of 3\n"
        "  1  main    m1 -- a --> m2      spawns main.1\n"
        "  2  main    m2 -- a --> b1      acquires x\n"
        "  3  main    b1 -- a --> c1      re-enters x\n"
        "phase 2 of 3\n"
        "phase 3 of 3\n"
        "  4  main    c1 -- a --> b2\n"
        "  5  main    b2 -- a --> m3      releases x\n"
        "  6  main.1  t1 -- a --> t2      acquires x\n"
        "  7  main    m3 -- a --> return  ends\n"
        "main has ended\n"
        "main.1 is at t2 and holds x\n");
}

TEST_CASE("a schedule as JSON says the same") {
  const Example example;
  const nlohmann::ordered_json json = schedule_json(example.network, example.schedule);
  CHECK(json["phases"] == 3);
  REQUIRE(json["steps"].size() == 7);
  CHECK(json["steps"][0].dump() == R"({"step":1,"phase":1,"thread":"main","action":"a",)"
                                   R"("rule":"m1 -- a --> m2 [spawns t1]","spawns":"main.1"})");
  CHECK(json["steps"][2]["reenters"] == "x");
  CHECK(json["steps"][3]["phase"] == 3);
  CHECK(json["steps"][4]["releases"] == "x");
  CHECK(json["steps"][6]["ends"] == true);
  CHECK(json["threads"].dump() ==
        R"([{"thread":"main","ended":true,"control":"p","stack":[],"holds":[]},)"
        R"({"thread":"main.1","ended":false,"control":"p","stack":["t2","t3"],"holds":["x"]}])");
}

TEST_CASE("control states are shown where there are several") {
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const ControlState q = builder.control("q");
  const Action a = builder.action("a");
  const Head start{p, builder.stack("g")};
  builder.initial(start);
  builder.add({start, a, Spawn{{q, start.top}, start}});
  builder.add({{q, start.top}, a, Call{start, builder.stack("r")}});
  builder.add({start, a, Return{q}});
  const Network network = std::move(builder).build();
  const Schedule schedule{{Example::main(0), Example::main(1), Example::main(2)}, {}};
  CHECK(schedule_text(network, schedule) ==
        "  1  main  p g -- a --> q g  spawns main.1\n"
        "  2  main  q g -- a --> p g\n"
        "  3  main  p g -- a --> q r\n"
        "main is at q r\n"
        "main.1 is at p g\n");
}
