#include "frontend/findings/flow_finding.hpp"

#include <fmt/format.h>

#include "frontend/findings/narrative/finding_schedule.hpp"

namespace lockwood::findings {
namespace {

constexpr std::size_t most_listed = 20;  // refuted chains

std::string step_text(const SourceTerms& terms, AccessId id) {
  const program::Access& here = access(terms.lowered(), id);
  const Place at = terms.place(here);
  return fmt::format("{} {} ({})", to_string(here.kind), program::shown_name(terms.program().variables[here.variable]),
                     short_position(at));
}

bool in_one_statement(const SourceTerms& terms, const Transfer& transfer) {
  const program::Access& use = access(terms.lowered(), transfer.use);
  const program::Access& definition = access(terms.lowered(), transfer.definition);
  return use.procedure == definition.procedure && use.statement == definition.statement;
}

void tell_refuted(Finding& finding, const SourceTerms& terms, const FlowAnswer& answer) {
  if (answer.refuted.empty()) {
    if (finding.outcome == Outcome::Excluded)
      finding.explanation.emplace_back(
          "no chain of definitions and uses of shared variables leads there, even without locks");
    return;
  }
  finding.explanation.push_back(
      fmt::format("{} {} refuted:", answer.refuted.size(), answer.refuted.size() == 1 ? "chain was" : "chains were"));
  for (std::size_t i = 0; i < answer.refuted.size() && i < most_listed; ++i) {
    const RefutedChain& refuted = answer.refuted[i];
    finding.explanation.push_back(fmt::format("{}: {}", chain_text(terms, refuted.chain),
                                              refuted.links_feasible
                                                  ? "each link is feasible, but no execution has all of them"
                                                  : "the last link is infeasible because of locks"));
  }
  if (answer.refuted.size() > most_listed)
    finding.explanation.push_back(fmt::format("and {} more", answer.refuted.size() - most_listed));
}

}  // namespace

std::string chain_text(const SourceTerms& terms, const Chain& chain) {
  std::string text;
  if (!chain.source.places.empty())
    text = short_position(terms.place(chain.source.places.front())) + ", through locals ";
  text += step_text(terms, chain.source.definition);
  for (const Transfer& transfer : chain.transfers)
    text +=
        fmt::format(" → {}, {}{}", step_text(terms, transfer.use),
                    in_one_statement(terms, transfer) ? "" : "through locals ", step_text(terms, transfer.definition));
  if (!chain.sink) return text;
  text += " → " + step_text(terms, chain.sink->use);
  if (!chain.sink->places.empty())
    text += ", through locals to " + short_position(terms.place(chain.sink->places.front()));
  return text;
}

Finding flow_finding(const SourceTerms& terms, const program::LoweredLabel& from, const program::LoweredLabel& to,
                     const FlowAnswer& answer) {
  Finding finding;
  finding.rule = Rule::Flow;
  finding.subject = fmt::format("{}, {}", from.name, to.name);
  finding.id = finding_id(Rule::Flow, finding.subject, {"from " + from.name, "to " + to.name});
  switch (answer.verdict) {
    case dpn::Verdict::Reachable: finding.outcome = Outcome::Found; break;
    case dpn::Verdict::Unreachable: finding.outcome = Outcome::Excluded; break;
    case dpn::Verdict::Unknown: finding.outcome = Outcome::Unknown; break;
  }
  finding.message = fmt::format("from {} to {}: {}", from.name, to.name, verdict_text(Rule::Flow, finding.outcome));
  finding.sites = {{.role = "from", .at = terms.place(from), .thread = {}, .holds = {}, .stack = {}},
                   {.role = "to", .at = terms.place(to), .thread = {}, .holds = {}, .stack = {}}};
  if (answer.chain) finding.explanation.push_back(chain_text(terms, *answer.chain));
  tell_refuted(finding, terms, answer);
  if (answer.bound_reached)
    finding.explanation.emplace_back(
        "there are more or longer chains, which were not looked at: see --max-chains and "
        "--max-transfers");
  if (answer.stopped) finding.explanation.emplace_back(to_string(*answer.stopped));
  if (!answer.schedule) return finding;
  const Chain& chain = *answer.chain;
  add_value_schedule(
      finding, terms, *answer.schedule,
      {.definition = access(terms.lowered(), chain.source.definition),
       .defining_phase = chain.source.places.empty() ? 1U : 3U,
       .readers = chain.sink->places.empty() ? access(terms.lowered(), chain.sink->use).before : chain.sink->places,
       .reader = {}});
  return finding;
}

}  // namespace lockwood::findings
