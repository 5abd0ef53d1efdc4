#include "frontend/findings/race_finding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>

#include "dpn/semantics/positions.hpp"
#include "frontend/findings/narrative/explanation.hpp"
#include "frontend/findings/narrative/finding_schedule.hpp"

namespace lockwood::findings {
namespace {

const program::Access& side(const SourceTerms& terms, AccessId id) { return access(terms.lowered(), id); }

std::string logical(const SourceTerms& terms, AccessId id) {
  const program::Access& here = side(terms, id);
  return logical_place(terms.program().procedures[here.procedure].name, here.ordinal, to_string(here.kind));
}

// Everything but the verdict, with the sites as they stand in the text.
Finding about(const SourceTerms& terms, const Conflict& conflict) {
  Finding finding;
  finding.rule = Rule::Race;
  finding.id = race_id(terms, conflict);
  finding.subject = program::shown_name(terms.program().variables[side(terms, conflict.first).variable]);
  for (AccessId id : {conflict.first, conflict.second}) {
    const program::Access& here = side(terms, id);
    finding.sites.push_back(
        {.role = to_string(here.kind), .at = terms.place(here), .thread = {}, .holds = {}, .stack = {}});
  }
  return finding;
}

std::string between(const Finding& finding) {
  return fmt::format("on {}: {} at {} and {} at {}", finding.subject, finding.sites[0].role,
                     short_position(finding.sites[0].at), finding.sites[1].role, short_position(finding.sites[1].at));
}

class Sentence {
 public:
  Sentence(const SourceTerms& terms, const Finding& finding) : terms_{terms}, finding_{finding} {}
  std::string operator()(const OneThread&) const { return "both are done by the main thread only"; }
  std::string operator()(const NeverParallel& never) const {
    const auto ended = frontend::joined_by_then(terms_.lowered().network, never.joins);
    return ended.empty() ? order_text(never) : fmt::format("{}; {}", order_text(never), fmt::join(ended, "; "));
  }
  std::string operator()(const SameLocks& same) const {
    return fmt::format("both are done while holding {}", terms_.names(same.locks));
  }
  std::string operator()(const LockOrder& order) const {
    return fmt::format("excluded by {}, though neither side holds it throughout; for example: {}",
                       terms_.names(order.locks), order.example);
  }

 private:
  [[nodiscard]] std::string order_text(const NeverParallel& never) const {
    const bool one_place = finding_.sites[0].at == finding_.sites[1].at;
    switch (never.order) {
      case Order::Unasked: break;
      case Order::FirstIsOver: return over_before(finding_.sites[0], finding_.sites[1]);
      case Order::SecondIsOver: return over_before(finding_.sites[1], finding_.sites[0]);
      case Order::Either:
        return one_place ? "never parallel, even without locks: only one thread at a time does it"
                         : "never parallel, even without locks: done in either order, but not by two threads at the "
                           "same time";
      case Order::NeverBoth:
        return one_place ? "never parallel: it is done at most once"
                         : "never parallel, even without locks: no execution does both";
    }
    return "never at the same time, even without locks: one is over, or done by the same thread, before the other can "
           "be done";
  }
  static std::string over_before(const Site& early, const Site& late) {
    return fmt::format("never parallel, even without locks: the {} at {} is over before the {} at {} can be done",
                       early.role, short_position(early.at), late.role, short_position(late.at));
  }

  const SourceTerms& terms_;
  const Finding& finding_;
};

}  // namespace

std::string race_id(const SourceTerms& terms, const Conflict& conflict) {
  return finding_id(Rule::Race, program::shown_name(terms.program().variables[side(terms, conflict.first).variable]),
                    {logical(terms, conflict.first), logical(terms, conflict.second)});
}

Finding race_finding(const SourceTerms& terms, const Conflict& conflict) {
  Finding finding = about(terms, conflict);
  finding.outcome = Outcome::Found;
  finding.message = "race " + between(finding);
  return finding;
}

Finding race_finding(const SourceTerms& terms, const Conflict& conflict, const dpn::Schedule& schedule,
                     StopToken stop) {
  Finding finding = race_finding(terms, conflict);
  const ScheduleEnd end = end_of(terms.lowered().network, schedule, stop);
  dpn::QueryStep step;
  for (AccessId id : {conflict.first, conflict.second}) step.positions.push_back(side(terms, id).before);
  const auto threads = dpn::threads_at(terms.lowered().network, end.configuration, step);
  assert(threads);  // that is what the schedule is for
  for (std::size_t i = 0; i < threads->size(); ++i) {
    Site site = terms.site(end, (*threads)[i], finding.sites[i].role);
    site.at = finding.sites[i].at;
    finding.sites[i] = std::move(site);
  }
  add_schedule(finding, terms, schedule, stop);
  return finding;
}

Finding no_race_finding(const SourceTerms& terms, const Conflict& conflict, const Separation& separation) {
  Finding finding = about(terms, conflict);
  finding.outcome = Outcome::Excluded;
  finding.message = "no race " + between(finding);
  finding.explanation.push_back(std::visit(Sentence{terms, finding}, separation));
  return finding;
}

Finding undecided_races_finding(const SourceTerms& terms, AccessId one, std::size_t pairs, std::string reason) {
  const program::Access& here = side(terms, one);
  Finding finding;
  finding.rule = Rule::Race;
  finding.outcome = Outcome::Unknown;
  finding.subject = program::shown_name(terms.program().variables[here.variable]);
  finding.id = finding_id(Rule::Race, finding.subject, {"undecided"});
  finding.message = fmt::format("unknown whether there are races on {}: {} pairs of accesses are not decided",
                                finding.subject, pairs);
  finding.sites = {{.role = to_string(here.kind), .at = terms.place(here), .thread = {}, .holds = {}, .stack = {}}};
  finding.explanation.push_back(std::move(reason));
  return finding;
}

Finding undecided_race_finding(const SourceTerms& terms, const Conflict& conflict, std::string reason) {
  Finding finding = about(terms, conflict);
  finding.outcome = Outcome::Unknown;
  finding.message = "unknown whether there is a race " + between(finding);
  finding.explanation.push_back(std::move(reason));
  return finding;
}

}  // namespace lockwood::findings
