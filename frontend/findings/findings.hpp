#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/process/stop.hpp"
#include "base/text/diagnostic.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "frontend/findings/finding.hpp"
#include "solver/query/query_problem.hpp"

// The library of analyses: find_races.hpp, find_deadlocks.hpp and so on. Each has a program and options, and gives one
// value: what was found, in counts, too, and what could not be decided. Command line, editor and Python call these.
namespace lockwood::findings {

// How many of the claims that make up one large answer were proved by themselves.
struct Confirmation {
  std::size_t claims = 0;
  std::size_t proved = 0;

  [[nodiscard]] bool complete() const { return proved == claims; }
  Confirmation& operator+=(const Confirmation& other) {
    claims += other.claims;
    proved += other.proved;
    return *this;
  }
};

// Proves an answer once more by itself, with its proof. If there is none, nothing is proved and there are no claims.
using Confirm = std::function<Confirmation(const dpn::Network& network, const solver::Problem& problem,
                                           const std::string& text, dpn::Verdict verdict)>;

// Who looks on while an analysis works, and may stop it.
struct Watch {
  std::function<void(Finding)> on_finding = {};  // takes each finding as soon as it is known
  // What is done, and which one of how many it is, from 1; 0 of 0 if there is only one.
  std::function<void(std::string_view what, std::size_t number, std::size_t total)> on_progress = {};
  StopToken stop = {};

  void report_progress(std::string_view what, std::size_t number = 0, std::size_t total = 0) const {
    if (on_progress) on_progress(what, number, total);
  }
};

// A number of the summary. The name is a key in JSON.
struct Count {
  std::string name;
  std::size_t number;
};

// What an analysis has found.
struct Findings {
  std::vector<Finding> findings = {};    // unless `on_finding` has taken them
  std::vector<Finding> background = {};  // what is excluded, though nobody asked for that: for a picture of it all
  std::vector<Count> counts = {};        // for the summary
  std::vector<Diagnostic> unused_suppressions = {};  // if all was looked for
  std::vector<std::string> notes = {};               // sentences: what was not looked at, and why
  Confirmation confirmation = {};
  bool complete = true;      // all that was asked for was looked at
  bool ended_early = false;  // with the first finding, as was asked for

  void add(Finding finding, const Watch& watch) {
    if (watch.on_finding)
      watch.on_finding(std::move(finding));
    else
      findings.push_back(std::move(finding));
  }
};

}  // namespace lockwood::findings
