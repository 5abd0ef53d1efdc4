#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text/diagnostic.hpp"

// What the analyses of programs have to say, in terms of the source and as plain data: nothing in here refers to a
// model, so that it can be shown, written, and compared with the findings of another version.
namespace lockwood::findings {

// A piece of the source, and where it is in the program: that stays the same when lines are added elsewhere.
struct SourceSpan {
  std::string file;
  Position begin;
  Position end;
  std::string procedure;
  std::uint32_t statement = 0;  // of the procedure, from 1
  std::string text;             // the source itself, on one line and clipped
  friend bool operator==(const SourceSpan&, const SourceSpan&) = default;
};

// A frame of a call stack: where it stands, and what it is there for.
struct StackEntry {
  std::string what;  // "write x", "called from", "inside of sync (a)"
  SourceSpan at;
};

// One of the places that a finding is about, and the thread that is there at the end of the schedule, or before one of
// its steps, if it has one.
struct Site {
  std::string role;  // "write", "read", "holds a, wants b", "definition", "use"
  SourceSpan at;
  std::string thread;
  std::vector<std::string> holds;        // locks
  std::vector<StackEntry> stack;         // the top first
  std::optional<std::size_t> step = {};  // of the schedule, from 0: what is done there; else the thread stays there
};

// What a step does to the stack, to locks and to threads.
enum class StepKind { Base, Call, Return, Acquire, Reenter, Release, Spawn, End };
[[nodiscard]] const char* to_string(StepKind kind);

// A step of a schedule.
struct SourceStep {
  std::size_t phase = 1;
  std::string thread;
  SourceSpan at;
  std::string what;
  StepKind kind = StepKind::Base;
  std::string object = {};  // the lock, or the thread that is spawned
  // Calls and regions of locks that the thread is in before the step; of those that steps of the schedule have entered.
  std::size_t depth = 0;
};

// "spawns main.1", "acquires a", "acquires a again", "releases a", "ends"; else empty.
[[nodiscard]] std::string event_text(const SourceStep& step);

// Where a thread is at the end of a schedule. One that has ended has no stack.
struct ThreadAtEnd {
  std::string thread;
  std::vector<StackEntry> stack = {};  // the top first
  std::vector<std::string> holds = {};
};

// How sure it is that the program behaves as the model does.
enum class Certainty {
  Executed,  // the schedule was executed with the program's real values
  Exact,     // there is no program: the model itself behaves so
  Possible   // the schedule takes a branch, or disregards a lock, that the program with its values would not
};
[[nodiscard]] const char* to_string(Certainty certainty);

// The rules are also the first words of suppressions. A query is one of a model's own.
enum class Rule { Race, Deadlock, DefUse, Flow, Query, Assertion, Exception, Waiting };
[[nodiscard]] const char* to_string(Rule rule);

// What became of the question. The words for it depend on the rule: see verdict_text.
enum class Outcome { Found, Excluded, Unknown };

// "race" and "no race"; "deadlock" and "no deadlock"; "feasible" and "infeasible"; "flow" and "no flow"; "reachable"
// and "unreachable"; "assertion fails" and "assertion holds"; "exception" and "no exception"; "waits for ever" and
// "goes on"; "unknown".
[[nodiscard]] const char* verdict_text(Rule rule, Outcome outcome);

// Compared with an earlier report.
enum class BaselineState { New, Unchanged };
[[nodiscard]] const char* to_string(BaselineState state);

// What a search with the program's values has made of a finding that was only possible.
struct Settled {
  enum class Verdict {
    Executed,  // the schedule is a run that it has found, and that was replayed
    Excluded,  // no run of the program gets there
    Possible   // something was left out of the search
  };
  Verdict verdict = Verdict::Possible;
  std::size_t states = 0;                       // that were visited
  std::optional<std::size_t> preemptions = {};  // of the run: switches away from a thread that could go on
  std::vector<std::string> left_out = {};       // "max states", "timeout"
};
[[nodiscard]] const char* to_string(Settled::Verdict verdict);

// Something that an analysis has taken for granted about a program, and that nobody has looked at.
struct Assumption {
  std::string kind;   // "more schedules", "assumed library", "gap"
  std::string place;  // "pkg.Main.run(), Main.java:12"; empty if it has none of its own
  std::string text;
  std::size_t times = 1;                                        // how many lines meet it
  std::vector<std::pair<std::string, std::uint32_t>> met = {};  // files and lines, ascending
  // What is excluded is excluded except for gaps.
  [[nodiscard]] bool is_gap() const { return kind == "gap"; }
};

struct Finding {
  Rule rule = Rule::Race;
  Outcome outcome = Outcome::Found;
  std::string id;       // see finding_id
  std::string subject;  // the variable, or the locks
  std::string message;  // one sentence
  std::optional<Certainty> certainty;
  std::optional<std::string> obstacle = {};  // a sentence: what the program's values do otherwise than the schedule
  std::optional<Settled> settled = {};       // none if it was certain without a search, or nobody searched
  std::vector<Site> sites;
  std::vector<SourceStep> schedule;
  std::vector<ThreadAtEnd> threads = {};       // all, at the end of the schedule
  std::vector<std::string> explanation;        // sentences
  std::optional<std::string> suppressed;       // by the program's text, for this reason
  std::optional<BaselineState> baseline = {};  // none if there is nothing to compare with
  std::vector<Assumption> assumptions = {};    // that its schedule, or its replay_error, rests on
  std::optional<bool> as_expected = {};        // by the author of a model; none if nobody asks for that, or knows
};

// That the program, or the model if there is no other, behaves so is beyond doubt.
[[nodiscard]] bool is_certain(const Finding& finding);

// How bad it is: what was found is an error if it is certain, else a warning; that a value can reach its use is no
// fault. Where expectations count, an error is what contradicts them.
[[nodiscard]] Severity severity_of(const Finding& finding);

// Found, and neither accepted by the program's text nor known from an earlier report.
[[nodiscard]] bool is_open(const Finding& finding);

// Twelve hexadecimal digits that stay the same as long as the rule, the subject and the logical places (procedure,
// statement and role of each, in any order) do: lines do not matter.
[[nodiscard]] std::string finding_id(Rule rule, const std::string& subject, const std::vector<std::string>& places);

// "main#3 write": the logical name of a place.
[[nodiscard]] std::string logical_place(const std::string& procedure, std::uint32_t ordinal, const std::string& role);

// "file:line"; only "file" if the line is not known.
[[nodiscard]] std::string short_position(const SourceSpan& place);

}  // namespace lockwood::findings
