#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/findings/analyses/guards.hpp"
#include "frontend/findings/find_races.hpp"
#include "frontend/lsp/reading.hpp"
#include "frontend/lsp/shown_diagnostic.hpp"
#include "solver/analyses/deadlock.hpp"

namespace lockwood::lsp {

// What the solver has decided about the model of a program. It knows of no places in the text, so it also holds for a
// later text with the same model.
struct Decisions {
  std::shared_ptr<const ProgramFacts> program;
  std::shared_ptr<const std::vector<findings::ModelRace>> races;  // none while nobody knows
  std::shared_ptr<const solver::Deadlocks> deadlocks;             // likewise
  // What would remove the races of each variable that has any; as far as there was time to find that out.
  std::shared_ptr<const std::vector<findings::VariableAdvice>> advice;
};

// A finding, and where its sites are in the text as it is now: without those whose text has changed.
struct ShownFinding {
  std::shared_ptr<const findings::Finding> finding;
  std::vector<TextRange> sites;
};

// What the solver says about a text.
struct Analysis {
  std::vector<Remark> remarks;
  std::vector<ShownFinding> findings;  // that the text does not ignore
  // By name, so that it can be shown while the text changes and the next answer is not there yet.
  std::map<std::string, std::size_t> races_of_variables;
  std::map<std::string, std::size_t> races_in_procedures;
  std::vector<Lens> verdicts;  // of the queries of a model
  bool races_known = false;
  Decisions decisions;  // that it was made of, if it is a program
};

// Finds races and deadlocks of a program and what would help against races, or answers the queries of a model and finds
// its deadlocks. Calls `report` with what is known so far, the last time with all of it unless it was asked to stop.
// What was decided about an earlier text is not decided again if it still holds; the result is the same. Requires that
// the text has no errors.
void analyse(const Reading& reading, const Decisions& earlier, StopToken stop,
             const std::function<void(const Analysis&)>& report);

// Moves remarks and findings with the text that was edited. What was said of the part that was replaced is gone.
void move(Analysis& analysis, const lw::TextEdit& edit);

// What is above the variables and procedures of the program, or the queries of the model.
[[nodiscard]] std::vector<Lens> lenses(const Reading& reading, const Analysis& analysis);

// The findings that the choice means.
[[nodiscard]] std::vector<const ShownFinding*> chosen(const Analysis& analysis, const FindingChoice& choice);

}  // namespace lockwood::lsp
