#include "frontend/findings/explored_finding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

#include "frontend/findings/narrative/narrated_run.hpp"

namespace lockwood::findings {
namespace {

using explorer::ActionKind;
using program::RunEnd;

class Telling {
 public:
  Telling(const SourceTerms& terms, const program::ExploredFinding& found)
      : terms_{terms}, found_{found}, sites_{terms.program()} {}

  Finding run() && {
    finding_.outcome = Outcome::Found;
    finding_.certainty = Certainty::Executed;
    std::visit([this](const auto& observation) { report(observation); }, found_.observation);
    finding_.schedule = narrated_steps(terms_, found_.run);
    finding_.threads = narrated_threads(terms_, found_.run);
    return std::move(finding_);
  }

 private:
  [[nodiscard]] const program::Program& program() const { return terms_.program(); }
  [[nodiscard]] std::string name(program::Lock lock) const { return program().locks[lock].name; }
  // The thread of the run that stands there; each one is taken once.
  [[nodiscard]] const RunEnd& end_at(explorer::Site site) {
    const auto place = sites_.place(site);
    for (std::size_t i = 0; i < found_.run.threads.size(); ++i) {
      const RunEnd& end = found_.run.threads[i];
      if (end.stack.empty() || std::ranges::find(taken_, i) != taken_.end()) continue;
      if (end.stack.front().procedure != place.procedure || end.stack.front().point != place.point) continue;
      taken_.push_back(i);
      return end;
    }
    assert(false);
    return found_.run.threads.front();
  }
  void add_site(const explorer::ThreadAt& thread, const std::string& role) {
    ThreadAtEnd there = narrated_thread(terms_, end_at(thread.action.site));
    const auto place = sites_.place(thread.action.site);
    finding_.sites.push_back({.role = role,
                              .at = terms_.place(place.procedure, place.point),
                              .thread = std::move(there.thread),
                              .holds = std::move(there.holds),
                              .stack = std::move(there.stack)});
  }
  [[nodiscard]] std::string logical(const explorer::ThreadAt& thread, const std::string& role) const {
    const auto place = sites_.place(thread.action.site);
    const program::Procedure& procedure = program().procedures[place.procedure];
    for (const program::Access& access : terms_.lowered().accesses)
      if (access.procedure == place.procedure && access.point == place.point)
        return logical_place(procedure.name, access.ordinal, role);
    return logical_place(procedure.name, procedure.points[place.point].statement, role);
  }

  void report(const explorer::Race& race) {
    const auto role = [](const explorer::ThreadAt& thread) {
      return std::string{thread.action.kind == ActionKind::Write ? "write" : "read"};
    };
    finding_.rule = Rule::Race;
    finding_.subject = program().variables[program::Variable{race.first.action.object}].name;
    finding_.id = finding_id(Rule::Race, finding_.subject,
                             {logical(race.first, role(race.first)), logical(race.second, role(race.second))});
    add_site(race.first, role(race.first));
    add_site(race.second, role(race.second));
    finding_.message =
        fmt::format("race on {}: {} at {} and {} at {}", finding_.subject, finding_.sites[0].role,
                    short_position(finding_.sites[0].at), finding_.sites[1].role, short_position(finding_.sites[1].at));
  }

  // Nobody can move any more, and somebody waits to be notified.
  [[nodiscard]] bool waits_for_ever(const explorer::Deadlock& deadlock) const {
    return !deadlock.is_cycle && std::ranges::any_of(deadlock.threads, [&](const explorer::ThreadAt& thread) {
      return thread.action.kind == ActionKind::Reacquire && is_waiting(thread);
    });
  }
  [[nodiscard]] bool is_waiting(const explorer::ThreadAt& thread) const {
    const auto place = sites_.place(thread.action.site);
    return std::ranges::any_of(found_.run.threads, [&](const RunEnd& end) {
      return end.status == explorer::ThreadStatus::Waiting && end.stack.front().procedure == place.procedure &&
             end.stack.front().point == place.point;
    });
  }

  // Notifications of a lock that woke nobody, before a thread began to wait for one.
  void report_lost_notifications() {
    const auto& steps = found_.run.steps;
    for (const RunEnd& end : found_.run.threads) {
      if (end.status != explorer::ThreadStatus::Waiting) continue;
      const auto is_its_wait = [&](const program::RunStep& step) {
        return step.thread == end.thread && explorer::waiting_kinds.contains(step.kind);
      };
      const auto last = std::find_if(steps.rbegin(), steps.rend(), is_its_wait);
      if (last == steps.rend()) continue;
      for (auto step = last; step != steps.rend(); ++step) {
        if (!explorer::notifying_kinds.contains(step->kind) || step->lock != last->lock || !step->others.empty())
          continue;
        finding_.explanation.push_back(fmt::format(
            "a notification is lost: {} notifies {} at {}, when nobody waits; {} begins to wait later", step->thread,
            name(*step->lock), short_position(terms_.place(step->at.procedure, step->at.point)), end.thread));
        break;
      }
    }
  }

  void report(const explorer::Deadlock& deadlock) {
    finding_.rule = waits_for_ever(deadlock) ? Rule::Waiting : Rule::Deadlock;
    std::vector<std::string> subjects;
    std::vector<std::string> places;
    std::vector<std::string> sentences;
    for (const explorer::ThreadAt& thread : deadlock.threads) {
      const bool waits = thread.action.kind == ActionKind::Reacquire;
      const bool joins = thread.action.kind == ActionKind::Join;
      const std::string wanted = joins ? "" : name(program::Lock{thread.action.object});
      const std::string role = joins ? "waits at a join" : waits ? "waits for " + wanted : "wants " + wanted;
      add_site(thread, role);
      if (!joins) subjects.push_back(wanted);
      places.push_back(logical(thread, role));
      sentences.push_back(
          fmt::format("{} {} at {}", finding_.sites.back().thread, role, short_position(finding_.sites.back().at)));
    }
    std::ranges::sort(subjects);
    subjects.erase(std::unique(subjects.begin(), subjects.end()), subjects.end());
    finding_.subject = subjects.empty() ? "join" : fmt::format("{}", fmt::join(subjects, ", "));
    finding_.id = finding_id(finding_.rule, finding_.subject, places);
    const char* what = finding_.rule == Rule::Waiting ? "waiting for ever, nobody can move"
                       : deadlock.is_cycle            ? "deadlock"
                                                      : "deadlock, nobody can move";
    finding_.message = fmt::format("{}: {}", what, fmt::join(sentences, ", "));
    if (finding_.rule == Rule::Waiting) report_lost_notifications();
  }

  void report(const explorer::ThreadFailure& failure) {
    const bool assertion = failure.failure == explorer::Failure::Assertion;
    finding_.rule = assertion ? Rule::Assertion : Rule::Exception;
    const std::string role = assertion ? "assertion" : "throws";
    add_site(failure.thread, role);
    finding_.subject = finding_.sites[0].at.procedure;
    finding_.id = finding_id(finding_.rule, finding_.subject, {logical(failure.thread, role)});
    finding_.message = fmt::format("{} at {}", assertion ? "the assertion fails" : "uncaught exception",
                                   short_position(finding_.sites[0].at));
  }

  const SourceTerms& terms_;
  const program::ExploredFinding& found_;
  program::Sites sites_;
  Finding finding_;
  std::vector<std::size_t> taken_;  // threads of the run
};

}  // namespace

Finding explored_finding(const SourceTerms& terms, const program::ExploredFinding& found) {
  return Telling{terms, found}.run();
}

}  // namespace lockwood::findings
