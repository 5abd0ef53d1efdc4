#include "frontend/cli/answering/query_finding.hpp"

#include <fmt/format.h>

#include <cassert>

#include "dpn/semantics/configuration.hpp"
#include "dpn/semantics/describe.hpp"
#include "dpn/semantics/small_step.hpp"
#include "frontend/findings/deadlock_finding.hpp"
#include "frontend/findings/narrative/finding_schedule.hpp"
#include "frontend/findings/narrative/source_terms.hpp"
#include "frontend/findings/narrative/step_effect.hpp"
#include "solver/analyses/deadlock.hpp"
#include "solver/query/goal_threads.hpp"

namespace lockwood::frontend {
namespace {

using findings::Finding;

// Says what happens in a model in its own words, and where in its text.
class ModelTerms {
 public:
  ModelTerms(const ModelInput& model, const IdVector<dpn::RuleId, Position>& positions)
      : network_{model.file.network}, path_{model.identity.path}, positions_{positions} {}

  [[nodiscard]] findings::SourceSpan place(Position at, std::string text) const {
    Position end = at;
    if (at.line > 0) end.column += 1;  // the parenthesis that a rule begins with
    return {.file = path_, .begin = at, .end = end, .procedure = {}, .statement = 0, .text = std::move(text)};
  }
  [[nodiscard]] findings::SourceSpan place(dpn::RuleId rule) const {
    const Position at = positions_.contains(rule) ? positions_[rule] : Position{0, 0};
    return place(at, dpn::describe(network_, network_.rule(rule)));
  }
  // Where the first rule begins that a thread there can use; of a frame below, one at its symbol.
  [[nodiscard]] findings::SourceSpan place(dpn::StackSymbol top, std::optional<dpn::ControlState> control) const {
    for (dpn::RuleId rule : network_.rules_at(top))
      if (!control || network_.rule(rule).from.control == *control) return place(rule);
    return place(Position{0, 0}, {});
  }
  // The rule by which a thread there would take the lock.
  [[nodiscard]] findings::SourceSpan acquisition(dpn::StackSymbol top, dpn::ControlState control,
                                                 dpn::Lock lock) const {
    for (dpn::RuleId id : network_.rules_at(top)) {
      const auto* monitor = std::get_if<dpn::Monitor>(&network_.rule(id).effect);
      if (monitor != nullptr && monitor->lock == lock && network_.rule(id).from.control == control) return place(id);
    }
    return place(top, control);
  }

  // The rule by which a thread there would go on once all members have ended.
  [[nodiscard]] findings::SourceSpan join(dpn::StackSymbol top, dpn::ControlState control) const {
    for (dpn::RuleId id : network_.rules_at(top))
      if (network_.rule(id).kind() == dpn::RuleKind::Join && network_.rule(id).from.control == control)
        return place(id);
    return place(top, control);
  }

  void add_schedule(Finding& finding, const dpn::Schedule& schedule, StopToken stop) const {
    dpn::Configuration here = dpn::initial_configuration(network_);
    std::size_t phase = 0;
    for (std::size_t i = 0; i < schedule.moves.size(); ++i) {
      stop.check();
      while (phase < schedule.cuts.size() && schedule.cuts[phase] <= i) ++phase;
      const dpn::Move& move = schedule.moves[i];
      findings::StepEffect effect = findings::effect_of(network_, here, move);
      finding.schedule.push_back({.phase = phase + 1,
                                  .thread = dpn::thread_name(here, move.thread),
                                  .at = place(move.rule),
                                  .what = dpn::describe(network_, network_.rule(move.rule).from),
                                  .kind = effect.kind,
                                  .object = std::move(effect.object),
                                  .depth = here.threads[move.thread].stack.size() - 1});
      dpn::apply(network_, here, move);
    }
    for (dpn::ThreadId thread : here.threads.keys()) finding.threads.push_back(standing(here, thread));
  }

