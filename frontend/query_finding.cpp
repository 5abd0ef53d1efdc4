#include "frontend/query_finding.hpp"

#include "dpn/configuration.hpp"
#include "dpn/describe.hpp"
#include "dpn/small_step.hpp"
#include "frontend/findings/finding_schedule.hpp"
#include "frontend/findings/source_terms.hpp"
#include "frontend/findings/step_effect.hpp"

namespace lockwood::frontend {
namespace {

using findings::Finding;

// Text on one line of the model, at the query if it stands in the file.
findings::Place place_of(const ModelInput& model, const QueryAnswer& answer) {
  const Position at = answer.at.value_or(Position{0, 0});
  return {.file = model.identity.path, .begin = at, .end = at, .procedure = {}, .statement = 0, .text = {}};
}

// The schedule in words of the model.
void add_model_schedule(Finding& finding, const ModelInput& model, const Witness& witness) {
  const dpn::Network& network = *witness.network;
  const findings::Place nowhere{
      .file = model.identity.path, .begin = {0, 0}, .end = {0, 0}, .procedure = {}, .statement = 0, .text = {}};
  dpn::Configuration here = dpn::initial_configuration(network);
  std::size_t phase = 0;
  for (std::size_t i = 0; i < witness.schedule.moves.size(); ++i) {
    while (phase < witness.schedule.cuts.size() && witness.schedule.cuts[phase] <= i) ++phase;
    const dpn::Move& move = witness.schedule.moves[i];
    const dpn::Rule& rule = network.rule(move.rule);
    findings::StepEffect effect = findings::effect_of(network, here, move);
    findings::Place at = nowhere;
    at.text = dpn::describe(network, rule);
    finding.schedule.push_back({.phase = phase + 1,
                                .thread = dpn::thread_name(here, move.thread),
                                .at = std::move(at),
                                .what = dpn::describe(network, rule.from),
                                .kind = effect.kind,
                                .object = std::move(effect.object),
                                .depth = here.threads[move.thread].stack.size() - 1});
    dpn::apply(network, here, move);
  }
  for (dpn::ThreadId thread : here.threads.keys()) {
    findings::StandingThread standing{.thread = dpn::thread_name(here, thread)};
    const auto& stack = here.threads[thread].stack;
    for (std::size_t i = stack.size(); i-- > 0;)
      standing.stack.push_back({std::string{network.stacks().shown(stack[i].symbol)}, nowhere});
    for (dpn::Lock lock : dpn::held_locks(here.threads[thread]))
      standing.holds.emplace_back(network.locks().shown(lock));
    finding.threads.push_back(std::move(standing));
  }
}

}  // namespace

Finding query_finding(const ModelInput& model, const QueryAnswer& answer) {
  Finding finding;
  finding.rule = findings::Rule::Query;
  finding.outcome = answer.verdict == dpn::Verdict::Reachable     ? findings::Outcome::Found
                    : answer.verdict == dpn::Verdict::Unreachable ? findings::Outcome::Excluded
                                                                  : findings::Outcome::Unknown;
  finding.subject = answer.query;
  finding.id = findings::finding_id(findings::Rule::Query, answer.query, {});
  finding.message = answer.query + ": " + to_string(answer.verdict);
  if (!answer.unknown_because.empty()) finding.message += " (" + answer.unknown_because + ')';
  finding.explanation = answer.explanation;
  if (contradicts_expectation(answer))
    finding.explanation.push_back(std::string{"the file expects: "} + to_string(*answer.expected));
  if (answer.schedule) {
    if (model.program) {
      const IdVector<program::SourceFile, std::string> texts{model.program->source.text};
      const findings::SourceTerms terms{model.program->source.program, model.program->lowered, texts};
      findings::add_schedule(finding, terms, answer.schedule->schedule);
    } else {
      add_model_schedule(finding, model, *answer.schedule);
    }
  }
  finding.sites = {{.role = "query", .at = place_of(model, answer), .thread = {}, .holds = {}, .stack = {}}};
  return finding;
}

}  // namespace lockwood::frontend
