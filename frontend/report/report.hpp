#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "base/text/text_list.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "dpn/trees/schedule.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/sets/result.hpp"

// What commands found out, before anyone decided how it looks. Commands make these values; only render_text.cpp and
// render_json.cpp know how they are shown. A key is the name in JSON and, with spaces for underscores, the label in
// text.
namespace lockwood::frontend {

using Value = std::variant<bool, std::int64_t, double, std::string, TextList>;

// A count as a value.
[[nodiscard]] inline Value count(std::size_t number) { return static_cast<std::int64_t>(number); }

struct Property {
  std::string key;
  Value value;
};

// Named values that belong together.
struct PropertyList {
  std::string key;
  std::string title;
  std::vector<Property> properties;
};

// What a run came to, in counts: one line of text. Counts of nothing are left out of it, but for the first; so is what
// is as it should be.
struct Summary {
  std::string key = "summary";
  std::vector<Property> properties;
};

// Things of one kind, with the same properties each. Rows are as long as `columns`.
struct Table {
  std::string key;
  std::string title;
  std::vector<std::string> columns;  // keys
  std::vector<std::vector<Value>> rows;
};

// Lines that are shown as they are.
struct Listing {
  std::string key;
  std::string title;
  std::vector<std::string> lines;
};

// An execution in the small-step semantics. The network must outlive it.
struct Witness {
  const dpn::Network* network = nullptr;
  dpn::Schedule schedule;
  std::vector<Position> places = {};  // of its moves in the program; empty if the model was not made of one
};

// An execution that is a result itself, not the witness of an answer.
struct Execution {
  std::string key;
  std::string title;
  Witness witness;
};

using Section = std::variant<PropertyList, Summary, Table, Listing, Execution>;

struct QueryAnswer {
  std::string query;           // as a line of a model file
  std::optional<Position> at;  // in the model file
  dpn::Semantics semantics = dpn::Semantics::LockSensitive;
  dpn::Verdict verdict = dpn::Verdict::Unknown;
  std::string unknown_because;           // "bound", "time limit reached"; empty if decided
  std::optional<dpn::Verdict> expected;  // what the model file says
  std::optional<Witness> schedule;
  std::vector<std::string> explanation;  // sentences, if asked for
  std::vector<std::string> notes;
  std::vector<Property> statistics;
  std::vector<dpn::Lock> cycle = {};  // if it asks for a deadlock: each thread holds one of these and wants the next
  std::vector<bool> cycle_through_joins = {};  // as long: or it waits in a join for a thread that wants the next
  // Of a program: how sure it is that it behaves as its model does, and what a search has made of it. If that found a
  // run of its own, here it is.
  std::optional<findings::Certainty> certainty = {};
  std::optional<findings::Settled> settled = {};
  std::vector<findings::SourceStep> run = {};
  bool broken = false;  // we are at fault: it is unknown, since the answer did not stand up to its check
};

// An answer of a batch.
struct BatchLine {
  std::string id;                                 // as JSON
  std::variant<QueryAnswer, std::string> answer;  // or what is wrong with the query
  std::string model = {};                         // which one the answer is about: see model_fingerprint
};

// Both are decided and they differ.
[[nodiscard]] inline bool contradicts_expectation(const QueryAnswer& answer) {
  return answer.expected && *answer.expected != dpn::Verdict::Unknown && answer.verdict != dpn::Verdict::Unknown &&
         *answer.expected != answer.verdict;
}

// Which input the results are about.
struct ModelIdentity {
  std::string path;
  std::optional<std::string> sha256;  // only for JSON and HTML: large models take their time
  std::size_t rules = 0;
  std::size_t locks = 0;
  std::size_t symbols = 0;  // stack symbols
};

struct Report {
  std::string command;
  std::optional<ModelIdentity> model;
  std::vector<Section> sections;
  std::optional<std::vector<QueryAnswer>> queries;         // none if the command does not answer queries
  std::optional<std::vector<findings::Finding>> findings;  // none if the command does not look for any
  std::vector<findings::Finding> background;               // excluded pairs, for those who look at a picture of it all
  std::vector<Property> engine;                            // what the engine did, all runs together
  std::optional<std::vector<sets::Result>> script;         // none if the command does not run scripts
  std::optional<std::vector<findings::Assumption>> assumptions;  // about the program; none if nothing is ever assumed
  std::optional<std::string> subject;                            // what findings are about, if only this was looked for
  std::optional<std::string> stopped;                            // why the work ended early
  std::optional<double> seconds;                                 // only if timing was asked for
};

}  // namespace lockwood::frontend
