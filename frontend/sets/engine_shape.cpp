#include "frontend/sets/engine_shape.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "frontend/sets/property_automata.hpp"
#include "solver/query/observer.hpp"

namespace lockwood::sets {
namespace {

constexpr std::size_t goal_limit = 64;  // of the engine, all phases together

// The members of an intersection.
struct Members {
  std::vector<const Property*> properties;
  const Set* base = nullptr;   // Initial or Successors
  const Set* ahead = nullptr;  // Predecessors
};

// Puts the members of the set together; the reason if that cannot be done.
std::optional<std::string> collect(const Set& root, Members& members) {
  std::vector<const Set*> waiting{&root};
  while (!waiting.empty()) {
    const Set* set = waiting.back();
    waiting.pop_back();
    if (is_universe(*set) || set == members.base || set == members.ahead) continue;
    if (const auto* property = std::get_if<Property>(&set->what)) {
      members.properties.push_back(property);
    } else if (const auto* both = std::get_if<Intersection>(&set->what)) {
      waiting.push_back(both->second.get());
      waiting.push_back(both->first.get());
    } else if (const auto* reduced = std::get_if<Reduced>(&set->what)) {
      waiting.push_back(reduced->of.get());
    } else if (std::holds_alternative<Union>(set->what)) {
      return "a union is not part of its questions";
    } else if (std::holds_alternative<Difference>(set->what)) {
      return "a difference is not part of its questions";
    } else if (std::holds_alternative<Complement>(set->what)) {
      return "a complement is not part of its questions";
    } else if (std::holds_alternative<Predecessors>(set->what)) {
      if (members.ahead != nullptr) return "an execution goes on in one way, and this intersects two pre*";
      members.ahead = set;
    } else if (members.base != nullptr) {
      return "an execution goes through one chain of post*, and this intersects two";
    } else {
      members.base = set;
    }
  }
  return std::nullopt;
}

// All that can be reached in this semantics.
bool is_everything(const Set& set, dpn::Semantics semantics) {
  const auto* successors = std::get_if<Successors>(&set.what);
  return successors != nullptr && std::holds_alternative<Initial>(successors->from->what) &&
         successors->semantics == semantics && successors->avoided.empty();
}

class PhaseMaker {
 public:
  PhaseMaker(const ModelPtr& model, StopToken stop) : model_{model}, stop_{stop} {}

  solver::Phase phase(const Members& members, std::vector<dpn::Action> avoided, bool is_first) {
    solver::Phase phase{.avoiding = std::move(avoided), .standing = {}, .fired = {}, .observers = {}};
    const Property* asked_by_goals = chosen(members);
    for (const Property* property : members.properties) {
      if (property == asked_by_goals)
        phase.standing = goals(*property);
      else if (is_first && std::holds_alternative<Fired>(*property))
        phase.fired.push_back(std::get<Fired>(*property).actions);  // at any time is in this phase
      else
        phase.observers.push_back(observer(*property));
    }
    goals_ += phase.standing.size() + phase.fired.size();
    return phase;
  }
  [[nodiscard]] std::size_t goals() const { return goals_; }

 private:
  // The property that would have the largest automaton.
  static const Property* chosen(const Members& members) {
    const Property* best = nullptr;
    std::size_t most = 0;
    for (const Property* property : members.properties)
      if (const std::size_t count = goals(*property).size(); count > most) {
        best = property;
        most = count;
      }
    return best;
  }

  static std::vector<solver::StandGoal> goals(const Property& property) {
    std::vector<solver::StandGoal> goals;
    if (const auto* standing = std::get_if<Standing>(&property))
      for (const auto& places : standing->places) goals.push_back({places, std::nullopt, std::nullopt});
    if (const auto* holding = std::get_if<Holding>(&property))
      goals.push_back({std::nullopt, holding->lock, std::nullopt});
    if (const auto* wanting = std::get_if<Wanting>(&property))
      goals.push_back({std::nullopt, std::nullopt, wanting->lock});
    return goals;
  }

  std::shared_ptr<const solver::Observer> observer(const Property& property) {
    const std::shared_ptr<const dpn::TreeAlphabet> alphabet{model_, &model_->alphabet};
    return std::make_shared<const solver::Observer>(alphabet, property_automaton(*model_, property, stop_), "observer");
  }

  const ModelPtr& model_;
  StopToken stop_;
  std::size_t goals_ = 0;
};

std::vector<dpn::Action> all_actions(const Model& model) {
  std::vector<dpn::Action> actions;
  for (dpn::Action action : model.network.actions().keys()) actions.push_back(action);
  return actions;
}

}  // namespace

std::variant<EngineShape, NoShape> engine_shape(const SetPtr& root, StopToken stop) {
  constexpr const char* one_semantics = "an execution has one semantics, and this goes on with another one";
  // From the last phase to the first.
  std::vector<Members> chain;
  std::optional<dpn::Semantics> semantics;
  for (const Set* set = root.get(); set != nullptr;) {
    Members& members = chain.emplace_back();
    if (const auto reason = collect(*set, members)) return NoShape{*reason};
    if (set != root.get() && members.ahead != nullptr)
      return NoShape{"an execution goes on in one way, and this goes on from where another way leads to a set"};
    const Set* base = members.base;
    set = nullptr;
    if (base == nullptr) continue;
    if (const auto* successors = std::get_if<Successors>(&base->what)) {
      if (semantics && *semantics != successors->semantics) return NoShape{one_semantics};
      semantics = successors->semantics;
      set = successors->from.get();
    }
  }
  // From the first phase after that of the root to the last.
  std::vector<Members> further;
  for (const Set* ahead = chain.front().ahead; ahead != nullptr; ahead = further.back().ahead) {
    const auto& predecessors = std::get<Predecessors>(ahead->what);
    if (semantics && *semantics != predecessors.semantics) return NoShape{one_semantics};
    semantics = predecessors.semantics;
    Members& members = further.emplace_back();
    if (const auto reason = collect(*predecessors.to, members)) return NoShape{*reason};
    // What is reached on the way is reachable.
    if (members.base != nullptr && !is_everything(*members.base, *semantics))
      return NoShape{"an execution has one beginning, and what pre* leads to has another one"};
  }
  const Set* ahead = chain.front().ahead;
  std::ranges::reverse(chain);

  // The universe is everything that can be reached if locks are ignored.
  solver::Problem problem{
      .semantics = semantics.value_or(dpn::Semantics::LockInsensitive), .phases = {}, .collect = {}};
  PhaseMaker maker{root->model, stop};
  for (const Members& members : chain) {
    const bool is_initial = members.base != nullptr && std::holds_alternative<Initial>(members.base->what);
    // An execution begins with the initial tree, anyway.
    if (is_initial && members.properties.empty() && chain.size() > 1) continue;
    std::vector<dpn::Action> avoided;
    if (is_initial)
      avoided = all_actions(*root->model);
    else if (members.base != nullptr)
      avoided = std::get<Successors>(members.base->what).avoided;
    problem.phases.push_back(maker.phase(members, std::move(avoided), problem.phases.empty()));
  }
  const auto phase = static_cast<std::uint32_t>(problem.phases.size() - 1);
  for (const Members& members : further) {
    problem.phases.push_back(maker.phase(members, std::get<Predecessors>(ahead->what).avoided, false));
    ahead = members.ahead;
  }
  if (maker.goals() > goal_limit) return NoShape{"it asks for more than 64 threads and actions"};
  return EngineShape{std::move(problem), phase};
}

}  // namespace lockwood::sets
