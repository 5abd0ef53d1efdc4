#pragma once

#include <string>
#include <vector>

#include "dpn/model/network.hpp"
#include "frontend/sets/parser.hpp"
#include "frontend/sets/session.hpp"

namespace lockwood::sets::testing {

// The results of a script, and what is wrong with it, if anything. `load` gives the network, whatever the file.
struct Run {
  std::vector<Result> results;
  std::vector<Diagnostic> problems;
  std::vector<Diagnostic> warnings;
};
[[nodiscard]] Run run_script(const dpn::Network& network, const std::string& text, Way way = Way::Automatic,
                             Limits limits = {});

// A result as a line: what the statement says and what came of it.
[[nodiscard]] std::string line_of(const Result& result);

}  // namespace lockwood::sets::testing
