#include <doctest/doctest.h>

#include <set>

#include "base/ids/random.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/semantics/session.hpp"
#include "dpn/semantics/simulate.hpp"
#include "tests/oracle/dpn/random_network.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

// The definition: draw from the list of enabled moves, a spawn having 1 ticket and another move as many as threads
// live.
std::vector<Move> naive_run(const Network& network, std::uint64_t seed, const SimulateOptions& options) {
  Random random{seed};
  Configuration configuration = initial_configuration(network);
  std::vector<Move> moves;
  while (moves.size() < options.moves) {
    std::size_t live = 0;
    for (const Thread& thread : configuration.threads) live += thread.ended() ? 0U : 1U;
    std::vector<Move> tickets;
    for (Move move : enabled_moves(network, configuration, options.semantics)) {
      const bool single = options.choice == MoveChoice::Uniform || network.rule(move.rule).kind() == RuleKind::Spawn;
      tickets.insert(tickets.end(), single ? 1 : live, move);
    }
    if (tickets.empty()) break;
    moves.push_back(tickets[random.below(tickets.size())]);
    apply(network, configuration, moves.back());
  }
  return moves;
}

// A thread that spawns for ever; its children do nothing but go round.
Network spawner() {
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const Action a = builder.action("a");
  const Head main{p, builder.stack("m")};
  const Head child{p, builder.stack("c")};
  builder.initial(main);
  builder.add({main, a, Spawn{main, child}});
  builder.add({main, a, Base{main}});
  builder.add({child, a, Base{child}});
  return std::move(builder).build();
}

}  // namespace

TEST_CASE("a random run draws from the enabled moves") {
  std::set<RunEnd> ends;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    const SimulateOptions options{
        .semantics = seed % 3 == 0 ? Semantics::LockInsensitive : Semantics::LockSensitive,
        .choice = seed % 2 == 0 ? MoveChoice::Uniform : MoveChoice::FewerSpawns,
        .moves = 40,
    };
    const Run run = random_run(network, seed, options);
    CHECK(run.moves == naive_run(network, seed, options));
    CHECK(configurations_along(network, run.moves).back() == run.reached);
    ends.insert(run.end);

    const auto count = [&](Semantics semantics) { return enabled_moves(network, run.reached, semantics).size(); };
    bool live = false;
    for (const Thread& thread : run.reached.threads) live = live || !thread.ended();
    if (run.end == RunEnd::MoveLimit) {
      CHECK(run.moves.size() == options.moves);
    } else {
      CHECK(count(options.semantics) == 0);
      CHECK((run.end == RunEnd::AllEnded) == !live);
      CHECK((run.end == RunEnd::Deadlock) == (count(Semantics::LockInsensitive) > 0));
    }
  }
  CHECK(ends == std::set<RunEnd>{RunEnd::MoveLimit, RunEnd::AllEnded, RunEnd::Deadlock, RunEnd::Stuck});
}

TEST_CASE("fewer spawns keep the number of threads small") {
  const Network network = spawner();
  const auto threads = [&](MoveChoice choice) {
    return random_run(network, 1, {.choice = choice, .moves = 2000}).reached.threads.size();
  };
  CHECK(threads(MoveChoice::FewerSpawns) < 25);
  CHECK(threads(MoveChoice::Uniform) > 50);
}

TEST_CASE("a run is determined by its seed") {
  const Network network = spawner();
  CHECK(random_run(network, 5).moves == random_run(network, 5).moves);
  CHECK(random_run(network, 5).moves != random_run(network, 6).moves);
}

TEST_CASE("a run that is asked to stop says so") {
  StopSource source;
  source.request(StopReason::Cancelled);
  const Run run = random_run(spawner(), 1, {}, StopToken{source});
  CHECK(run.end == RunEnd::Stopped);
  CHECK(run.moves.empty());
}

TEST_CASE("a session goes forth and back through the configurations of its moves") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    Session session{network, Semantics::LockSensitive};
    Random random{seed};
    std::vector<Move> moves;  // what the session should have made
    for (int i = 0; i < 60; ++i) {
      const auto enabled = session.enabled();
      const std::size_t what = random.below(6);
      if (what == 0) {
        CHECK(session.undo() == !moves.empty());
        if (!moves.empty()) moves.pop_back();
      } else if (what == 1) {
        const auto undone = session.undone();
        const auto again = undone.empty() ? std::nullopt : std::optional{undone.back()};
        CHECK(session.redo() == again.has_value());
        if (again) moves.push_back(*again);
      } else if (!enabled.empty()) {
        const Move move = enabled[random.below(enabled.size())];
        CHECK_FALSE(session.make(move).has_value());
        CHECK(session.undone().empty());
        moves.push_back(move);
      }
      CHECK(std::vector<Move>(session.moves().begin(), session.moves().end()) == moves);
      CHECK(session.configuration() == configurations_along(network, moves).back());
    }
    const std::size_t undone = session.undone().size();
    session.rewind();
    CHECK(session.configuration() == initial_configuration(network));
    CHECK(session.undone().size() == undone + moves.size());
    while (session.undone().size() > undone) CHECK(session.redo());
    CHECK(std::vector<Move>(session.moves().begin(), session.moves().end()) == moves);
  }
}

TEST_CASE("a move that is not enabled leaves the session as it was") {
  const Network network = spawner();
  Session session{network, Semantics::LockSensitive};
  CHECK(session.make({main_thread, RuleId{2}}) == Blocked{Blocked::Reason::WrongHead, {}});
  CHECK(session.make({ThreadId{4}, RuleId{2}}) == Blocked{Blocked::Reason::NoSuchThread, {}});
  CHECK(session.moves().empty());
  CHECK(session.configuration() == initial_configuration(network));
}
