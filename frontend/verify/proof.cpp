#include "frontend/verify/proof.hpp"

#include <algorithm>

namespace lockwood::verify {

static void from_json(const Json& json, StandGoal& goal) {
  read_members(json, Member{"tops", goal.tops}, Member{"holding", goal.holding}, Member{"wanting", goal.wanting});
}
static void from_json(const Json& json, Phase& phase) {
  read_members(json, Member{"avoiding", phase.avoiding}, Member{"standing", phase.standing},
               Member{"fired", phase.fired});
}

namespace {

constexpr std::size_t goal_limit = 64;  // they are bits of a word

[[noreturn]] void reject(const std::string& message) { throw InputError{"", message}; }

// Reads what stands in a file about the network: names must be the network's, numbers in their range.
class Reader {
 public:
  explicit Reader(const dpn::Network& network) : network_{network} {}

  void problem(const Json& json) {
    std::string semantics;
    read_members(json, Member{"semantics", semantics}, Member{"phases", problem_.phases},
                 Member{"collect", problem_.collect});
    problem_.lock_sensitive = semantics == "lock-sensitive";
    if (!problem_.lock_sensitive && semantics != "lock-insensitive")
      reject("the semantics is neither lock-sensitive nor lock-insensitive");
    for (Phase& phase : problem_.phases) {
      known(network_.actions(), "action", phase.avoiding);
      for (const Names& actions : phase.fired) known(network_.actions(), "action", actions);
      for (const StandGoal& goal : phase.standing) {
        if (goal.tops) known(network_.stacks(), "stack symbol", *goal.tops);
        if (goal.holding) known(network_.locks(), "lock", Names{*goal.holding});
        if (goal.wanting) known(network_.locks(), "lock", Names{*goal.wanting});
      }
      phase.first_goal = problem_.goals;
      problem_.goals += phase.standing.size() + phase.fired.size();
    }
    for (const Names& tops : problem_.collect) known(network_.stacks(), "stack symbol", tops);
    if (problem_.phases.empty()) reject("the problem has no phase");
    if (problem_.goals > goal_limit) reject("the problem has more than " + std::to_string(goal_limit) + " goals");
    if (problem_.collect.size() > 2) reject("the problem has more than two sets for collecting");
  }

  void context(const Json& json) {
    Context context;
    Natural phase;
    const Json* facts = nullptr;
    read_members(json, Member{"control", context.control}, Member{"top", context.top}, Member{"held", context.held},
                 Member{"phase", phase}, Member{"thread", context.thread}, Member{"facts", facts});
    known(network_.controls(), "control state", Names{context.control});
    known(network_.stacks(), "stack symbol", Names{context.top});
    known(network_.locks(), "lock", context.held);
    context.phase = number(phase, problem_.phases.size(), "phase");
    const auto [at, fresh] = table_.contexts.try_emplace(context);
    if (!fresh) reject("a context of (" + context.control + ", " + context.top + ") is there twice");
    table_.order.push_back(context);
    for (const Json& item : elements(facts)) {
      Fact read = fact(item);
      at->second[read.outcome].push_back(std::move(read));
      ++table_.facts;
    }
  }

  Table table(std::vector<Structure> structures, const Json* contexts,
              const std::vector<std::vector<std::string>>& answers) && {
    table_.structures = std::move(structures);
    for (const Structure& structure : table_.structures)
      if (structure.phases.size() != problem_.phases.size()) reject("a structure has a wrong number of phases");
    for (const Json& item : elements(contexts)) context(item);
    for (const auto& answer : answers) {
      table_.conceded.insert(collected(answer));
      if (answer.empty() || answer.size() != problem_.collect.size()) reject("an answer has a wrong number of symbols");
    }
    return std::move(table_);
  }

  // The other members of steps are for people.
  [[nodiscard]] Schedule schedule(const Json& steps) const {
    Schedule schedule(problem_.phases.size());
    std::size_t last = 0;
    for (const Json& step : elements(&steps)) {
      const std::size_t phase = number(step.at("phase").get<Natural>(), schedule.size(), "phase");
      if (phase < last) reject("the phase of a step is less than that of the step before");
      last = phase;
      schedule[phase].emplace_back(step.at("thread").get<std::string>(), step.at("rule").get<std::string>());
    }
    return schedule;
  }

