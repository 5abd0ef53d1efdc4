#include "verify/table.hpp"

namespace lockwood::verify {
namespace {

using namespace problem;

PhaseIndex phase_of(const Json& json, PhaseIndex phases) { return number(json, phases, "phase"); }

// More about a group of which another element has to speak, too.
bool is_further(const Json& element) {
  return !list(element).empty() && (says(element[0], "P") || says(element[0], "Q"));
}

// Adds an element to the structure; docs/certificates.md lists them.
void read_element(const dpn::Network& network, PhaseIndex phases, const Json& json, Structure& structure) {
  const std::string kind = list(json).empty() ? "" : text(json[0]);
  const auto expect_length = [&](std::size_t length) {
    if (json.size() != length) reject(json, "an element of a structure has an odd length");
  };
  const auto lock = [&](std::size_t i) { return symbol(network.locks(), json[i]); };
  const auto group = [&](std::size_t i) { return symbol(network.groups(), json[i]); };
  if (kind == "A" || kind == "U" || kind == "H" || kind == "M") {
    expect_length(3);
    structure.locks.insert({kind[0], phase_of(json[1], phases), lock(2)});
  } else if (kind == "G" || kind == "R") {
    expect_length(4);
    structure.locks.insert({kind[0], phase_of(json[1], phases), lock(2), lock(3)});
  } else if (kind == "E") {
    expect_length(3);
    const auto [at, fresh] = structure.started.try_emplace(group(2), Started{phase_of(json[1], phases + 1), {}});
    if (!fresh) reject(json, "the members of a group end twice");
  } else if (kind == "P") {
    expect_length(4);
    const auto members = structure.started.find(group(2));
    if (members == structure.started.end()) reject(json, "its group has no E");
    members->second.uses.emplace(phase_of(json[1], phases), lock(3));
  } else if (kind == "J" || kind == "F") {
    const bool joined = kind == "J";
    expect_length(joined ? 3 : 2);
    const First first{joined ? std::optional{phase_of(json[1], phases)} : std::nullopt, {}};
    if (!structure.first.try_emplace(group(joined ? 2 : 1), first).second)
      reject(json, "two things happen first to a group");
  } else if (kind == "Q") {
    expect_length(3);
    const auto first = structure.first.find(group(1));
    if (first == structure.first.end() || !first->second.joined_in) reject(json, "its group has no J");
    first->second.released.insert(lock(2));
  } else if (kind == "O") {
    expect_length(2);
    if (structure.offspring) reject(json, "the offspring ends twice");
    structure.offspring = phase_of(json[1], phases + 1);
  } else {
    reject(json, "there is no such component");
  }
}

Waits read_waits(const dpn::Network& network, const std::vector<Awaiting>& pairs, bool stands, const Json& json) {
  Waits waits;
  for (const Json& element : json) {
    const std::string kind = list(element).empty() ? "" : text(element[0]);
    if (kind.size() != 1 || std::string{"NBLOIF"}.find(kind) == std::string::npos)
      reject(element, "there is no such component");
    const bool of_group = kind != "L" && kind != "I";
    const bool of_pair = kind != "F";
    if (element.size() != 1U + (of_pair ? 1U : 0U) + (of_group ? 1U : 0U)) reject(element, "this has an odd length");
    if (stands ? kind == "O" || kind == "F" : kind == "N" || kind == "B" || kind == "L")
      reject(element, "this cannot be of a thread that ends so");
    waits.insert({kind[0], of_pair ? number(element[1], pairs.size(), "pair of goals") : 0,
                  of_group ? std::optional{symbol(network.groups(), element.back())} : std::nullopt});
  }
  return waits;
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
    conceded.insert(sorted_symbols(network.stack_symbols(), answer));
    if (!problem.collect || answer.size() != problem.collect->among.size()) reject(answer, "this has an odd length");
  }
  std::vector<Number> numbers;  // of the structures in the file
  for (const Json& json : proof.list("structures")) {
    Structure structure;
    for (const bool further : {false, true})  // first what P and Q are about
      for (const Json& element : list(json))
        if (further == is_further(element)) read_element(network, phases, element, structure);
    numbers.push_back(structures.number_of(std::move(structure)));
  }
  for (const Json& json : proof.list("contexts")) {
    const Object object{json, {"control", "top", "held", "phase", "facts"}};
    const auto held = symbols(network.locks(), object.list("held"));
    const Context context{
        {symbol(network.control_states(), object["control"]), symbol(network.stack_symbols(), object["top"])},
        {held.begin(), held.end()},
        number(object["phase"], phases, "phase")};
    const auto [at, fresh] = contexts.try_emplace(context);
    if (!fresh) reject(json, "a context is there twice");
    stop.check();
    for (const Json& item : object.list("facts")) {
      const Object entry{item, {"returned", "goals", "collected", "states", "waits", "structure"}};
      Fact fact{.collected = sorted_symbols(network.stack_symbols(), entry.list("collected"))};
      if (entry.has("returned")) {
        const Json& returned = list(entry["returned"]);
        if (returned.size() != 2) reject(returned, "this should be a control state and a phase");
        fact.outcome = {symbol(network.control_states(), returned[0]), number(returned[1], phases, "phase")};
      }
      fact.waits = read_waits(network, problem.phases.back().awaiting, !fact.outcome, entry.list("waits"));
      for (const Json& goal : entry.list("goals")) fact.goals |= std::uint64_t{1} << number(goal, count, "goal");
      if (entry.list("states").size() != observers.size()) reject(item, "a fact has not a state for each observer");
      for (const auto& [phase, observer] : observers) {
        const Json& state = entry["states"][fact.states.size()];
        if (state.is_null() != (phase < context.phase)) reject(state, "this state is missing or superfluous");
        fact.states.emplace_back();
        if (!state.is_null())
          fact.states.back() = static_cast<Observer::State>(number(state, observer->state_count(), "state"));
      }
      const auto structure = numbers[number(entry["structure"], numbers.size(), "structure")];
      if (!structure) continue;  // it would cover nothing
      if (!fact.outcome && !structures[*structure].started.empty())
        reject(entry["structure"], "nobody joins what was started by a thread that does not return: P and E are empty");
      fact.structure = *structure;
      at->second.insert(std::move(fact));
    }
  }
}

}  // namespace lockwood::verify
