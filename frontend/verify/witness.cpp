#include <algorithm>
#include <map>

#include "dpn/replay.hpp"
#include "dpn/text_format.hpp"
#include "frontend/verify/proof.hpp"

namespace lockwood::verify {
namespace {

// Threads are named by their paths of spawns and numbered in the order of their creation, rules are lines of the model.
std::vector<std::vector<dpn::Move>> moves_of(const dpn::Network& network, const Schedule& schedule) {
  std::map<std::string, dpn::RuleId> rules;
  for (dpn::RuleId rule : network.rules().keys()) rules.emplace(dpn::to_text(network, network.rule(rule)), rule);
  std::map<std::string, std::size_t> threads{{"main", 0}};
  std::map<std::string, std::size_t> spawned;  // how many threads each one has spawned
  std::vector<std::vector<dpn::Move>> phases;
  for (const auto& steps : schedule) {
    phases.emplace_back();
    for (const auto& [thread, text] : steps) {
      if (!threads.contains(thread))
        throw InputError{"", "there is no thread '" + thread + "' yet when it does a step"};
      if (!rules.contains(text)) throw InputError{"", "the model has no rule " + text};
      const dpn::RuleId rule = rules.at(text);
      phases.back().push_back({dpn::ThreadId{threads.at(thread)}, rule});
      if (network.rule(rule).kind() == dpn::RuleKind::Spawn)
        threads.emplace(thread + '.' + std::to_string(++spawned[thread]), threads.size());
    }
  }
  return phases;
}

// The first goal for which no thread is left, if the goals are to be met by different threads: augmenting paths, whose
// depth is bounded by the number of goals.
class Assignment {
 public:
  Assignment(const dpn::Network& network, const std::vector<StandGoal>& goals, const dpn::Configuration& reached)
      : threads_(goals.size()) {
    for (dpn::ThreadId id : reached.threads.keys()) {
      const dpn::Thread& thread = reached.threads[id];
      if (thread.ended()) continue;
      Names held;
      for (dpn::Lock lock : dpn::held_locks(thread)) held.emplace(network.locks().name(lock));
      for (std::size_t goal = 0; goal < goals.size(); ++goal)
        if (meets(network, thread.head(), held, goals[goal])) threads_[goal].push_back(id);
    }
  }
  std::optional<std::size_t> first_unmet() {
    for (std::size_t goal = 0; goal < threads_.size(); ++goal) {
      asked_.clear();
      if (!assign(goal)) return goal;
    }
    return std::nullopt;
  }

 private:
  bool assign(std::size_t goal) {
    for (dpn::ThreadId thread : threads_[goal]) {
      if (!asked_.insert(thread).second) continue;
      const auto taken = goal_of_.find(thread);
      if (taken != goal_of_.end() && !assign(taken->second)) continue;
      goal_of_[thread] = goal;
      return true;
    }
    return false;
  }

  std::vector<std::vector<dpn::ThreadId>> threads_;  // by goal: those that meet it
  std::map<dpn::ThreadId, std::size_t> goal_of_;
  std::set<dpn::ThreadId> asked_;
};

std::optional<std::string> actions_flaw(const dpn::Network& network, const Phase& phase,
                                        const std::vector<dpn::Move>& moves) {
  Names done;
  for (const dpn::Move& move : moves) done.emplace(network.actions().name(network.rule(move.rule).action));
  for (const std::string& action : phase.avoiding)
    if (done.contains(action)) return "the avoided action " + action + " is done";
  for (std::size_t i = 0; i < phase.fired.size(); ++i)
    if (std::ranges::none_of(phase.fired[i], [&](const std::string& action) { return done.contains(action); }))
      return "no action of the required set number " + std::to_string(i + 1) + " is done";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> schedule_flaw(const dpn::Network& network, const Proof& witness) {
  const Problem& problem = witness.problem;
  if (witness.answer.size() != problem.collect.size() || !collectable(problem, witness.answer))
    return "the answer has not a symbol of its own for each set that the problem collects";
  const auto phases = moves_of(network, *witness.schedule);
  const auto semantics = problem.lock_sensitive ? dpn::Semantics::LockSensitive : dpn::Semantics::LockInsensitive;
  std::vector<dpn::Move> moves;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    moves.insert(moves.end(), phases[i].begin(), phases[i].end());
    const std::string where = "in phase " + std::to_string(i + 1) + " ";
    const dpn::Replay replayed = dpn::replay(network, moves, semantics);
    if (replayed.error) return dpn::to_text(*replayed.error);
    if (const auto flaw = actions_flaw(network, problem.phases[i], phases[i])) return where + *flaw;
    std::vector<StandGoal> goals = problem.phases[i].standing;
    if (i + 1 == phases.size())
      for (const std::string& top : witness.answer) goals.push_back({.tops = Names{top}, .holding = {}, .wanting = {}});
    if (const auto goal = Assignment{network, goals, replayed.configuration}.first_unmet())
      return where + "no thread of its own stands at the goal number " + std::to_string(*goal + 1);
  }
  return std::nullopt;
}

}  // namespace lockwood::verify
