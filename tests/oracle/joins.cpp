#include "tests/oracle/joins.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "base/ids/random.hpp"

#include "dpn/generators/join_program.hpp"
#include "dpn/semantics/explore.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"
#include "tests/oracle/dpn/random_joins.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/shrunk_error.hpp"
#include "tests/oracle/ways_to_solve.hpp"

namespace lockwood::oracle {
namespace {

using dpn::Verdict;

constexpr dpn::ExploreBounds bounds{.configurations = 4'000, .stack_depth = 6, .threads = 6};

Verdict explored(const dpn::Network& network, const dpn::Query& query) {
  return dpn::explore_query(network, query, bounds).verdict;
}

// All reductions and none, two of the others in each turn, symbolic structures in every second one, and locks on
// demand.
std::vector<Way> some_ways(std::uint64_t turn) {
  std::vector<Way> explicit_ways;
  std::vector<Way> symbolic_ways;
  for (Way& way : ways_to_solve(turn))
    (way.options.domain == solver::DomainChoice::Zdd ? symbolic_ways : explicit_ways).push_back(std::move(way));
  std::vector<Way> ways{explicit_ways[0], explicit_ways[1]};
  for (std::uint64_t i = 0; i < 2; ++i) ways.push_back(explicit_ways[2 + (2 * turn + i) % (explicit_ways.size() - 2)]);
  if (turn % 2 == 0) ways.push_back(symbolic_ways[turn / 2 % symbolic_ways.size()]);
  ways.push_back({"locks: lazy", {.locks = solver::LockChoice::Lazy}});
  if (turn % 16 == 0) {
    ways.back().options.jobs = 2;
    ways.back().options.large_frontier = 1;
  }
  return ways;
}

std::optional<std::string> flaw_of(const dpn::Network& network, const dpn::Query& query, const std::vector<Way>& ways,
                                   Verdict truth, JoinTally& tally) {
  std::optional<Verdict> first;
  for (const Way& way : ways) {
    const solver::Answer answer = solver::solve(network, solver::problem_of(query), way.options);
    ++tally.verdicts;
    if (answer.domain == solver::DomainChoice::Zdd) ++tally.symbolic;
    if (answer.verdict == Verdict::Unknown) return "no verdict; " + way.name;
    if (truth != Verdict::Unknown && answer.verdict != truth)
      return std::string{answer.verdict == Verdict::Reachable ? "reachable" : "unreachable"} +
             ", which exploration contradicts; " + way.name;
    if (first && answer.verdict != *first) return "another verdict than with all reductions; " + way.name;
    first = answer.verdict;
    if (answer.verdict == Verdict::Reachable && !answer.witness) return "no witness; " + way.name;
  }
  return std::nullopt;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const JoinTally& tally) {
  return out << tally.verdicts << " verdicts, " << tally.symbolic << " of them symbolic, on " << tally.reachable
             << " reachable and " << tally.unreachable << " unreachable queries, " << tally.because_of_joins
             << " of them because of joins and " << tally.because_of_both << " because of joins and locks together, "
             << tally.because_of_phases << " because of phases; " << tally.several_phases << " of several phases, "
             << tally.undecided << " undecided by exploration";
}

dpn::Network network_with_joins(std::uint64_t seed) {
  switch (seed % 6) {
    case 0:
      return dpn::random_network(seed,
                                 {.controls = 2, .stacks = 7, .locks = 2, .actions = 3, .rules = 14, .groups = 2});
    case 1: return dpn::join_program(seed, {.threads = 4, .locks = 3, .groups = 2, .recursion = seed % 4 == 1});
    case 2: return dpn::join_program(seed, {.threads = 5, .locks = 2, .groups = 2, .statements = 2});
    case 3: return dpn::random_joins(seed, {.locks = 2, .recursive = seed % 8 == 3});
    case 4: return dpn::random_joins(seed, {.bodies = 3, .items = 2, .locks = 2, .held_joins = 50});
    default: return dpn::random_joins(seed, {.bodies = 2 + seed % 3, .items = 4, .locks = 2, .groups = 1});
  }
}

dpn::Query query_with_joins(const dpn::Network& network, std::uint64_t seed) {
  switch (Random{seed}.below(4)) {  // whatever kind the network is of
    case 0: return dpn::join_query(network, seed / 4);
    case 1: return dpn::random_joins_query(network, seed);
    default: return dpn::behind_join_query(network, seed);
  }
}

dpn::Network without_joins(const dpn::Network& network) {
  std::set<dpn::Rule> different;
  IdVector<dpn::RuleId, dpn::Rule> steps;
  for (dpn::Rule rule : network.rules()) {
    if (const auto to = dpn::step_of(rule)) rule.effect = dpn::Base{*to};
    if (different.insert(rule).second) steps.push_back(rule);
  }
  return network.with_rules(std::move(steps));
}

std::optional<std::string> wrong_answer_with_joins(const dpn::Network& network, const dpn::Query& query,
                                                   std::uint64_t turn, JoinTally& tally) {
  const std::vector<Way> ways = some_ways(turn);
  const Verdict truth = explored(network, query);
  std::optional<std::string> flaw;
  try {
    flaw = flaw_of(network, query, ways, truth, tally);
  } catch (const std::exception& error) {
    flaw = error.what();
  }
  if (flaw) {
    const auto small = solver::shrunk_error(network, query, [&](const dpn::Network& candidate, const dpn::Query& q) {
      JoinTally ignored;
      return flaw_of(candidate, q, ways, explored(candidate, q), ignored);
    });
    return small.value_or(*flaw + ", which is gone when it is asked again");
  }
  if (query.steps.size() > 1) ++tally.several_phases;
  if (truth == Verdict::Unknown) {
    ++tally.undecided;
    return std::nullopt;
  }
  ++(truth == Verdict::Reachable ? tally.reachable : tally.unreachable);
  if (truth == Verdict::Reachable) return std::nullopt;
  const auto possible_alone = [&](const dpn::QueryStep& step) {
    dpn::Query alone{
        .form = dpn::QueryForm::Iterate, .semantics = query.semantics, .steps = {}, .expected = {}, .at = {}};
    alone.steps.push_back({.positions = step.positions, .avoiding = {}, .requiring = {}});
    return explored(network, alone) == Verdict::Reachable;
  };
  if (query.steps.size() > 1 && std::ranges::all_of(query.steps, possible_alone)) ++tally.because_of_phases;
  if (explored(without_joins(network), query) != Verdict::Reachable) return std::nullopt;
  ++tally.because_of_joins;
  dpn::Query without_locks = query;
  without_locks.semantics = dpn::Semantics::LockInsensitive;
  if (explored(network, without_locks) == Verdict::Reachable) ++tally.because_of_both;
  return std::nullopt;
}

}  // namespace lockwood::oracle
