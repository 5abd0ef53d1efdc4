#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "frontend/findings/finding.hpp"

// Remarks in the program's text that findings are known and accepted:
//
//     x = x + 1;  // lockwood: ignore race(x) -- only a statistic
//     // lockwood: ignore deadlock(a, b) -- the next line; shutdown only
//
// One concerns the findings that have a site on its line; if it has the line for itself, on the next one.
namespace lockwood::findings {

// A comment of a text, without the marks that make it one.
struct Comment {
  std::string_view text;
  Position at;
  std::uint32_t line;  // with which it goes
  bool alone;          // nothing else stands on its lines
};

struct Suppression {
  Rule rule;
  std::vector<std::string> subjects;  // a variable, or locks; empty: any
  std::string reason;
  std::string file;
  Position written;
  std::uint32_t line;    // the line it concerns
  std::size_t used = 0;  // findings that it has suppressed
};

struct Suppressions {
  std::vector<Suppression> all;
  std::vector<Diagnostic> complaints;  // about remarks that are meant to be one but are not understood
};

[[nodiscard]] Suppressions suppressions(const std::vector<Comment>& comments, const std::string& file);

// Warnings about the suppressions of the rule that suppress nothing, once all findings of the rule were applied.
[[nodiscard]] std::vector<Diagnostic> unused(const Suppressions& suppressions, Rule rule);

// Marks the findings that are suppressed, and counts.
void apply(Suppressions& suppressions, std::vector<Finding>& findings);

}  // namespace lockwood::findings
