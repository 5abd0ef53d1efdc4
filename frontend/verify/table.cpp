#include "frontend/verify/table.hpp"

#include <algorithm>

namespace lockwood::verify {
namespace {

std::vector<dpn::StackSymbol> read_collected(const dpn::Network& network, const std::vector<JsonItem>& names) {
  std::vector<dpn::StackSymbol> collected;
  for (const JsonItem& name : names) collected.push_back(name.symbol(network.stacks()));
  std::ranges::sort(collected);
  return collected;
}

Fact read_fact(const dpn::Network& network, const Problem& problem, const JsonItem& item, std::size_t structures) {
  item.with_members({"returned", "goals", "collected", "structure"});
  Fact fact{
      {}, {0, read_collected(network, item.list("collected"))}, item.member("structure").number(0, structures - 1)};
  if (const auto returned = item.find("returned")) {
    returned->with_members({"control", "phase"});
    fact.outcome = {returned->member("control").symbol(network.controls()),
                    returned->member("phase").number(1, problem.phases.size()) - 1};
  }
  for (const JsonItem& goal : item.list("goals"))
    fact.seen.goals |= std::uint64_t{1} << (goal.number(1, problem.goals) - 1);
  return fact;
}

std::string set_text(const dpn::Network& network, const Locks& locks) {
  std::string text;
  for (dpn::Lock lock : locks) text += (text.empty() ? "{" : ", ") + std::string{network.locks().name(lock)};
  return text + "}";
}

}  // namespace

Table read_table(const dpn::Network& network, const Problem& problem, const JsonItem& certificate) {
  Table table;
  for (const JsonItem& item : certificate.member("structures").list())
    table.structures.push_back(read_structure(network, item, problem.phases.size()));
  for (const JsonItem& item : certificate.member("contexts").list()) {
    item.with_members({"control", "top", "held", "phase", "thread", "facts"});
    Context context{{item.member("control").symbol(network.controls()), item.member("top").symbol(network.stacks())},
                    {},
                    item.member("phase").number(1, problem.phases.size()) - 1,
                    item.flag("thread")};
    for (const JsonItem& name : item.list("held")) context.held.insert(name.symbol(network.locks()));
    const auto [at, inserted] = table.contexts.try_emplace(context);
    if (!inserted) item.reject("this context is there twice");
    table.order.push_back(context);
    for (const JsonItem& fact_item : item.list("facts")) {
      if (table.structures.empty()) fact_item.reject("there are no structures");
      const Fact fact = read_fact(network, problem, fact_item, table.structures.size());
      at->second[fact.outcome].push_back(fact);
      ++table.facts;
    }
  }
  for (const JsonItem& answer : certificate.list("answers")) {
    const auto collected = read_collected(network, answer.list());
    if (collected.empty() || collected.size() != problem.collect.size())
      answer.reject("an answer is a symbol for each set that the problem collects");
    table.conceded.insert(collected);
  }
  return table;
}

std::string to_text(const dpn::Network& network, const Context& context) {
  std::string text = context.thread ? "the thread started at (" : "(";
  text += std::string{network.controls().name(context.head.control)} + ", ";
  text += std::string{network.stacks().name(context.head.top)} + ") in phase " + std::to_string(context.phase + 1);
  return context.held.empty() ? text : text + " holding " + set_text(network, context.held);
}

std::string to_text(const dpn::Network& network, const Fact& fact, const Structure& structure) {
  std::string text = "stands";
  if (fact.outcome)
    text = "returns to " + std::string{network.controls().name(fact.outcome->first)} + " in phase " +
           std::to_string(fact.outcome->second + 1);
  for (std::size_t goal = 0; goal < 64; ++goal)
    if ((fact.seen.goals >> goal & 1U) != 0) text += ", meets goal " + std::to_string(goal + 1);
  for (dpn::StackSymbol top : fact.seen.collected) text += ", collects " + std::string{network.stacks().name(top)};
  const auto put = [&](const std::string& what, const Locks& locks) {
    if (!locks.empty()) text += ", " + what + " " + set_text(network, locks);
  };
  put("own uses", structure.own_uses);
  for (std::size_t i = 0; i < structure.phases.size(); ++i) {
    const PhaseLocks& phase = structure.phases[i];
    const std::string where = "in phase " + std::to_string(i + 1) + " ";
    put(where + "acquires", phase.acquired);
    put(where + "uses", phase.used);
    put(where + "keeps", phase.held);
    for (const auto& [lock, after] : phase.acquisition)
      put(where + "after " + std::string{network.locks().name(lock)} + " uses", after);
    for (const auto& [lock, before] : phase.release)
      put(where + "before it releases " + std::string{network.locks().name(lock)} + " uses", before);
  }
  return "[" + text + "]";
}

}  // namespace lockwood::verify
