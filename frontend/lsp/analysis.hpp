#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/stop.hpp"
#include "frontend/lsp/reading.hpp"
#include "frontend/lsp/remark.hpp"

namespace lockwood::lsp {

// What the solver says about a text.
struct Analysis {
  std::vector<Remark> remarks;
  // By name, so that it can be shown while the text changes and the next answer is not there yet.
  std::map<std::string, std::size_t> races_of_variables;
  std::map<std::string, std::size_t> races_in_procedures;
  std::vector<Lens> verdicts;  // of the queries of a model
  bool races_known = false;
};

// Finds races and deadlocks of a program, or answers the queries of a model and finds its deadlocks. Calls `report`
// with what is known so far, the last time with all of it unless it was asked to stop. Requires that the text has no
// errors.
void analyse(const Reading& reading, StopToken stop, const std::function<void(const Analysis&)>& report);

// Moves the remarks with the text, a part of which was replaced by so many bytes. What was said of that part is gone.
void move(Analysis& analysis, TextRange replaced, std::size_t length);

// What is above the variables and procedures of the program, or the queries of the model.
[[nodiscard]] std::vector<Lens> lenses(const Reading& reading, const Analysis& analysis);

}  // namespace lockwood::lsp
