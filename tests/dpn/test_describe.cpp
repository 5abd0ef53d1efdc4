#include <doctest/doctest.h>

#include <sstream>

#include "dpn/formats/dot.hpp"
#include "dpn/formats/schedule_text.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/semantics/describe.hpp"
#include "tests/oracle/dpn/example_network.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::dpn::testing;

namespace {

struct Example : ExampleParts {
  Action sync = builder.action("sync");
  Network network = [this] {
    builder.label(sync, "sync x");
    builder.label(at("c1").top, "count = 1");
    add_reentrant_main(sync);
    builder.add({at("m3"), a, Call{at("m3"), builder.stack("m3")}});  // 7
    builder.add({at("m3"), a, Base{at("m1")}});                       // 8
    return std::move(builder).build();
  }();
};

}  // namespace

TEST_CASE("rules are described by the model's names") {
  const Example example;
  const auto text = [&](std::size_t id) { return describe(example.network, example.network.rule(RuleId{id})); };
  CHECK(text(0) == "m1 -- a --> m2 [spawns t1]");
  CHECK(text(1) == "m2 -- sync x --> b1 [acquires x, returns to m3]");
  CHECK(text(2) == "b1 -- sync x --> count = 1 [acquires x, returns to b2]");
  CHECK(text(6) == "m3 -- a --> return");
  CHECK(text(7) == "m3 -- a --> m3 [returns to m3]");
  CHECK(text(8) == "m3 -- a --> m1");
}

TEST_CASE("what is described is printable, whatever the names are") {
  NetworkBuilder builder;
  const Head from{builder.control("p"), builder.stack("a\x1B[31m")};
  const Action action = builder.action("x\a");
  const Lock lock = builder.lock("l");
  builder.label(from.top, "red\x1B[31m\nline2");
  builder.label(lock, "\t\x7F");
  builder.initial(from);
  builder.add({from, action, Monitor{from, from.top, lock}});
  const Network network = std::move(builder).build();
  CHECK(describe(network, network.rule(RuleId{0})) ==
        "red?[31m?line2 -- x? --> red?[31m?line2 [acquires  ?, returns to red?[31m?line2]");
  const std::vector<Move> moves{{main_thread, RuleId{0}}};
  CHECK(schedule_text(network, {.moves = moves, .cuts = {}}) ==
        "  1  main  red?[31m?line2 -- x? --> red?[31m?line2  acquires  ?\n"
        "main is at red?[31m?line2 and holds  ?\n");
  std::ostringstream picture;
  write_dot(picture, network, procedures(network));
  CHECK(picture.str().find("[label=\"red?[31m\\nline2\"]") != std::string::npos);
  CHECK(picture.str().find('\x1B') == std::string::npos);
  CHECK(picture.str().find('\a') == std::string::npos);
  CHECK(to_text(network, network.rule(RuleId{0})).find_first_of("\x1B\a") == std::string::npos);
}

TEST_CASE("moves are described by what they do where they happen") {
  const Example example;
  const Network& network = example.network;
  Configuration configuration = initial_configuration(network);
  const auto make = [&](std::size_t rule) {
    const Move move{main_thread, RuleId{rule}};
    std::string text = describe(network, configuration, move);
    apply(network, configuration, move);
    return text;
  };
  CHECK(make(0) == "main: m1 -- a --> m2 [spawns main.1 at t1]");
  CHECK(make(1) == "main: m2 -- sync x --> b1 [acquires x]");
  CHECK(make(2) == "main: b1 -- sync x --> count = 1 [acquires x again]");
  CHECK(describe(network, configuration) == "main at count = 1, then b2, then m3; holds x\nmain.1 at t1\n");

  const auto why = [&](Move move) {
    return describe(network, configuration, move, *blocked(network, configuration, move, Semantics::LockSensitive));
  };
  CHECK(why({ThreadId{1}, RuleId{5}}) == "main.1 waits for lock x, held by main");
  CHECK(why({main_thread, RuleId{4}}) == "main is at count = 1, not at b2");
  CHECK(why({ThreadId{7}, RuleId{4}}) == "there is no such thread");

  CHECK(make(3) == "main: count = 1 -- a --> b2");
  CHECK(make(4) == "main: b2 -- a --> m3 [releases x]");
  CHECK(make(6) == "main: m3 -- a --> return [ends]");
  CHECK(describe(network, configuration, main_thread) == "main has ended");
  CHECK(why({main_thread, RuleId{6}}) == "main has ended");
}

TEST_CASE("control states are shown where there are several, and long stacks are shortened") {
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const ControlState q = builder.control("q");
  const Head f{p, builder.stack("f")};
  builder.initial(f);
  builder.add({f, builder.action("a"), Call{f, builder.stack("r")}});
  builder.add({f, builder.action("b"), Return{q}});
  const Network network = std::move(builder).build();
  CHECK(describe(network, network.rule(RuleId{0})) == "p f -- a --> p f [returns to r]");
  CHECK(describe(network, network.rule(RuleId{1})) == "p f -- b --> return in q");
  Configuration configuration = initial_configuration(network);
  apply(network, configuration, {main_thread, RuleId{0}});
  CHECK(describe(network, configuration, {main_thread, RuleId{1}}) == "main: p f -- b --> q r");
  for (int i = 0; i < 99; ++i) apply(network, configuration, {main_thread, RuleId{0}});
  const std::string seven = ", then r, then r, then r, then r, then r, then r, then r";
  CHECK(describe(network, configuration, main_thread) == "main at p f" + seven + ", then 85 more" + seven + ", then r");
}
