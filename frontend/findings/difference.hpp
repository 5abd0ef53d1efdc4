#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/text/diagnostic.hpp"

namespace lockwood::findings {

// A finding as a report has it, as far as another report is concerned.
struct KnownFinding {
  std::string id;
  std::string rule;
  std::string subject;
  std::string message;
};

struct KnownFindings {
  std::string model;               // the path of what it is about; empty if it does not say
  std::vector<KnownFinding> open;  // found and not suppressed, each id once, in the order of the report
  std::size_t suppressed = 0;
  // What the run has looked for.
  std::string rule;                    // empty if the report does not say
  std::optional<std::string> subject;  // if only this
  bool complete = true;                // it came to its end
  std::set<std::string> undecided;     // ids of what it could not decide
};

// Whether a command looks for findings of this rule.
[[nodiscard]] bool looks_for(const std::string& command, const std::string& rule);

// The findings of a report, in JSON or SARIF, that was read from a file of this name. Throws InputError if it is none.
[[nodiscard]] KnownFindings known_findings(const std::string& json, const std::string& path);

struct Difference {
  std::vector<KnownFinding> introduced;  // in the order of the new report
  std::vector<KnownFinding> fixed;       // in the order of the old one
  std::vector<KnownFinding> undecided;   // likewise: the new one has not looked for them, or not to the end
  std::vector<KnownFinding> unchanged;   // as the new one tells them
};

// Findings are the same if their ids are.
[[nodiscard]] Difference difference(const KnownFindings& before, const KnownFindings& after);

}  // namespace lockwood::findings
