#include <doctest/doctest.h>

#include <set>
#include <utility>

#include "dpn/formats/text_format.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "solver/analyses/mhp.hpp"
#include "tests/frontend/program/program_places.hpp"
#include "tests/oracle/program/random_program.hpp"
#include "tests/oracle/solver/all_configurations.hpp"

namespace lockwood::program {
namespace {

std::optional<Standing> goal_of(const Lowered& lowered, dpn::StackSymbol symbol) {
  const SymbolOrigin& origin = lowered.symbols[symbol];
  if (origin.role != SymbolRole::Before) return std::nullopt;
  return Standing{origin.procedure, origin.point};
}

std::optional<Places> by_exploration(const Lowered& lowered, std::size_t limit) {
  const auto all = solver::reference::all_configurations(lowered.network, dpn::Semantics::LockSensitive, limit);
  if (!all) return std::nullopt;
  Places places;
  for (const dpn::Configuration& configuration : *all) {
    std::vector<Standing> threads;
    for (const dpn::Thread& thread : configuration.threads)
      if (!thread.ended())
        if (const auto at = goal_of(lowered, thread.stack.back().symbol)) threads.push_back(*at);
    places.add(threads);
  }
  return places;
}

std::set<std::pair<Standing, Standing>> pairs_by_engine(const Lowered& lowered) {
  std::set<std::pair<Standing, Standing>> pairs;
  for (const auto& [first, second] : solver::parallel_pairs(lowered.network).pairs) {
    const auto a = goal_of(lowered, first);
    const auto b = goal_of(lowered, second);
    if (a && b) pairs.insert(std::minmax(*a, *b));
  }
  return pairs;
}

struct Tally {
  std::size_t compared = 0;
  std::size_t with_pairs = 0;
};

void compare(std::uint64_t seed, const lw::RandomProgramShape& shape, Tally& tally) {
  const std::string text = lw::random_program(seed, shape);
  CAPTURE(seed);
  CAPTURE(text);
  const lw::ProgramText source = lw::read_program(text, "random.lw");
  check_invariants(source.program);
  const Lowered lowered = lower(source.program);
  CAPTURE(dpn::to_dpn(lowered.network, {}));
  constexpr std::size_t limit = 4000;
  const auto expected = by_interpreter(source.program, limit);
  if (!expected) return;
  const auto found = by_exploration(lowered, 4 * limit);
  if (!found) return;
  ++tally.compared;
  if (!expected->pairs.empty()) ++tally.with_pairs;
  CHECK(expected->single == found->single);
  CHECK(expected->pairs == found->pairs);
  CHECK(expected->pairs == pairs_by_engine(lowered));
}

TEST_CASE("the model of a program reaches the places and pairs of places that the program reaches") {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    compare(seed, {.procedures = 2, .statements = 6, .bools = false, .jumps = false}, tally);
  CHECK(tally.compared > 300);
  CHECK(tally.with_pairs > 100);
}

TEST_CASE("returns, exceptions and jumps out of regions are modelled exactly") {
  Tally tally;
  for (std::uint64_t seed = 1000; seed < 1400; ++seed)
    compare(seed, {.procedures = 3, .statements = 7, .bools = false}, tally);
  CHECK(tally.compared > 300);
  CHECK(tally.with_pairs > 100);
}

TEST_CASE("bools are modelled exactly") {
  Tally tally;
  for (std::uint64_t seed = 2000; seed < 2600; ++seed)
    compare(seed, {.procedures = 3, .statements = 8, .variables = 1}, tally);
  CHECK(tally.compared > 450);
  CHECK(tally.with_pairs > 150);
}

}  // namespace
}  // namespace lockwood::program
