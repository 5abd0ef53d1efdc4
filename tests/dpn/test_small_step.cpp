#include <doctest/doctest.h>

#include "dpn/semantics/small_step.hpp"
#include "tests/oracle/dpn/example_network.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::dpn::testing;

namespace {

struct Example : ExampleParts {
  Network network = [this] {
    add_reentrant_main(a);
    return std::move(builder).build();
  }();
};

}  // namespace

TEST_CASE("a lock excludes other threads until its outermost holder frame is popped") {
  const Example example;
  const Network& network = example.network;
  Configuration configuration = initial_configuration(network);
  const ThreadId child{1};
  apply(network, configuration, {main_thread, RuleId{0}});
  CHECK(thread_name(configuration, child) == "main.1");
  CHECK(enabled_moves(network, configuration, Semantics::LockSensitive) ==
        std::vector<Move>{{main_thread, RuleId{1}}, {child, RuleId{5}}});

  apply(network, configuration, {main_thread, RuleId{1}});
  apply(network, configuration, {main_thread, RuleId{2}});  // reentrant
  CHECK(hold_count(configuration.threads[main_thread], example.x) == 2);
  const Blocked held{Blocked::Reason::LockHeld, main_thread};
  CHECK(blocked(network, configuration, {child, RuleId{5}}, Semantics::LockSensitive) == held);
  CHECK_FALSE(blocked(network, configuration, {child, RuleId{5}}, Semantics::LockInsensitive).has_value());

  apply(network, configuration, {main_thread, RuleId{3}});
  CHECK(blocked(network, configuration, {child, RuleId{5}}, Semantics::LockSensitive) == held);
  apply(network, configuration, {main_thread, RuleId{4}});
  CHECK_FALSE(blocked(network, configuration, {child, RuleId{5}}, Semantics::LockSensitive).has_value());
  apply(network, configuration, {child, RuleId{5}});
  CHECK(held_locks(configuration.threads[child]) == std::vector<Lock>{example.x});
  CHECK(network.stack_symbols().name(configuration.threads[main_thread].head().top) == "m3");
}

TEST_CASE("the reasons why a move is impossible are told apart") {
  const Example example;
  const Network& network = example.network;
  const Configuration configuration = initial_configuration(network);
  const auto reason = [&](Move move) {
    return blocked(network, configuration, move, Semantics::LockSensitive)->reason;
  };
  CHECK(reason({ThreadId{3}, RuleId{0}}) == Blocked::Reason::NoSuchThread);
  CHECK(reason({main_thread, RuleId{1}}) == Blocked::Reason::WrongHead);
}