  // The threads of the cycle, in its order.
  void add_cycle(Finding& finding, const solver::CycleShape& cycle, const dpn::Schedule& schedule) const {
    const dpn::Configuration end = findings::end_of(network_, schedule).configuration;
    const solver::Problem problem = solver::cycle_problem(cycle);
    const solver::Phase& phase = problem.phases.front();
    const auto threads = problem::threads_meeting(network_, phase, end);
    assert(threads);  // as the schedule was replayed
    const std::vector<std::string> roles = findings::cycle_roles(network_, cycle);
    const auto add = [&](dpn::ThreadId thread, std::string role, std::optional<dpn::Lock> wanted) {
      const dpn::Thread& waiting = end.threads[thread];
      findings::ThreadAtEnd there = standing(end, thread);
      finding.sites.push_back({.role = std::move(role),
                               .at = wanted ? acquisition(waiting.stack.back().symbol, waiting.control, *wanted)
                                            : join(waiting.stack.back().symbol, waiting.control),
                               .thread = std::move(there.thread),
                               .holds = std::move(there.holds),
                               .stack = std::move(there.stack)});
    };
    for (std::size_t goal = 0; goal < roles.size(); ++goal) {
      add(threads->meeting[goal], roles[goal], phase.standing[goal].wanting);
      for (std::size_t pair = 0; pair < phase.awaiting.size(); ++pair)
        if (phase.awaiting[pair].waiter == goal)
          for (dpn::ThreadId between : threads->between[pair]) add(between, findings::role_between, std::nullopt);
    }
  }

 private:
  [[nodiscard]] findings::ThreadAtEnd standing(const dpn::Configuration& here, dpn::ThreadId thread) const {
    findings::ThreadAtEnd standing{.thread = dpn::thread_name(here, thread)};
    const auto& stack = here.threads[thread].stack;
    for (std::size_t i = stack.size(); i-- > 0;) {
      const bool top = i + 1 == stack.size();
      standing.stack.push_back(
          {std::string{network_.stack_symbols().shown(stack[i].symbol)},
           place(stack[i].symbol, top ? std::optional{here.threads[thread].control} : std::nullopt)});
    }
    for (dpn::Lock lock : dpn::held_locks(here.threads[thread]))
      standing.holds.emplace_back(network_.locks().shown(lock));
    return standing;
  }

  const dpn::Network& network_;
  const std::string& path_;
  const IdVector<dpn::RuleId, Position>& positions_;
};

std::string lock_names(const dpn::Network& network, const std::vector<dpn::Lock>& locks) {
  std::vector<std::string_view> names;
  for (dpn::Lock lock : locks) names.push_back(network.locks().shown(lock));
  return fmt::format("{}", fmt::join(names, ", "));
}

// What is asked is "deadlock: a thread holds …".
std::string message_of_cycle(findings::Outcome outcome, const std::string& asked) {
  switch (outcome) {
    case findings::Outcome::Found: break;
    case findings::Outcome::Excluded: return "no " + asked;
    case findings::Outcome::Unknown: return "unknown whether there is a " + asked;
  }
  return asked;
}

}  // namespace

Finding query_finding(const ModelInput& model, const QueryAnswer& answer,
                      const IdVector<dpn::RuleId, Position>& rule_positions, StopToken stop) {
  const ModelTerms terms{model, rule_positions};
  Finding finding;
  finding.rule = answer.cycle.empty() ? findings::Rule::Query : findings::Rule::Deadlock;
  finding.outcome = answer.verdict == dpn::Verdict::Reachable     ? findings::Outcome::Found
                    : answer.verdict == dpn::Verdict::Unreachable ? findings::Outcome::Excluded
                                                                  : findings::Outcome::Unknown;
  finding.subject = answer.cycle.empty() ? answer.query : lock_names(model.file.network, answer.cycle);
  finding.id = findings::finding_id(finding.rule, finding.subject, {});
  finding.message = answer.query + ": " + to_string(answer.verdict);
  if (!answer.cycle.empty()) finding.message = message_of_cycle(finding.outcome, answer.query);
  if (!answer.unknown_because.empty()) finding.message += " (" + answer.unknown_because + ')';
  finding.explanation = answer.explanation;
  if (contradicts_expectation(answer))
    finding.explanation.push_back(std::string{"the file expects: "} + to_string(*answer.expected));
  finding.settled = answer.settled;
  if (!model.program) finding.certainty = findings::Certainty::Exact;
  if (!answer.run.empty()) {
    finding.schedule = answer.run;
    finding.certainty = answer.certainty;
  } else if (answer.schedule) {
    if (model.program) {
      const IdVector<program::SourceFile, std::string> texts{model.program->source.text};
      findings::add_schedule(finding, {model.program->source.program, model.program->lowered, texts},
                             answer.schedule->schedule, stop);
    } else {
      terms.add_schedule(finding, answer.schedule->schedule, stop);
      if (!answer.cycle.empty())
        terms.add_cycle(finding, {answer.cycle, answer.cycle_through_joins}, answer.schedule->schedule);
    }
  }
  if (finding.sites.empty()) {
    const Position at = answer.at.value_or(Position{0, 0});
    finding.sites = {{.role = "query", .at = terms.place(at, {}), .thread = {}, .holds = {}, .stack = {}}};
    finding.sites.front().at.end = at;
  }
  return finding;
}

}  // namespace lockwood::frontend
