#include "frontend/verify/proof.hpp"

#include <algorithm>

namespace lockwood::verify {
namespace {

constexpr std::size_t goal_limit = 64;  // they are bits of a word

Phase read_phase(const dpn::Network& network, const JsonItem& item) {
  item.require_members({"avoiding", "standing", "fired"});
  Phase phase;
  if (const auto avoiding = item.find("avoiding")) phase.avoiding = avoiding->symbols(network.actions());
  for (const JsonItem& actions : item.list("fired")) phase.fired.push_back(actions.symbols(network.actions()));
  for (const JsonItem& goal : item.list("standing")) {
    goal.require_members({"tops", "holding", "wanting"});
    StandGoal& read = phase.standing.emplace_back();
    if (const auto tops = goal.find("tops")) read.tops = tops->symbols(network.stacks());
    if (const auto lock = goal.find("holding")) read.holding = lock->symbol(network.locks());
    if (const auto lock = goal.find("wanting")) read.wanting = lock->symbol(network.locks());
  }
  return phase;
}

Structure read_structure(const dpn::Network& network, const JsonItem& item) {
  const auto locks = [&](const JsonItem& object, const char* name) {
    const auto found = object.find(name);
    return found ? found->symbols(network.locks()) : Locks{};
  };
  const auto edges = [&](const JsonItem& object, const char* name) {
    LockEdges read;
    for (const JsonItem& row : object.list(name)) {
      const auto parts = row.list();
      if (parts.size() != 2) row.reject("this must be a lock and an array of locks");
      for (dpn::Lock to : parts[1].symbols(network.locks())) read.insert({parts[0].symbol(network.locks()), to});
    }
    return read;
  };
  item.require_members({"own_uses", "phases"});
  Structure structure{locks(item, "own_uses"), {}};
  for (const JsonItem& phase : item.member("phases").list()) {
    phase.require_members({"acquired", "used", "held", "acquisition", "release"});
    structure.phases.push_back({locks(phase, "acquired"), locks(phase, "used"), locks(phase, "held"),
                                edges(phase, "acquisition"), edges(phase, "release")});
  }
  return structure;
}

Fact read_fact(const dpn::Network& network, const Problem& problem, const JsonItem& item, std::size_t structures) {
  item.require_members({"returned", "goals", "collected", "structure"});
  if (structures == 0) item.reject("there is a fact but no structure");
  Fact fact{{}, {}, item.member("structure").number(0, structures - 1)};
  if (const auto returned = item.find("returned")) {
    returned->require_members({"control", "phase"});
    fact.outcome = {returned->member("control").symbol(network.controls()),
                    returned->member("phase").number(1, problem.phases.size()) - 1};
  }
  for (const JsonItem& goal : item.list("goals"))
    fact.seen.goals |= std::uint64_t{1} << (goal.number(1, problem.goals) - 1);
  if (const auto collected = item.find("collected")) fact.seen.collected = read_collected(network, *collected);
  return fact;
}

}  // namespace

Problem read_problem(const dpn::Network& network, const JsonItem& item) {
  item.require_members({"semantics", "phases", "collect"});
  Problem problem;
  const JsonItem semantics = item.member("semantics");
  if (semantics.text() == "lock-insensitive")
    problem.semantics = dpn::Semantics::LockInsensitive;
  else if (semantics.text() != "lock-sensitive")
    semantics.reject("this must be lock-sensitive or lock-insensitive");
  for (const JsonItem& phase : item.member("phases").list()) {
    Phase& read = problem.phases.emplace_back(read_phase(network, phase));
    read.first_goal = problem.goals;
    problem.goals += read.standing.size() + read.fired.size();
  }
  if (problem.phases.empty()) item.reject("there must be a phase");
  if (problem.goals > goal_limit) item.reject("there are more than " + std::to_string(goal_limit) + " goals");
  for (const JsonItem& tops : item.list("collect")) problem.collect.push_back(tops.symbols(network.stacks()));
  if (problem.collect.size() > 2) item.reject("there are more than two sets for collecting");
  return problem;
}

std::vector<dpn::StackSymbol> read_collected(const dpn::Network& network, const JsonItem& names) {
  std::vector<dpn::StackSymbol> collected;
  for (const JsonItem& name : names.list()) collected.push_back(name.symbol(network.stacks()));
  std::ranges::sort(collected);
  return collected;
}

Table read_table(const dpn::Network& network, const Problem& problem, const JsonItem& certificate) {
  Table table;
  for (const JsonItem& item : certificate.member("structures").list()) {
    table.structures.push_back(read_structure(network, item));
    if (table.structures.back().phases.size() != problem.phases.size()) item.reject("the number of phases is wrong");
  }
  for (const JsonItem& item : certificate.member("contexts").list()) {
    item.require_members({"control", "top", "held", "phase", "thread", "facts"});
    const auto held = item.find("held");
    const auto thread = item.find("thread");
    table.order.push_back(
        {{item.member("control").symbol(network.controls()), item.member("top").symbol(network.stacks())},
         held ? held->symbols(network.locks()) : Locks{},
         item.member("phase").number(1, problem.phases.size()) - 1,
         thread && thread->flag()});
    const auto [at, inserted] = table.contexts.try_emplace(table.order.back());
    if (!inserted) item.reject("this context is there twice");
    for (const JsonItem& fact_item : item.list("facts")) {
      const Fact fact = read_fact(network, problem, fact_item, table.structures.size());
      at->second[fact.outcome].push_back(fact);
      ++table.facts;
    }
  }
  for (const JsonItem& answer : certificate.list("answers")) {
    const auto collected = read_collected(network, answer);
    if (collected.empty() || collected.size() != problem.collect.size())
      answer.reject("an answer is a symbol for each set that the problem collects");
    table.conceded.insert(collected);
  }
  return table;
}

bool meets(const dpn::Network& network, dpn::Head head, const Locks& held, const StandGoal& goal) {
  if (goal.tops && !goal.tops->contains(head.top)) return false;
  if (goal.holding && !held.contains(*goal.holding)) return false;
  if (!goal.wanting) return true;
  return !held.contains(*goal.wanting) && std::ranges::any_of(network.rules_from(head), [&](dpn::RuleId rule) {
    const auto entry = dpn::entry_of(network.rule(rule));
    return entry && entry->lock == goal.wanting;
  });
}

bool collectable(const Problem& problem, const std::vector<dpn::StackSymbol>& tops) {
  const auto& sets = problem.collect;
  if (tops.size() > sets.size()) return false;
  if (tops.empty()) return true;
  if (tops.size() == 1) return std::ranges::any_of(sets, [&](const Tops& set) { return set.contains(tops[0]); });
  return (sets[0].contains(tops[0]) && sets[1].contains(tops[1])) ||
         (sets[1].contains(tops[0]) && sets[0].contains(tops[1]));
}

}  // namespace lockwood::verify
