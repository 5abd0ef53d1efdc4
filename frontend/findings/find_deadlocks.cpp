#include "frontend/findings/find_deadlocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/process/rendering_time.hpp"
#include "frontend/findings/analyses/held_locks.hpp"
#include "frontend/findings/analyses/uncovered_cycles.hpp"
#include "frontend/findings/analyses/waits.hpp"
#include "frontend/findings/deadlock_finding.hpp"
#include "frontend/findings/waiting_finding.hpp"

namespace lockwood::findings {
namespace {

// Where a lock is taken only if it is free.
std::vector<dpn::StackSymbol> never_waiting(const program::Lowered& lowered) {
  std::vector<dpn::StackSymbol> symbols;
  for (const program::Acquisition& acquisition : lowered.acquisitions)
    if (!acquisition.blocks) std::ranges::copy(acquisition.before, std::back_inserter(symbols));
  std::ranges::sort(symbols);
  return symbols;
}

class DeadlockSearch {
 public:
  DeadlockSearch(const SourceTerms& terms, Suppressions& suppressions, const DeadlockOptions& options)
      : terms_{terms}, suppressions_{suppressions}, options_{options} {}

  Findings run() && {
    options_.watch.report_progress("cycles of locks");
    solver::Deadlocks found = options_.known != nullptr ? *options_.known : ask();
    if (options_.on_model_deadlocks) options_.on_model_deadlocks(found);
    report(found);
    // Where values were forgotten, notifications were too.
    if (terms_.program().exact) waits_ = endless_waits(terms_.program(), terms_.lowered(), options_.watch.stop);
    report_waits();
    const std::vector<dpn::Lock> unseen = ignored_locks(terms_.lowered());
    const std::vector<dpn::Lock> uncovered =
        uncovered_locks(terms_.program(), terms_.lowered().network, found, options_.watch.stop);
    result_.complete = found.complete && !found.stopped && unseen.empty() && uncovered.empty() && waits_.undecided == 0;
    apply(suppressions_, deadlocks_);
    const std::size_t excluded = settle();
    std::size_t ignored = 0;
    std::size_t open[2] = {};  // deadlocks, threads that wait for ever
    for (const Finding& finding : deadlocks_) {
      if (finding.outcome != Outcome::Found) continue;
      ++(finding.suppressed ? ignored : open[finding.rule == Rule::Waiting ? 1 : 0]);
    }
    if (result_.complete) result_.unused_suppressions = unused(suppressions_, Rule::Deadlock);
    for (Finding& deadlock : deadlocks_) result_.add(std::move(deadlock), options_.watch);
    result_.counts = {{"deadlocks", open[0]},      {"rings_undecided", undecided_},
                      {"rings_refuted", refuted_}, {"excluded_by_values", excluded},
                      {"ignored", ignored},        {"unused_suppressions", result_.unused_suppressions.size()}};
    if (const std::size_t all = waits_.found.size() + waits_.undecided + waits_.not_covered; all > 0)
      result_.counts.insert(result_.counts.begin() + 1,
                            {{"waiting_for_ever", open[1]}, {"waits_not_covered", all - waits_.found.size()}});
    if (waits_.not_covered > 0)
      result_.notes.push_back(fmt::format("waiting for ever is not covered: {} wait{}", waits_.not_covered,
                                          waits_.not_covered == 1 ? "" : "s"));
    if (waits_.undecided > 0) result_.notes.push_back(fmt::format("{} waits were not looked at", waits_.undecided));
    if (const std::string why = why_incomplete(found); !why.empty()) result_.notes.push_back(why);
    if (!unseen.empty())
      result_.notes.push_back(fmt::format(
          "there may be more deadlocks with {}, which the model ignores where it is waited for", terms_.names(unseen)));
    if (!uncovered.empty())
      result_.notes.push_back(
          fmt::format("there may be deadlocks with more than two locks of one kind: {}", terms_.names(uncovered)));
    return std::move(result_);
  }

