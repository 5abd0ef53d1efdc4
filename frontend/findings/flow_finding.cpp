#include "frontend/findings/flow_finding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/findings/narrative/finding_schedule.hpp"

namespace lockwood::findings {
namespace {

constexpr std::size_t max_listed = 20;  // refuted chains

std::string step_text(const SourceTerms& terms, AccessId id) {
  const program::Access& here = access(terms.lowered(), id);
  const SourceSpan at = terms.place(here);
  return fmt::format("{} {} ({})", to_string(here.kind), program::shown_name(terms.program().variables[here.variable]),
                     short_position(at));
}

bool in_one_statement(const SourceTerms& terms, const Transfer& transfer) {
  const program::Access& use = access(terms.lowered(), transfer.use);
  const program::Access& definition = access(terms.lowered(), transfer.definition);
  return use.procedure == definition.procedure && use.statement == definition.statement;
}

std::string why_refuted(const SourceTerms& terms, const RefutedChain& refuted) {
  std::string text = refuted.links_feasible ? "each link is feasible, but no execution has all of them"
                                            : "the last link is infeasible because of locks";
  if (!refuted.locks.empty()) text += fmt::format(" ({} suffices for that)", terms.names(refuted.locks));
  return text;
}

// Where the value gets, line by line.
std::vector<std::string> way_text(const SourceTerms& terms, const std::vector<dpn::RuleId>& way) {
  struct Stop {
    SourceSpan at;
    std::vector<std::string> steps;
  };
  std::vector<Stop> stops;
  for (dpn::RuleId id : way) {
    const program::RuleOrigin& origin = terms.lowered().rules[id];
    const SourceSpan at = terms.place(origin.procedure, origin.point);
    const bool stays = !stops.empty() && stops.back().at.file == at.file && stops.back().at.procedure == at.procedure &&
                       stops.back().at.begin.line == at.begin.line;
    if (!stays) stops.push_back({at, {}});
    const std::string step = origin.what == "compute" || origin.what == "go on" ? "" : origin.what;
    auto& steps = stops.back().steps;
    if (!step.empty() && (steps.empty() || steps.back() != step)) steps.push_back(step);
  }
  std::vector<std::string> lines;
  for (const Stop& stop : stops)
    lines.push_back(fmt::format("{} in {}{}{}", short_position(stop.at), stop.at.procedure,
                                stop.steps.empty() ? "" : ": ", fmt::join(stop.steps, ", ")));
  return lines;
}

void report_refuted(Finding& finding, const SourceTerms& terms, const FlowAnswer& answer) {
  if (answer.refuted.empty()) {
    if (finding.outcome == Outcome::Excluded)
      finding.explanation.emplace_back(
          "no chain of definitions and uses of shared variables leads there, even without locks");
    return;
  }
  finding.explanation.push_back(
      fmt::format("{} {} refuted:", answer.refuted.size(), answer.refuted.size() == 1 ? "chain was" : "chains were"));
  for (std::size_t i = 0; i < answer.refuted.size() && i < max_listed; ++i) {
    const RefutedChain& refuted = answer.refuted[i];
    finding.explanation.push_back(fmt::format("{}: {}", chain_text(terms, refuted.chain), why_refuted(terms, refuted)));
  }
  if (answer.refuted.size() > max_listed)
    finding.explanation.push_back(fmt::format("and {} more", answer.refuted.size() - max_listed));
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
  if (!terms.program().exact)
    for (std::string& line : way_text(terms, answer.way)) finding.explanation.push_back(std::move(line));
  report_refuted(finding, terms, answer);
  if (answer.bound_reached)
    finding.explanation.emplace_back(
        "there are more or longer chains, which were not looked at: see --max-chains and "
        "--max-transfers");
  if (answer.stopped) finding.explanation.emplace_back(to_string(*answer.stopped));
  if (!answer.schedule) return finding;
  if (answer.direct) {
    add_schedule(finding, terms, *answer.schedule);
    return finding;
  }
  const Chain& chain = *answer.chain;
  add_value_schedule(
      finding, terms, *answer.schedule,
      {.definition = access(terms.lowered(), chain.source.definition),
       .defining_phase = chain.source.places.empty() ? 1U : 3U,
       .readers = chain.sink->places.empty() ? access(terms.lowered(), chain.sink->use).before : chain.sink->places,
       .reader = {}});
  return finding;
}

namespace {

Finding order_of(std::string subject, std::vector<Site> sites, const std::vector<std::string>& logical) {
  Finding finding;
  finding.rule = Rule::Flow;
  finding.outcome = Outcome::Found;
  finding.subject = std::move(subject);
  finding.id = finding_id(Rule::Flow, finding.subject, logical);
  finding.certainty = Certainty::Possible;
  finding.obstacle = "that what is done before and behind them can be done is not looked at, nor are locks";
  finding.message = fmt::format("{} at {} and {} at {} can be done in either order, and a sink tells the order",
                                sites[0].role, short_position(sites[0].at), sites[1].role, short_position(sites[1].at));
  finding.sites = std::move(sites);
  return finding;
}

}  // namespace

Finding order_finding(const SourceTerms& terms, const Conflict& conflict) {
  std::vector<Site> sites;
  std::vector<std::string> logical;
  for (AccessId id : {conflict.first, conflict.second}) {
    const program::Access& here = access(terms.lowered(), id);
    sites.push_back({.role = to_string(here.kind), .at = terms.place(here), .thread = {}, .holds = {}, .stack = {}});
    logical.push_back(
        logical_place(terms.program().procedures[here.procedure].name, here.ordinal, to_string(here.kind)));
  }
  const program::Variable variable = access(terms.lowered(), conflict.first).variable;
  return order_of("order, " + program::shown_name(terms.program().variables[variable]), std::move(sites), logical);
}

Finding order_finding(const SourceTerms& terms, const program::LoweredLabel& first,
                      const program::LoweredLabel& second) {
  std::vector<Site> sites;
  std::vector<std::string> logical;
  for (const program::LoweredLabel* label : {&first, &second}) {
    sites.push_back({.role = "output", .at = terms.place(*label), .thread = {}, .holds = {}, .stack = {}});
    logical.push_back("output " + label->name);
  }
  return order_of(fmt::format("order, {}, {}", first.name, second.name), std::move(sites), logical);
}

}  // namespace lockwood::findings
