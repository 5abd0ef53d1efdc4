#include "tests/oracle/dpn/tree_generator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>

#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn::testing {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t bound) { return random() % bound; }

Effect random_effect(Random& random, Head to, Head other, Lock lock, std::size_t monitors) {
  switch (below(random, 8 + monitors)) {
    case 0:
    case 1: return Base{to};
    case 2: return Call{to, other.top};
    case 3:
    case 4: return Spawn{to, other};
    case 5:
    case 6:
    case 7: return Return{to.control};
    default: return Monitor{to, other.top, lock};
  }
}

}  // namespace

Network random_locking_network(std::uint64_t seed, NetworkShape shape) {
  Random random{seed};
  NetworkBuilder builder;
  for (std::size_t i = 0; i < shape.controls; ++i) builder.control("p" + std::to_string(i));
  for (std::size_t i = 0; i < shape.stacks; ++i) builder.stack("g" + std::to_string(i));
  for (std::size_t i = 0; i < shape.locks; ++i) builder.lock("x" + std::to_string(i));
  const auto head = [&] {
    return Head{ControlState{below(random, shape.controls)}, StackSymbol{below(random, shape.stacks)}};
  };
  const Head initial{ControlState{0}, StackSymbol{0}};
  builder.initial(initial);
  const Head first = head();
  builder.add({initial, builder.action("a0"), Spawn{head(), first}});
  for (std::size_t control = 0; control < shape.controls; ++control)
    for (std::size_t stack = 0; stack < shape.stacks; ++stack)
      for (std::size_t count = 1 + below(random, 3); count > 0; --count) {
        const Head to = head();
        const Head other = head();
        const Lock lock{below(random, shape.locks)};
        builder.add({Head{ControlState{control}, StackSymbol{stack}}, builder.action("a" + std::to_string(count)),
                     random_effect(random, to, other, lock, shape.monitors)});
      }
  return std::move(builder).build();
}

Network random_straight_line_network(std::uint64_t seed, StraightLineShape shape) {
  Random random{seed};
  NetworkBuilder builder;
  const ControlState control = builder.control("p");
  const Action action = builder.action("a");
  std::size_t points = 0;
  const auto fresh = [&] { return Head{control, builder.stack("g" + std::to_string(points++))}; };
  std::vector<Head> starts{fresh()};
  builder.initial(starts.front());
  for (std::size_t thread = 1; thread < shape.threads; ++thread) {
    starts.push_back(fresh());
    const Head next = fresh();
    builder.add({starts.front(), action, Spawn{next, starts.back()}});
    starts.front() = next;
  }
  for (Head at : starts) {
    std::vector<Head> return_points;
    for (std::size_t count = 0; count < shape.operations; ++count) {
      const std::size_t choice = below(random, 8);
      if (choice < 3 && !return_points.empty()) {
        builder.add({at, action, Return{control}});
        at = return_points.back();
        return_points.pop_back();
      } else if (choice == 3) {
        const Head next = fresh();
        builder.add({at, action, Spawn{next, starts[below(random, starts.size())]}});
        at = next;
      } else {
        const Head body = fresh();
        return_points.push_back(fresh());
        const Lock lock = builder.lock("x" + std::to_string(below(random, shape.locks)));
        builder.add({at, action, Monitor{body, return_points.back().top, lock}});
        at = body;
      }
    }
    for (; !return_points.empty(); return_points.pop_back()) {
      builder.add({at, action, Return{control}});
      at = return_points.back();
    }
  }
  return std::move(builder).build();
}

Network random_joining_network(std::uint64_t seed, JoiningShape shape) {
  Random random{seed};
  NetworkBuilder builder;
  const ControlState control = builder.control("p");
  const Action action = builder.action("a");
  std::vector<Group> groups;
  for (std::size_t i = 0; i < shape.groups; ++i) groups.push_back(builder.group("h" + std::to_string(i)));
  std::size_t points = 0;
  const auto fresh = [&] { return Head{control, builder.stack("g" + std::to_string(points++))}; };
  const auto some_group = [&] { return groups[below(random, groups.size())]; };
  const auto opening = [&] { return below(random, 4) == 0 ? std::vector{some_group()} : std::vector<Group>{}; };
  std::vector<Head> starts;
  for (std::size_t i = 0; i < shape.lines; ++i) starts.push_back(fresh());
  builder.initial(starts.front());
  for (std::size_t line = 0; line < starts.size(); ++line) {
    Head at = starts[line];
    std::vector<Head> return_points;
    for (std::size_t count = 0; count < shape.operations; ++count) {
      const std::size_t choice = below(random, 12);
      const Head next = fresh();
      if (choice < 3 && !return_points.empty()) {
        builder.add({at, action, Return{control}});
        at = return_points.back();
        return_points.pop_back();
      } else if (choice < 6 && line + 1 < starts.size()) {  // of a later line, so that the number of threads is bounded
        Spawn spawn{next, starts[line + 1 + below(random, starts.size() - line - 1)]};
        for (const Group group : groups)
          if (below(random, 3) > 0) spawn.memberships.push_back({group, below(random, 3) == 0, below(random, 4) == 0});
        builder.add({at, action, std::move(spawn)});
        at = next;
      } else if (choice < 8) {
        builder.add({at, action, Join{next, {some_group()}}});
        at = next;
      } else if (choice == 8 && below(random, 3) == 0) {
        builder.add({at, action, Forget{next, {some_group()}}});
        at = next;
      } else {
        return_points.push_back(fresh());
        if (below(random, 5) == 0) {
          builder.add({at, action, Call{next, return_points.back().top, opening()}});
        } else {
          const Lock lock = builder.lock("x" + std::to_string(below(random, shape.locks)));
          builder.add({at, action, Monitor{next, return_points.back().top, lock, opening()}});
        }
        at = next;
      }
    }
    for (; !return_points.empty(); return_points.pop_back()) {
      builder.add({at, action, Return{control}});
      at = return_points.back();
    }
    builder.add({at, action, Return{control}});
  }
  return std::move(builder).build();
}

