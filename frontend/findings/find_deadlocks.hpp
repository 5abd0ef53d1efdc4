#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "frontend/findings/findings.hpp"
#include "frontend/findings/narrative/source_terms.hpp"
#include "frontend/findings/settling.hpp"
#include "frontend/findings/suppressions.hpp"
#include "solver/analyses/deadlock.hpp"

namespace lockwood::findings {

// What became of an answer that was looked at once more, as one checks or explains it.
struct Review {
  dpn::Verdict verdict;                       // unknown, if there was no time
  std::vector<std::string> explanation = {};  // sentences
};

struct DeadlockOptions {
  std::size_t max_cycles = solver::DeadlockOptions{}.max_cycles;
  bool refuted = false;  // the cycles that no execution closes, too
  solver::SolveOptions solving = {};
  // Looks at each answer; with the question as a sentence.
  std::function<Review(const solver::Problem&, const std::string& text, const solver::Answer&)> review = {};
  SettlingBudget settling = {};
  // The cycles of the model, if they are known already: then nothing else is asked.
  const solver::Deadlocks* known = nullptr;
  // Is told all cycles of the model, once they are known.
  std::function<void(const solver::Deadlocks&)> on_model_deadlocks = {};
  Watch watch = {};
};

// Can threads of the program wait for each other's locks in a cycle? One finding for each combination of places. Or can
// one wait for a notification that is never done? Marks what the suppressions accept, and counts it there.
[[nodiscard]] Findings find_deadlocks(const SourceTerms& program, Suppressions& suppressions,
                                      const DeadlockOptions& options = {});

// "deadlock: a thread holds x and wants y, another holds y and wants x"
[[nodiscard]] std::string deadlock_text(const dpn::Network& network, const solver::CycleShape& cycle);

// Why there may be deadlocks that were not found; empty if there are none.
[[nodiscard]] std::string why_incomplete(const solver::Deadlocks& found);

}  // namespace lockwood::findings
