#include "solver/proofs/certificate.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

#include "solver/query/named_json.hpp"

namespace lockwood::solver {
namespace {

using nlohmann::ordered_json;
using problem::names;

// Members that are empty are left out: certificates are large.
void put(ordered_json& object, const char* member, ordered_json value) {
  if (!value.empty()) object[member] = std::move(value);
}

std::vector<Lock> members(const LockSet& set) {
  std::vector<Lock> locks;
  set.for_each([&](Lock lock) { locks.push_back(lock); });
  return locks;
}

// A lock structure as the list of its elements, [component, phase, lock] or [component, phase, lock, lock].
class StructureWriter {
 public:
  StructureWriter(const dpn::Network& network, const LockStructure& structure, Outcome outcome) : network_{network} {
    for (PhaseIndex i = 0; i < structure.phases.size(); ++i) {
      const PhaseLocks& phase = structure.phases[i];
      add("A", i, phase.acquired);
      add("U", i, phase.used);
      add("H", i, phase.held);
      add("G", i, phase.acquisition);
      add("R", i, phase.release);
    }
    if (outcome.has_returned()) add("M", outcome.phase(), structure.own_uses);
    add_groups(structure.groups, structure.phases.size());
  }
  [[nodiscard]] ordered_json written() && { return std::move(elements_); }

 private:
  [[nodiscard]] std::string_view name(Lock lock) const { return network_.locks().name(lock); }
  void add(const char* component, PhaseIndex phase, const LockSet& locks) {
    for (Lock lock : members(locks)) elements_.push_back({component, phase + 1, name(lock)});
  }
  void add(const char* component, PhaseIndex phase, const LockOrder& order) {
    for (const auto& [lock, related] : order.rows())
      for (Lock other : members(related)) elements_.push_back({component, phase + 1, name(lock), name(other)});
  }
  void add_groups(const GroupStructure& groups, PhaseIndex phases) {
    const auto name_of = [&](Group group) { return network_.groups().name(group); };
    const auto written = [&](EndPhase end) { return end == never ? phases + 1 : std::size_t{end} + 1; };
    for (const GroupStructure::Left& left : groups.left) {
      elements_.push_back({"E", written(left.last_end), name_of(left.group)});
      for (PhaseIndex i = 0; i < phases; ++i)
        for (Lock lock : members(left.uses[i])) elements_.push_back({"P", i + 1, name_of(left.group), name(lock)});
    }
    for (const GroupStructure::First& first : groups.first) {
      if (!first.joined) {
        elements_.push_back({"F", name_of(first.group)});
        continue;
      }
      elements_.push_back({"J", *first.joined + 1, name_of(first.group)});
      for (Lock lock : members(first.released)) elements_.push_back({"Q", name_of(first.group), name(lock)});
    }
    if (groups.offspring_end) elements_.push_back({"O", written(*groups.offspring_end)});
  }

  const dpn::Network& network_;
  ordered_json elements_ = ordered_json::array();
};

ordered_json goals(std::uint64_t bits) {
  ordered_json list = ordered_json::array();
  for (; bits != 0; bits &= bits - 1) list.push_back(std::countr_zero(bits) + 1);
  return list;
}

ordered_json states(const std::vector<ObservationAlgebra::Seen>& seen) {
  ordered_json list = ordered_json::array();
  for (const auto& [observer, state] : seen) list.push_back(state ? ordered_json(*state + 1) : ordered_json(nullptr));
  return list;
}

// Who waits for whom in joins: docs/certificates.md.
ordered_json waits_json(const dpn::Network& network, const Waits& waits) {
  ordered_json list = ordered_json::array();
  const auto name = [&](Group group) { return network.groups().name(group); };
  if (waits.need) list.push_back({waits.need->between ? "B" : "N", waits.need->pair + 1, name(waits.need->group)});
  if (waits.leads) list.push_back({"L", *waits.leads + 1});
  for (const auto& [pair, group] : waits.offers) list.push_back({"O", pair + 1, name(group)});
  for (const std::uint32_t pair : waits.offspring) list.push_back({"I", pair + 1});
  for (const Group group : waits.emptied) list.push_back({"F", name(group)});
  return list;
}

// A goal asks for holding or wanting it.
bool asked_for(const Problem& problem, Lock lock) {
  const auto by = [lock](const StandGoal& goal) { return goal.holding == lock || goal.wanting == lock; };
  return std::ranges::any_of(problem.phases,
                             [&](const Phase& phase) { return std::ranges::any_of(phase.standing, by); });
}

}  // namespace

ordered_json certificate(const dpn::Network& network, const Problem& problem, const Engine& engine,
                         const LockFlags* respected, StopToken stop) {
  ordered_json written;
  written["schema"] = "lockwood/certificate/2";
  written["claim"] = "unreachable";
  written["problem"] = problem_json(network, problem);
  if (respected != nullptr) {
    ordered_json& locks = written["locks"] = ordered_json::array();
    for (Lock lock : respected->keys())
      if ((*respected)[lock] || asked_for(problem, lock)) locks.push_back(network.locks().name(lock));
  }
  if (problem.collect) {
    ordered_json& answers = written["answers"] = ordered_json::array();
    for (FactId fact : engine.answers())
      answers.push_back(names(network.stack_symbols(), collected_symbols(engine.facts()[fact].observation)));
  }

  ordered_json structures = ordered_json::array();
  // Only those that the facts below mention. With own uses, the phase in which they happened is part of the structure.
  std::map<std::pair<StructureId, Outcome>, std::size_t> numbers;
  const auto number = [&](const Fact& fact) {
    const LockStructure& structure = engine.domain().structure(fact.locks);
    const Outcome outcome = structure.own_uses.empty() ? Outcome::standing() : fact.outcome;
    const auto [at, inserted] = numbers.try_emplace({fact.locks, outcome}, numbers.size() + 1);
    if (inserted) structures.push_back(StructureWriter{network, structure, fact.outcome}.written());
    return at->second;
  };
  ordered_json contexts = ordered_json::array();
  for (ContextId id : engine.contexts().keys()) {
    const Context& context = engine.contexts()[id];
    if (context.whole_thread) continue;  // they repeat what the others say
    stop.check();
    ordered_json& object = contexts.emplace_back(ordered_json::object());
    object["control"] = network.control_states().name(context.head.control);
    object["top"] = network.stack_symbols().name(context.head.top);
    put(object, "held", names(network.locks(), members(engine.domain().lock_set(context.held))));
    object["phase"] = context.phase + 1;
    ordered_json facts = ordered_json::array();
    for (FactId fact_id : engine.essential_facts(id)) {
      const Fact& fact = engine.facts()[fact_id];
      ordered_json& entry = facts.emplace_back(ordered_json::object());
      if (fact.outcome.has_returned())
        entry["returned"] = {network.control_states().name(fact.outcome.control()), fact.outcome.phase() + 1};
      put(entry, "goals", goals(fact.observation.goals));
      put(entry, "collected", names(network.stack_symbols(), collected_symbols(fact.observation)));
      put(entry, "states", states(engine.algebra().seen(fact.observation, context.phase)));
      put(entry, "waits", waits_json(network, engine.algebra().waits(fact.observation)));
      entry["structure"] = number(fact);
    }
    put(object, "facts", std::move(facts));
  }
  written["structures"] = std::move(structures);
  written["contexts"] = std::move(contexts);
  return written;
}

}  // namespace lockwood::solver
