#include "verify/table.hpp"

namespace lockwood::verify {
namespace {

using namespace problem;

Atom read_atom(const dpn::Network& network, std::size_t phases, const Json& json) {
  const std::string kind = list(json).empty() ? "" : text(json[0]);
  const bool edge = kind == "G" || kind == "R";
  if (!edge && kind != "A" && kind != "U" && kind != "H" && kind != "M") reject(json, "there is no such component");
  if (json.size() != (edge ? 4 : 3)) reject(json, "an element of a lock structure has an odd length");
  Atom atom{kind[0], number(json[1], phases, "phase"), symbol(network.locks(), json[2])};
  if (edge) atom.y = symbol(network.locks(), json[3]);
  return atom;
}

}  // namespace

Table::Table(const dpn::Network& network, const Problem& problem, const Object& proof, StopToken stop_by)
    : stop{stop_by} {
  const std::size_t phases = problem.phases.size();
  std::size_t count = 0;  // of goals
  for (const Phase& phase : problem.phases) {
    for (const auto& observer : phase.observers) observers.emplace_back(first_goal.size(), observer.get());
    first_goal.push_back(std::uint64_t{1} << count % 64);
    count += phase.standing.size() + phase.fired.size();
  }
  if (count > 0) goals = ~std::uint64_t{0} >> (64 - count);
  for (const Json& answer : proof.list("answers")) {
    conceded.insert(sorted_symbols(network.stacks(), answer));
    if (!problem.collect || answer.size() != problem.collect->among.size()) reject(answer, "this has an odd length");
  }
  std::vector<Number> numbers;  // of the structures in the file
  for (const Json& json : proof.list("structures")) {
    Structure structure;
    for (const Json& atom : list(json)) structure.insert(read_atom(network, phases, atom));
    numbers.push_back(structures.number_of(std::move(structure)));
  }
  for (const Json& json : proof.list("contexts")) {
    const Object object{json, {"control", "top", "held", "phase", "facts"}};
    const auto held = symbols(network.locks(), object.list("held"));
    const Context context{{symbol(network.controls(), object["control"]), symbol(network.stacks(), object["top"])},
                          {held.begin(), held.end()},
                          number(object["phase"], phases, "phase")};
    const auto [at, fresh] = contexts.try_emplace(context);
    if (!fresh) reject(json, "a context is there twice");
    stop.check();
    for (const Json& item : object.list("facts")) {
      const Object entry{item, {"returned", "goals", "collected", "states", "structure"}};
      Fact fact{.collected = sorted_symbols(network.stacks(), entry.list("collected"))};
      if (entry.has("returned")) {
        const Json& returned = list(entry["returned"]);
        if (returned.size() != 2) reject(returned, "this should be a control state and a phase");
        fact.outcome = {symbol(network.controls(), returned[0]), number(returned[1], phases, "phase")};
      }
      for (const Json& goal : entry.list("goals")) fact.goals |= std::uint64_t{1} << number(goal, count, "goal");
      if (entry.list("states").size() != observers.size()) reject(item, "a fact has not a state for each observer");
      for (const auto& [phase, observer] : observers) {
        const Json& state = entry["states"][fact.states.size()];
        if (state.is_null() != (phase < context.phase)) reject(state, "this state is missing or superfluous");
        fact.states.emplace_back();
        if (!state.is_null())
          fact.states.back() = static_cast<Observer::State>(number(state, observer->state_count(), "state"));
      }
      const auto locks = numbers[number(entry["structure"], numbers.size(), "structure")];
      if (!locks) continue;  // it would cover nothing
      fact.locks = *locks;
      at->second.insert(std::move(fact));
    }
  }
}

}  // namespace lockwood::verify
