#include <algorithm>
#include <map>
#include <span>

#include "dpn/replay.hpp"
#include "dpn/text_format.hpp"
#include "frontend/verify/proof.hpp"

namespace lockwood::verify {
namespace {

struct Moves {
  std::vector<dpn::Move> all;
  std::vector<std::size_t> ends;  // of the phases
};

// Threads are named by their paths of spawns and numbered in the order of their creation, rules are lines of the model.
Moves read_moves(const dpn::Network& network, const Problem& problem, const JsonItem& schedule) {
  std::map<std::string, dpn::RuleId> rules;
  for (dpn::RuleId rule : network.rules().keys()) rules.emplace(dpn::to_text(network, network.rule(rule)), rule);
  std::map<std::string, std::size_t> threads{{"main", 0}};
  std::map<std::string, std::size_t> spawned;  // how many threads each one has spawned
  const std::size_t phases = problem.phases.size();
  (void)schedule.member("phases").number(1, phases);  // there are fewer if all threads ended before
  Moves moves;
  for (const JsonItem& step : schedule.member("steps").list()) {
    const std::size_t phase = step.member("phase").number(moves.ends.size() + 1, phases);
    while (moves.ends.size() + 1 < phase) moves.ends.push_back(moves.all.size());
    const std::string& name = step.member("thread").text();
    const auto thread = threads.find(name);
    if (thread == threads.end()) step.member("thread").reject("there is no thread '" + name + "' yet");
    const auto rule = rules.find(step.member("rule").text());
    if (rule == rules.end()) step.member("rule").reject("the model has no such rule");
    moves.all.push_back({dpn::ThreadId{thread->second}, rule->second});
    if (network.rule(rule->second).kind() == dpn::RuleKind::Spawn)
      threads.emplace(name + '.' + std::to_string(++spawned[name]), threads.size());
  }
  moves.ends.resize(phases, moves.all.size());
  return moves;
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
      const auto held = dpn::held_locks(thread);
      for (std::size_t goal = 0; goal < goals.size(); ++goal)
        if (meets(network, thread.head(), {held.begin(), held.end()}, goals[goal])) threads_[goal].push_back(id);
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
                                        std::span<const dpn::Move> moves) {
  const auto action = [&](const dpn::Move& move) { return network.rule(move.rule).action; };
  for (const dpn::Move& move : moves)
    if (phase.avoiding.contains(action(move)))
      return "the avoided action " + std::string{network.actions().name(action(move))} + " is done";
  for (std::size_t i = 0; i < phase.fired.size(); ++i)
    if (std::ranges::none_of(moves, [&](const dpn::Move& move) { return phase.fired[i].contains(action(move)); }))
      return "no action of the required set number " + std::to_string(i + 1) + " is done";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> schedule_flaw(const dpn::Network& network, const Problem& problem, const JsonItem& schedule,
                                         const std::vector<dpn::StackSymbol>& answer) {
  if (answer.size() != problem.collect.size() || !collectable(problem, answer))
    return "the answer has not a symbol of its own for each set that the problem collects";
  const Moves moves = read_moves(network, problem, schedule);
  for (std::size_t i = 0; i < problem.phases.size(); ++i) {
    const Phase& phase = problem.phases[i];
    const std::string where = "in phase " + std::to_string(i + 1) + " ";
    const std::span all{moves.all};
    const dpn::Replay replayed = dpn::replay(network, all.first(moves.ends[i]), problem.semantics);
    if (replayed.error) return dpn::to_text(*replayed.error);
    const std::size_t begin = i == 0 ? 0 : moves.ends[i - 1];
    if (const auto flaw = actions_flaw(network, phase, all.subspan(begin, moves.ends[i] - begin))) return where + *flaw;
    std::vector<StandGoal> goals = phase.standing;
    if (i + 1 == problem.phases.size())
      for (dpn::StackSymbol top : answer) goals.push_back({.tops = Tops{top}});
    if (const auto goal = Assignment{network, goals, replayed.configuration}.first_unmet())
      return where + "no thread of its own stands at the goal number " + std::to_string(*goal + 1);
  }
  return std::nullopt;
}

}  // namespace lockwood::verify
