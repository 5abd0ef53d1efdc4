#include "solver/query/problem_json.hpp"

#include "base/text/diagnostic.hpp"
#include "solver/query/named_json.hpp"
#include "treeauto/formats/timbuk.hpp"

namespace lockwood::problem {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t goal_limit = 64;  // they are bits of a word

// What is empty is left out.
void put(ordered_json& object, const char* member, ordered_json value) {
  if (!value.empty()) object[member] = std::move(value);
}

ordered_json written(const dpn::Network& network, const Phase& phase) {
  ordered_json object = ordered_json::object();
  put(object, "avoiding", names(network.actions(), phase.avoiding));
  ordered_json standing = ordered_json::array();
  for (const StandGoal& goal : phase.standing) {
    ordered_json& entry = standing.emplace_back(ordered_json::object());
    if (goal.tops) entry["tops"] = names(network.stack_symbols(), *goal.tops);
    if (goal.holding) entry["holding"] = network.locks().name(*goal.holding);
    if (goal.wanting) entry["wanting"] = network.locks().name(*goal.wanting);
    if (goal.joining) entry["joining"] = true;
  }
  put(object, "standing", std::move(standing));
  ordered_json fired = ordered_json::array();
  for (const auto& actions : phase.fired) fired.push_back(names(network.actions(), actions));
  put(object, "fired", std::move(fired));
  ordered_json observers = ordered_json::array();
  for (const auto& observer : phase.observers) observers.push_back(observer->to_timbuk());
  put(object, "observers", std::move(observers));
  ordered_json awaiting = ordered_json::array();
  for (const auto& [waiter, awaited] : phase.awaiting) awaiting.push_back({waiter + 1, awaited + 1});
  put(object, "awaiting", std::move(awaiting));
  return object;
}

StandGoal read_goal(const dpn::Network& network, const Json& json) {
  const Object object{json, {"tops", "holding", "wanting", "joining"}};
  StandGoal goal;
  if (object.has("tops")) goal.tops = symbols(network.stack_symbols(), object["tops"]);
  if (object.has("holding")) goal.holding = symbol(network.locks(), object["holding"]);
  if (object.has("wanting")) goal.wanting = symbol(network.locks(), object["wanting"]);
  if (object.has("joining")) {
    expect(object["joining"].is_boolean(), object["joining"], "true or false");
    goal.joining = object["joining"].get<bool>();
  }
  return goal;
}

// Each goal occurs once at most, and who waits in a join is joining.
std::vector<Awaiting> read_awaiting(const std::vector<StandGoal>& goals, const Json& json) {
  std::vector<Awaiting> awaiting;
  std::vector<bool> seen(goals.size(), false);
  const auto goal = [&](const Json& value) {
    const std::size_t read = number(value, goals.size(), "goal of the phase");
    if (seen[read]) reject(value, "this goal is here twice");
    seen[read] = true;
    return read;
  };
  for (const Json& item : json) {
    if (list(item).size() != 2) reject(item, "this should be two goals");
    const std::size_t waiter = goal(item[0]);
    if (!goals[waiter].joining) reject(item[0], "this goal is not joining");
    awaiting.push_back({waiter, goal(item[1])});
  }
  return awaiting;
}

std::shared_ptr<Observer> read_observer(const std::shared_ptr<const dpn::TreeAlphabet>& alphabet, const Json& json) {
  try {
    return std::make_shared<Observer>(alphabet, treeauto::read_timbuk(text(json), "observer"), "observer");
  } catch (const InputError& error) {
    reject(json, error.diagnostics().front().message);
  }
}

}  // namespace

ordered_json problem_json(const dpn::Network& network, const Problem& problem) {
  ordered_json object;
  object["semantics"] = problem.semantics == dpn::Semantics::LockSensitive ? "lock-sensitive" : "lock-insensitive";
  ordered_json& phases = object["phases"] = ordered_json::array();
  for (const Phase& phase : problem.phases) phases.push_back(written(network, phase));
  if (problem.collect) {
    ordered_json& collect = object["collect"] = ordered_json::array();
    for (const auto& tops : problem.collect->among) collect.push_back(names(network.stack_symbols(), tops));
  }
  return object;
}

Problem read_problem(const dpn::Network& network, const Json& json) {
  const Object object{json, {"semantics", "phases", "collect"}};
  Problem problem;
  if (says(object["semantics"], "lock-insensitive")) {
    problem.semantics = dpn::Semantics::LockInsensitive;
  } else if (!says(object["semantics"], "lock-sensitive")) {
    reject(object["semantics"], "the semantics is neither lock-sensitive nor lock-insensitive");
  }
  std::shared_ptr<const dpn::TreeAlphabet> alphabet;  // made only if there are observers: it is large
  std::size_t goals = 0;
  for (const Json& item : object.list("phases")) {
    const Object read{item, {"avoiding", "standing", "fired", "observers", "awaiting"}};
    Phase& phase = problem.phases.emplace_back();
    phase.avoiding = symbols(network.actions(), read.list("avoiding"));
    for (const Json& goal : read.list("standing")) phase.standing.push_back(read_goal(network, goal));
    for (const Json& actions : read.list("fired")) phase.fired.push_back(symbols(network.actions(), actions));
    for (const Json& observer : read.list("observers")) {
      if (!alphabet) alphabet = std::make_shared<dpn::TreeAlphabet>(network);
      phase.observers.push_back(read_observer(alphabet, observer));
    }
    phase.awaiting = read_awaiting(phase.standing, read.list("awaiting"));
    if (!phase.awaiting.empty() && &item != &object.list("phases").back())
      reject(read["awaiting"], "only threads of the last phase can wait in joins for each other");
    goals += phase.standing.size() + phase.fired.size();
  }
  if (problem.phases.empty()) reject(json, "the problem has no phase");
  if (goals > goal_limit) reject(json, "the problem has more than 64 goals");
  if (!object.list("collect").empty()) problem.collect.emplace();
  for (const Json& tops : object.list("collect"))
    problem.collect->among.push_back(symbols(network.stack_symbols(), tops));
  if (object.list("collect").size() > 2) reject(object["collect"], "there are more than two sets for collecting");
  return problem;
}

}  // namespace lockwood::problem