Schedule random_execution(const Network& network, std::uint64_t seed, ExecutionShape shape, Semantics semantics) {
  Random random{seed};
  Schedule execution;
  Configuration configuration = initial_configuration(network);
  std::optional<ThreadId> last;
  while (execution.moves.size() < shape.moves) {
    std::vector<Move> moves = enabled_moves(network, configuration, semantics);
    std::erase_if(moves, [&](Move move) {
      const Rule& rule = network.rule(move.rule);
      const std::size_t depth = configuration.threads[move.thread].stack.size();
      if (rule.kind() == RuleKind::Spawn) return configuration.threads.size() >= shape.threads;
      if (rule.kind() == RuleKind::Return && depth == 1) return !shape.ending && below(random, 4) > 0;
      return entry_of(rule) && depth >= shape.depth;
    });
    if (last && below(random, 3) > 0 && std::ranges::any_of(moves, [&](Move move) { return move.thread == *last; }))
      std::erase_if(moves, [&](Move move) { return move.thread != *last; });
    if (moves.empty()) break;
    const Move move = moves[below(random, moves.size())];
    apply(network, configuration, move);
    execution.moves.push_back(move);
    last = move.thread;
  }
  for (std::size_t count = below(random, shape.cuts + 1); count > 0; --count)
    execution.cuts.push_back(below(random, execution.moves.size() + 1));
  std::ranges::sort(execution.cuts);
  return execution;
}

void each_locking_execution(std::uint64_t first_seed, std::uint64_t end_seed, TreeSize size, const UseExecution& use) {
  const std::size_t variety = size == TreeSize::ForSearch ? 20 : 15;
  for (std::uint64_t seed = first_seed; seed < end_seed; ++seed) {
    CAPTURE(seed);
    const Network network = random_locking_network(
        seed,
        {.controls = 1 + seed % 2, .stacks = 4 + seed % 3, .locks = 1 + seed % 4, .monitors = 4 + 4 * (seed % 3)});
    const ExecutionShape shape{.moves = 6 + seed % variety, .threads = 2 + seed % 3, .depth = 6, .cuts = seed % 4};
    use(network, random_execution(network, seed, shape, Semantics::LockInsensitive));
  }
}

void each_joining_execution(std::uint64_t first_seed, std::uint64_t end_seed, const UseExecution& use) {
  for (std::uint64_t seed = first_seed; seed < end_seed; ++seed) {
    CAPTURE(seed);
    const JoiningShape lines{
        .lines = 2 + seed % 4, .operations = 5 + seed % 6, .locks = 1 + seed % 3, .groups = 1 + seed / 3 % 2};
    const ExecutionShape shape{
        .moves = 12 + seed % 20, .threads = 3 + seed % 3, .depth = 8, .cuts = seed % 4, .ending = true};
    const Network network = random_joining_network(seed, lines);
    use(network, random_execution(network, seed, shape, Semantics::LockInsensitive));
  }
}

void each_straight_line_execution(std::uint64_t first_seed, std::uint64_t end_seed, TreeSize size,
                                  const UseExecution& use) {
  const bool large = size == TreeSize::ForSearch;
  for (std::uint64_t seed = first_seed; seed < end_seed; ++seed) {
    CAPTURE(seed);
    const StraightLineShape lines{.threads = 2 + seed % (large ? 3 : 2),
                                  .operations = 5 + seed % (large ? 4 : 3),
                                  .locks = 2 + seed % (large ? 5 : 3)};
    const ExecutionShape shape{.moves = 10 + seed % (large ? 20 : 14),
                               .threads = 3 + seed % (large ? 3 : 2),
                               .depth = 8,
                               .cuts = large ? seed % 3 : 1 + seed % 2};
    const Network network = random_straight_line_network(seed, lines);
    use(network, random_execution(network, seed, shape, Semantics::LockInsensitive));
  }
}

}  // namespace lockwood::dpn::testing
