#include "frontend/findings/assumptions.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace lockwood::findings {
namespace {

using Lines = std::set<std::pair<std::string, std::uint32_t>>;

// All lines in which a thread is on the way, or at the end of it.
Lines lines_of(const Finding& finding) {
  Lines lines;
  const auto add = [&](const SourceSpan& place) { lines.emplace(place.file, place.begin.line); };
  for (const SourceStep& step : finding.schedule) add(step.at);
  for (const Site& site : finding.sites) {
    add(site.at);
    for (const StackEntry& entry : site.stack) add(entry.at);
  }
  return lines;
}

}  // namespace

void add_assumptions(Finding& finding, std::span<const Assumption> assumptions) {
  if (assumptions.empty()) return;
  const Lines lines = finding.outcome == Outcome::Found ? lines_of(finding) : Lines{};
  for (const Assumption& each : assumptions) {
    const bool met = std::ranges::any_of(each.met, [&](const auto& line) { return lines.contains(line); });
    if (finding.outcome == Outcome::Found ? met : each.is_gap()) finding.assumptions.push_back(each);
  }
}

}  // namespace lockwood::findings
