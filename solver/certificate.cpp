#include "solver/certificate.hpp"

#include <bit>
#include <map>
#include <string>

#include "dpn/schedule_text.hpp"
#include "dpn/text_format.hpp"

namespace lockwood::solver {
namespace {

using nlohmann::ordered_json;

// Members that are empty are left out: certificates are large.
void put(ordered_json& object, const char* member, ordered_json value) {
  if (!value.empty()) object[member] = std::move(value);
}

class Writer {
 public:
  explicit Writer(const dpn::Network& network) : network_{network} {}

  template <class Key>
  [[nodiscard]] ordered_json names(const std::vector<Key>& keys) const {
    ordered_json list = ordered_json::array();
    for (Key key : keys) list.push_back(name(key));
    return list;
  }
  [[nodiscard]] std::string name(dpn::ControlState key) const { return std::string{network_.controls().name(key)}; }
  [[nodiscard]] std::string name(dpn::StackSymbol key) const { return std::string{network_.stacks().name(key)}; }
  [[nodiscard]] std::string name(dpn::Action key) const { return std::string{network_.actions().name(key)}; }
  [[nodiscard]] std::string name(Lock key) const { return std::string{network_.locks().name(key)}; }

  [[nodiscard]] ordered_json locks(const LockSet& set) const {
    ordered_json list = ordered_json::array();
    set.for_each([&](Lock lock) { list.push_back(name(lock)); });
    return list;
  }
  [[nodiscard]] ordered_json order(const LockOrder& order) const {
    ordered_json pairs = ordered_json::array();
    for (const auto& [lock, related] : order.rows())
      related.for_each([&, from = name(lock)](Lock to) { pairs.push_back(ordered_json::array({from, name(to)})); });
    return pairs;
  }
  [[nodiscard]] ordered_json structure(const LockStructure& structure) const {
    ordered_json phases = ordered_json::array();
    for (const PhaseLocks& phase : structure.phases) {
      ordered_json& written = phases.emplace_back(ordered_json::object());
      put(written, "acquired", locks(phase.acquired));
      put(written, "used", locks(phase.used));
      put(written, "held", locks(phase.held));
      put(written, "acquisition", order(phase.acquisition));
      put(written, "release", order(phase.release));
    }
    ordered_json written = ordered_json::object();
    put(written, "own_uses", locks(structure.own_uses));
    written["phases"] = std::move(phases);
    return written;
  }

 private:
  const dpn::Network& network_;
};

ordered_json goals(std::uint64_t bits) {
  ordered_json list = ordered_json::array();
  for (; bits != 0; bits &= bits - 1) list.push_back(std::countr_zero(bits) + 1);
  return list;
}

ordered_json states(const std::vector<ObservationAlgebra::Seen>& seen) {
  ordered_json list = ordered_json::array();
  for (const auto& [observer, state] : seen)
    list.push_back(state ? ordered_json(observer->state_name(*state)) : ordered_json(nullptr));
  return list;
}

}  // namespace

ordered_json problem_json(const dpn::Network& network, const Problem& problem) {
  const Writer writer{network};
  ordered_json written;
  written["semantics"] = problem.semantics == dpn::Semantics::LockSensitive ? "lock-sensitive" : "lock-insensitive";
  ordered_json& phases = written["phases"] = ordered_json::array();
  for (const Phase& phase : problem.phases) {
    ordered_json& object = phases.emplace_back(ordered_json::object());
    put(object, "avoiding", writer.names(phase.avoiding));
    ordered_json standing = ordered_json::array();
    for (const StandGoal& goal : phase.standing) {
      ordered_json& entry = standing.emplace_back(ordered_json::object());
      if (goal.tops) entry["tops"] = writer.names(*goal.tops);
      if (goal.holding) entry["holding"] = writer.name(*goal.holding);
      if (goal.wanting) entry["wanting"] = writer.name(*goal.wanting);
    }
    put(object, "standing", std::move(standing));
    ordered_json fired = ordered_json::array();
    for (const auto& actions : phase.fired) fired.push_back(writer.names(actions));
    put(object, "fired", std::move(fired));
    ordered_json observers = ordered_json::array();
    for (const auto& observer : phase.observers) observers.push_back(observer->to_timbuk());
    put(object, "observers", std::move(observers));
  }
  if (problem.collect) {
    ordered_json& collect = written["collect"] = ordered_json::array();
    for (const auto& tops : problem.collect->among) collect.push_back(writer.names(tops));
  }
  return written;
}

ordered_json certificate(const dpn::Network& network, const Problem& problem, const Engine& engine) {
  const Writer writer{network};
  ordered_json written;
  written["schema"] = "lockwood/certificate/1";
  written["claim"] = "unreachable";
  written["problem"] = problem_json(network, problem);
  if (problem.collect) {
    ordered_json& answers = written["answers"] = ordered_json::array();
    for (FactId fact : engine.answers())
      answers.push_back(writer.names(collected_symbols(engine.facts()[fact].observation)));
  }

  ordered_json structures = ordered_json::array();
  std::map<StructureId, std::size_t> numbers;  // only those that the facts below mention
  const auto number = [&](StructureId id) {
    const auto [at, inserted] = numbers.try_emplace(id, numbers.size());
    if (inserted) structures.push_back(writer.structure(engine.domain().structure(id)));
    return at->second;
  };
  ordered_json contexts = ordered_json::array();
  for (ContextId id : engine.contexts().keys()) {
    const Context& context = engine.contexts()[id];
    ordered_json& object = contexts.emplace_back(ordered_json::object());
    object["control"] = writer.name(context.head.control);
    object["top"] = writer.name(context.head.top);
    put(object, "held", writer.locks(engine.domain().lock_set(context.held)));
    object["phase"] = context.phase + 1;
    if (context.whole_thread) object["thread"] = true;
    ordered_json facts = ordered_json::array();
    for (FactId fact_id : engine.essential_facts(id)) {
      const Fact& fact = engine.facts()[fact_id];
      ordered_json& entry = facts.emplace_back(ordered_json::object());
      if (fact.outcome.has_returned())
        entry["returned"] = {{"control", writer.name(fact.outcome.control())}, {"phase", fact.outcome.phase() + 1}};
      put(entry, "goals", goals(fact.observation.goals));
      put(entry, "collected", writer.names(collected_symbols(fact.observation)));
      put(entry, "states", states(engine.algebra().seen(fact.observation, context.phase)));
      entry["structure"] = number(fact.locks);
    }
    put(object, "facts", std::move(facts));
  }
  written["structures"] = std::move(structures);
  written["contexts"] = std::move(contexts);
  return written;
}

// Rules as lines of the model: what people read may be the same for different rules.
ordered_json witness(const dpn::Network& network, const Problem& problem, const dpn::Schedule& schedule,
                     const std::vector<dpn::StackSymbol>& answer) {
  const Writer writer{network};
  ordered_json written;
  written["schema"] = "lockwood/witness/1";
  written["claim"] = "reachable";
  written["problem"] = problem_json(network, problem);
  if (problem.collect) written["answer"] = writer.names(answer);
  ordered_json& steps = (written["schedule"] = dpn::schedule_json(network, schedule))["steps"];
  for (std::size_t i = 0; i < schedule.moves.size(); ++i)
    steps[i]["rule"] = dpn::to_text(network, network.rule(schedule.moves[i].rule));
  return written;
}

}  // namespace lockwood::solver
