#include "solver/query/witness_json.hpp"

#include <map>

#include "dpn/formats/schedule_text.hpp"
#include "dpn/formats/text_format.hpp"

namespace lockwood::problem {

// Rules as lines of the model: what people read may be the same for different rules.
nlohmann::ordered_json witness_json(const dpn::Network& network, const Problem& problem, const dpn::Schedule& schedule,
                                    const std::vector<dpn::StackSymbol>& answer, StopToken stop) {
  nlohmann::ordered_json written;
  written["schema"] = "lockwood/witness/1";
  written["claim"] = "reachable";
  written["problem"] = problem_json(network, problem);
  if (problem.collect) written["answer"] = names(network.stack_symbols(), answer);
  nlohmann::ordered_json& steps = (written["schedule"] = dpn::schedule_json(network, schedule, stop))["steps"];
  for (std::size_t i = 0; i < schedule.moves.size(); ++i) {
    stop.check();
    steps[i]["rule"] = dpn::to_text(network, network.rule(schedule.moves[i].rule));
  }
  return written;
}

// Threads are named by their paths of spawns and numbered in the order of their creation. What else than phase, thread
// and rule is described of a step is for people.
dpn::Schedule read_schedule(const dpn::Network& network, const Problem& problem, const Json& json, StopToken stop) {
  std::map<std::string, dpn::RuleId> rules;
  for (dpn::RuleId rule : network.rules().keys()) {
    stop.check();
    rules.emplace(dpn::to_text(network, network.rule(rule)), rule);
  }
  std::map<std::string, dpn::ThreadId> threads{{"main", dpn::main_thread}};
  std::map<std::string, std::size_t> spawned;  // how many threads each one has spawned
  dpn::Schedule schedule;
  for (const Json& item : list(Object{json, {"phases", "steps", "threads"}}["steps"])) {
    stop.check();
    const Object step{
        item, {"step", "phase", "thread", "action", "rule", "spawns", "acquires", "reenters", "releases", "ends"}};
    const std::size_t phase = number(step["phase"], problem.phases.size(), "phase");
    if (phase < schedule.cuts.size()) reject(step["phase"], "this is before the phase of the last step");
    schedule.cuts.resize(phase, schedule.moves.size());
    const std::string& name = text(step["thread"]);
    const auto thread = threads.find(name);
    if (thread == threads.end()) reject(step["thread"], "there is no thread '" + shown_name(name) + "' yet");
    const auto rule = rules.find(text(step["rule"]));
    if (rule == rules.end()) reject(step["rule"], "the model has no such rule");
    schedule.moves.push_back({thread->second, rule->second});
    if (network.rule(rule->second).kind() == dpn::RuleKind::Spawn)
      threads.emplace(name + '.' + std::to_string(++spawned[name]), threads.size());
  }
  schedule.cuts.resize(problem.phases.size() - 1, schedule.moves.size());
  return schedule;
}

}  // namespace lockwood::problem
