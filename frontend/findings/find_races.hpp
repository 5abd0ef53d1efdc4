#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "dpn/trees/schedule.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/findings/findings.hpp"
#include "frontend/findings/narrative/source_terms.hpp"
#include "frontend/findings/settling.hpp"
#include "frontend/findings/suppressions.hpp"

namespace lockwood::findings {

// A race as the model tells it: it knows of no places in the text, so it also holds for a later text with the same
// model (analyses/same_model.hpp).
struct ModelRace {
  Conflict conflict;
  std::optional<dpn::Schedule> schedule;  // not all have one
};

struct RaceOptions {
  std::vector<program::Variable> variables = {};  // only races on these; none: on all
  // Schedules are looked for, of so many races; the others are told without one.
  std::size_t max_schedules = std::numeric_limits<std::size_t>::max();
  bool first = false;  // ends with the first race that nothing accepts
  // Why pairs do not race: nobody asks; as background; as findings.
  enum class Reasons { None, Background, Findings };
  Reasons reasons = Reasons::None;
  SettlingBudget settling = {};
  // Proves claims about the model, one by one.
  std::function<Confirmation(const std::function<std::vector<dpn::Query>()>& claims)> confirm = {};
  // The races of the model, if they are known already: then nothing else is asked.
  const std::vector<ModelRace>* known = nullptr;
  // Is told all races of the model, once they are known.
  std::function<void(std::vector<ModelRace>)> on_model_races = {};
  Watch watch = {};
};

// Which accesses of the program to shared variables can happen at the same time? Those of one variable are told at a
// time, so that a run which is stopped has told what it knew. Marks what the suppressions accept, and counts it there.
[[nodiscard]] Findings find_races(const SourceTerms& program, Suppressions& suppressions,
                                  const RaceOptions& options = {});

}  // namespace lockwood::findings