  [[nodiscard]] std::vector<std::string> collected(std::vector<std::string> symbols) const {
    known(network_.stacks(), "stack symbol", symbols);
    std::ranges::sort(symbols);
    return symbols;
  }
  [[nodiscard]] const Problem& read_problem() const { return problem_; }

 private:
  Fact fact(const Json& json) const {
    Fact fact;
    const Json* returned = nullptr;
    std::vector<Natural> goals;
    Natural structure{table_.structures.size()};
    read_members(json, Member{"returned", returned}, Member{"goals", goals}, Member{"collected", fact.seen.collected},
                 Member{"structure", structure});
    if (returned != nullptr) {
      std::string control;
      Natural phase;
      read_members(*returned, Member{"control", control}, Member{"phase", phase});
      known(network_.controls(), "control state", Names{control});
      fact.outcome = {control, number(phase, problem_.phases.size(), "phase")};
    }
    for (const Natural& goal : goals) fact.seen.goals |= std::uint64_t{1} << number(goal, problem_.goals, "goal");
    fact.seen.collected = collected(fact.seen.collected);
    if (structure.value >= table_.structures.size()) reject("a fact has no structure of the table");
    fact.structure = structure.value;
    return fact;
  }

  template <class Key, class Range>
  static void known(const dpn::Vocabulary<Key>& vocabulary, const char* kind, const Range& names) {
    for (const std::string& name : names)
      if (!vocabulary.find(name)) reject("the model has no " + std::string{kind} + " '" + name + "'");
  }
  // In files things are counted from 1.
  static std::size_t number(Natural read, std::size_t count, const char* what) {
    if (read.value == 0 || read.value > count)
      reject("there is no " + std::string{what} + " number " + std::to_string(read.value));
    return read.value - 1;
  }

  const dpn::Network& network_;
  Problem problem_;
  Table table_;
};

}  // namespace

Proof read_proof(const dpn::Network& network, const Json& json) {
  std::string schema;
  std::string claim;
  const Json* problem = nullptr;
  const Json* schedule = nullptr;
  std::vector<Structure> structures;
  const Json* contexts = nullptr;
  std::vector<std::vector<std::string>> answers;
  Proof proof;
  read_members(json, Member{"schema", schema}, Member{"claim", claim}, Member{"problem", problem},
               Member{"structures", structures}, Member{"contexts", contexts}, Member{"answers", answers},
               Member{"schedule", schedule}, Member{"answer", proof.answer});
  Reader reader{network};
  if (problem == nullptr) reject("there is no problem");
  reader.problem(*problem);
  proof.problem = reader.read_problem();
  if (schema == "lockwood/witness/1" && claim == "reachable") {
    proof.answer = reader.collected(proof.answer);
    if (schedule == nullptr) reject("there is no schedule");
    proof.schedule = reader.schedule(schedule->at("steps"));
    for (const auto& phase : *proof.schedule) proof.steps += phase.size();
  } else if (schema == "lockwood/certificate/1" && claim == "unreachable") {
    proof.table = std::move(reader).table(std::move(structures), contexts, answers);
  } else {
    reject(
        "this is neither a lockwood/certificate/1 that claims unreachable nor a lockwood/witness/1 that claims "
        "reachable");
  }
  return proof;
}

bool meets(const dpn::Network& network, dpn::Head head, const Names& held, const StandGoal& goal) {
  if (goal.tops && !goal.tops->contains(std::string{network.stacks().name(head.top)})) return false;
  if (goal.holding && !held.contains(*goal.holding)) return false;
  if (!goal.wanting) return true;
  return !held.contains(*goal.wanting) && std::ranges::any_of(network.rules_from(head), [&](dpn::RuleId rule) {
    const auto entry = dpn::entry_of(network.rule(rule));
    return entry && entry->lock && network.locks().name(*entry->lock) == *goal.wanting;
  });
}

bool collectable(const Problem& problem, const std::vector<std::string>& tops) {
  const auto& sets = problem.collect;
  if (tops.empty() || tops.size() > sets.size()) return tops.empty();
  if (tops.size() == 1) return std::ranges::any_of(sets, [&](const Names& set) { return set.contains(tops[0]); });
  return (sets[0].contains(tops[0]) && sets[1].contains(tops[1])) ||
         (sets[1].contains(tops[0]) && sets[0].contains(tops[1]));
}

}  // namespace lockwood::verify
