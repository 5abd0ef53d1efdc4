#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/lsp/analysis.hpp"
#include "frontend/lsp/reading.hpp"
#include "frontend/lsp/shown_diagnostic.hpp"

// What can be done about a finding by changing the text.
namespace lockwood::lsp {

// A remark above the line of the byte that findings of the rule about the subject are known; its reason is to be
// written. It stands behind the line if that begins within a comment, or if there is such a remark above it already;
// nothing if that is no place either.
[[nodiscard]] std::optional<Change> ignore_remark(const Reading& reading, std::size_t offset, const std::string& rule,
                                                  const std::string& subject);

// A lock around the statements of accesses to a variable that lack it.
struct Guarding {
  std::string lock;
  std::size_t statements = 0;
  std::vector<Change> changes;  // in the order of the text; some may be at the same place
};

// The lock that `guards` advises for a variable that has races, in the text: `sync (a) {…}` around each statement. A
// declaration of locals is split, so that they are still known behind it. Nothing if there is no advice, if it adds a
// deadlock, or if a statement cannot be enclosed without doing more under the lock than the advice has looked at: loops
// whose condition has the access, and branches of which more than assignments depend on it. Requires that the text is
// that of the program that the advice is about, but for changes that keep its model. `line`: only around the statements
// whose accesses are in this line, from 1; that is a part of the advice.
[[nodiscard]] std::optional<Guarding> guarding(const ProgramFacts& facts, const findings::VariableAdvice& advice,
                                               std::optional<std::uint32_t> line = {});

}  // namespace lockwood::lsp
