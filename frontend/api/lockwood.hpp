#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/stop.hpp"
#include "base/process/watchdog.hpp"
#include "base/text/diagnostic.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "frontend/findings/findings.hpp"

// Lockwood in a C++ program: read a model or a program, ask queries, find races and deadlocks, check proofs.
//
//     const lockwood::Model model = lockwood::load("bank.lw");
//     for (const lockwood::Answer& answer : lockwood::ask(model, "conflict {deposit} {withdraw}"))
//       std::cout << answer.query << ": " << to_string(answer.verdict) << '\n' << answer.schedule;
//     for (const lockwood::findings::Finding& race : lockwood::find_races(model).findings)
//       std::cout << race.message << '\n';
//
// An input that is at fault throws InputError, whose what() is what the command line prints. A limit or a stop is an
// answer, not an error: a verdict is unknown, and findings are not complete. Different threads may use one model.
namespace lockwood {

// A model, or a program with the model that was made of it. It never changes; copies share what it holds.
class Model {
 public:
  [[nodiscard]] const dpn::Network& network() const;
  [[nodiscard]] const std::vector<dpn::Query>& queries() const;  // those of its author
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const;
  [[nodiscard]] bool is_program() const;

  struct Content;
  explicit Model(std::shared_ptr<const Content> content) : content_{std::move(content)} {}
  [[nodiscard]] const Content& content() const { return *content_; }

 private:
  std::shared_ptr<const Content> content_;
};

// The model (`.dpn` text or JSON) or program (`.lw`) in the file; `-` is standard input. Throws InputError, also if the
// file cannot be read, and Interrupted if asked to stop.
[[nodiscard]] Model load(const std::string& path, StopToken stop = {});

// The same of a text. The name tells what it is, as for files, and is the one in errors.
[[nodiscard]] Model parse(std::string text, const std::string& name, StopToken stop = {});

struct AskOptions {
  bool proofs = false;  // give the proof of each answer
  Limits limits = {};   // of the whole call
  StopToken stop = {};
};

struct Answer {
  std::string query;  // as models write it
  dpn::Verdict verdict = dpn::Verdict::Unknown;
  std::string unknown_because = {};           // "time limit reached"; empty if it is known
  std::optional<dpn::Verdict> expected = {};  // what the author of the model says; of check
  std::string schedule = {};                  // how it is reached, for people: docs/queries.md
  std::string proof = {};                     // a witness or a certificate: docs/certificates.md
};

// The answers to queries as models have them, such as "conflict {p2} {s1}"; of a program, places may be labels and
// lines, too. Throws InputError: it is none, or there is no such place.
[[nodiscard]] std::vector<Answer> ask(const Model& model, const std::string& queries, const AskOptions& options = {});

// The answers to the model's own queries.
[[nodiscard]] std::vector<Answer> check(const Model& model, const AskOptions& options = {});

// What the independent checker has against the proof of the answer; nothing if the proof holds. Only the query, the
// verdict and the proof are looked at, so an answer may come from a file. The checker shares no code with the engine.
// Throws Interrupted if asked to stop.
[[nodiscard]] std::optional<std::string> rejection_reason(const Model& model, const Answer& answer,
                                                          StopToken stop = {});

struct FindOptions {
  bool explain = false;   // also what cannot happen, with the reason
  bool schedules = true;  // how a race comes about
  bool settle = true;     // search for runs with the program's values where the model alone does not tell
  Limits limits = {};     // of the whole call
  StopToken stop = {};
};

// What the command line finds in programs: `race`, `deadlock`, `defuse`, `flow`. All throw InputError if the model was
// not made of a program; find_flows also if it has no such labels.
[[nodiscard]] findings::Findings find_races(const Model& program, const FindOptions& options = {});
[[nodiscard]] findings::Findings find_deadlocks(const Model& program, const FindOptions& options = {});
[[nodiscard]] findings::Findings find_def_uses(const Model& program, const FindOptions& options = {});
[[nodiscard]] findings::Findings find_flows(const Model& program, const std::string& from, const std::string& to,
                                            const FindOptions& options = {});

}  // namespace lockwood
