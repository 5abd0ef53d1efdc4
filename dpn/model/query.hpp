#pragma once

#include <optional>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "dpn/model/rule.hpp"

namespace lockwood::dpn {

enum class Semantics { LockSensitive, LockInsensitive };

enum class Verdict { Reachable, Unreachable, Unknown };
[[nodiscard]] const char* to_string(Verdict verdict);

// One step of a query: run on, without the avoided actions and with at least one of the required actions if any are
// given, until for each set of stack symbols a thread of its own stands with its top of stack in the set.
struct QueryStep {
  std::vector<std::vector<StackSymbol>> positions;  // m sets: m different threads are in them
  std::vector<Action> avoiding;
  std::vector<Action> requiring;
  friend bool operator==(const QueryStep&, const QueryStep&) = default;
};

// How the query is written: `reach {…}`, `conflict {…} {…}`, `iterate {…}, {…}, …`.
enum class QueryForm { Reach, Conflict, Iterate };

// Is there an execution from the initial configuration that makes the steps one after the other?
struct Query {
  QueryForm form = QueryForm::Reach;
  Semantics semantics = Semantics::LockSensitive;
  std::vector<QueryStep> steps;     // at least one
  std::optional<Verdict> expected;  // what the author of the file says the answer is
  std::optional<Position> at;       // where it is written
};

// Equal questions, wherever they are written.
[[nodiscard]] inline bool operator==(const Query& a, const Query& b) {
  return a.form == b.form && a.semantics == b.semantics && a.steps == b.steps && a.expected == b.expected;
}

}  // namespace lockwood::dpn