 private:
  [[nodiscard]] solver::Deadlocks ask() const {
    solver::SolveOptions solving = options_.solving;
    solving.stop = options_.watch.stop;
    return solver::find_deadlocks(terms_.lowered().network, {.max_cycles = options_.max_cycles,
                                                             .place_of = places(terms_.lowered()),
                                                             .never_waits = never_waiting(terms_.lowered()),
                                                             .solving = solving,
                                                             .on_cycle = [&](std::size_t number, std::size_t total) {
                                                               options_.watch.report_progress("cycle", number, total);
                                                             }});
  }

  void report(solver::Deadlocks& found) {
    RenderingTime time{options_.watch.stop};
    for (solver::LockCycle& cycle : found.cycles) {
      Review review{cycle.answer.verdict};
      if (options_.review)
        review = options_.review(solver::cycle_problem(cycle.shape, cycle.places),
                                 deadlock_text(terms_.lowered().network, cycle.shape), cycle.answer);
      cycle.answer.verdict = review.verdict;
      switch (review.verdict) {
        case dpn::Verdict::Reachable: break;
        case dpn::Verdict::Unreachable: ++refuted_; break;
        case dpn::Verdict::Unknown: ++undecided_; break;
      }
      if (review.verdict == dpn::Verdict::Unreachable && !options_.refuted) continue;
      deadlocks_.push_back(told(cycle, time));
      told_cycles_.push_back(&cycle);
      std::ranges::move(review.explanation, std::back_inserter(deadlocks_.back().explanation));
    }
  }

  void report_waits() {
    RenderingTime time{options_.watch.stop};
    for (EndlessWait& wait : waits_.found) {
      try {
        deadlocks_.push_back(waiting_finding(terms_, wait, time.token()));
      } catch (const Interrupted&) {
        wait.schedule = {};
        deadlocks_.push_back(waiting_finding(terms_, wait));
      }
    }
  }

  // Without its schedule, if there is no time for that.
  [[nodiscard]] Finding told(solver::LockCycle& cycle, RenderingTime& time) const {
    try {
      return deadlock_finding(terms_, cycle, time.token());
    } catch (const Interrupted&) {
      cycle.answer.witness.reset();
      return deadlock_finding(terms_, cycle);
    }
  }

  // How many are excluded by the program's values.
  std::size_t settle() {
    Settling settling{terms_, options_.settling, options_.watch.stop};
    for (std::size_t i = 0; i < deadlocks_.size(); ++i) {
      options_.watch.report_progress("settling deadlock", i + 1, deadlocks_.size());
      if (i < told_cycles_.size()) {
        settling.settle_deadlock(deadlocks_[i], *told_cycles_[i]);
      } else if (const EndlessWait& wait = waits_.found[i - told_cycles_.size()]; wait.always_holds) {
        settling.settle_place(deadlocks_[i], wait.place.procedure, wait.place.point);
      }
    }
    return settling.excluded();
  }

  const SourceTerms& terms_;
  Suppressions& suppressions_;
  const DeadlockOptions& options_;
  std::vector<Finding> deadlocks_;
  std::vector<const solver::LockCycle*> told_cycles_;  // what each is about
  EndlessWaits waits_;
  std::size_t refuted_ = 0;
  std::size_t undecided_ = 0;
  Findings result_;
};

}  // namespace

Findings find_deadlocks(const SourceTerms& program, Suppressions& suppressions, const DeadlockOptions& options) {
  return DeadlockSearch{program, suppressions, options}.run();
}

std::string deadlock_text(const dpn::Network& network, const solver::CycleShape& cycle) {
  return "deadlock: " + cycle_text(network, cycle);
}

std::string why_incomplete(const solver::Deadlocks& found) {
  return found.complete || found.stopped ? "" : "there are more cycles of locks; see --max-cycles";
}

}  // namespace lockwood::findings
