#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_terms.hpp"
#include "frontend/program/interpreter/exploration.hpp"
#include "solver/analyses/deadlock.hpp"

namespace lockwood::findings {

// How much a search may cost. By default only states count, so that the answer is the same on every machine.
struct SettlingBudget {
  bool search = true;
  std::size_t states_of_one = 5'000;
  std::size_t states_of_all = 20'000;
  std::optional<std::chrono::milliseconds> time_of_one = {};  // if it is given, states do not count
};

// Settles what is only possible, by directed search with the program's values. A finding becomes executed, with the
// run; or excluded, if no run of the program gets there: then it is no finding any more; or it stays possible, and
// tells what was left out. Findings that are certain, suppressed or not found stay as they are.
class Settling {
 public:
  // The terms must outlive it.
  Settling(const SourceTerms& terms, const SettlingBudget& budget, StopToken stop)
      : terms_{terms}, budget_{budget}, stop_{stop}, states_left_{budget.states_of_all} {}

  void settle_race(Finding& finding, const Conflict& conflict);
  void settle_deadlock(Finding& finding, const solver::LockCycle& cycle);
  // Some thread comes there.
  void settle_place(Finding& finding, program::ProcedureId procedure, program::Point point);
  // A flow is excluded if the program never comes to one of its ends. Otherwise it stays possible.
  void settle_flow(Finding& finding, const program::LoweredLabel& from, const program::LoweredLabel& to);
  // Different threads are before these sets. Nothing is said about sets that tell threads apart by more than where
  // they are.
  void settle_query(Finding& finding, const std::vector<std::vector<dpn::StackSymbol>>& positions);

  // Findings that were excluded so far.
  [[nodiscard]] std::size_t excluded() const { return excluded_; }
  // States that were visited so far.
  [[nodiscard]] std::size_t states() const { return states_; }

 private:
  using Ends = std::vector<std::vector<program::Sites::Location>>;

  [[nodiscard]] bool is_open(const Finding& finding) const;
  [[nodiscard]] program::Settlement search(const Ends& ends, program::SiteTarget::Condition condition,
                                           const std::vector<bool>& through_joins);
  void settle(Finding& finding, const Ends& ends, program::SiteTarget::Condition condition,
              const std::vector<bool>& through_joins = {});
  void report_run(Finding& finding, const Ends& ends, const program::NarratedRun& run) const;
  void exclude(Finding& finding);

  const SourceTerms& terms_;
  SettlingBudget budget_;
  StopToken stop_;
  std::size_t states_left_;
  std::size_t states_ = 0;
  std::size_t excluded_ = 0;
};

}  // namespace lockwood::findings
