#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/query.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "dpn/trees/schedule.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "frontend/sets/automata.hpp"
#include "frontend/sets/set.hpp"

// What Python asks for, without Python: answers are JSON, of which the package makes objects.
namespace lockwood::python {

// What a model was made of, if it was made of a program.
struct ProgramSource {
  lw::ProgramText text;
  program::Lowered lowered;
};

// A model and all that was computed about its sets. Several threads may ask; they take turns.
struct Workspace {
  std::string path;
  sets::ModelPtr model;
  std::vector<dpn::Query> queries;
  std::vector<std::string> warnings;
  std::shared_ptr<const ProgramSource> program;  // none if the model was not made of one
  std::size_t max_states = sets::Limits{}.states;
  std::optional<std::chrono::milliseconds> timeout;

  std::timed_mutex mutex;                    // of what follows
  std::unique_ptr<sets::Automata> automata;  // see with_automata
};
using WorkspacePtr = std::shared_ptr<Workspace>;

// Reads a model or a program: what ends in `.lw` is one. Throws InputError.
[[nodiscard]] WorkspacePtr read_workspace(const std::string& text, const std::string& path);

// {"stacks", "actions", "locks", "controls", "labels", "initial", "rules": […], "queries": […]}. Rules are as in a
// model in JSON (docs/dpn-format.md), each with its "text".
[[nodiscard]] std::string description(const Workspace& workspace);

// What answers are to have besides the verdict and how it comes about.
struct AnswerWishes {
  bool explain = false;  // "explanation" of what is unreachable: sentences
  bool proofs = false;   // "proof": a witness or a certificate, as text
};
// {"query", "verdict", "schedule", "tree"} for each query of the text. Throws InputError and Interrupted.
[[nodiscard]] std::string answers(const Workspace& workspace, const std::string& queries, AnswerWishes wishes,
                                  StopToken stop);
// The same for many queries, several at a time, which share work: without trees, and with schedules only if wanted.
[[nodiscard]] std::string batch_answers(const Workspace& workspace, const std::vector<std::string>& queries,
                                        std::size_t jobs, bool schedules, StopToken stop);
// What the independent checker has against the proof of this verdict on the query; nothing if the proof holds.
[[nodiscard]] std::optional<std::string> rejection_reason(const Workspace& workspace, const std::string& query,
                                                          const std::string& verdict, const std::string& proof,
                                                          StopToken stop);
// Pairs of symbols.
[[nodiscard]] std::string parallel_pairs(const Workspace& workspace, bool nolocks, StopToken stop);
// {"locks", "schedule", "tree"} for each cycle of threads that can come to be.
[[nodiscard]] std::string deadlocks(const Workspace& workspace, StopToken stop);

// Nodes in preorder: a tree may be deeper than Python recurs.
[[nodiscard]] nlohmann::ordered_json tree_json(const sets::Model& model, const dpn::ExecutionTree& tree);
// With the text that the command line shows.
[[nodiscard]] nlohmann::ordered_json schedule_json(const sets::Model& model, const dpn::Schedule& schedule);

// The set that an expression of the language means.
[[nodiscard]] sets::SetPtr set_of(Workspace& workspace, const std::string& expression, StopToken stop);
// The set of the trees that an automaton accepts, given as `automaton` gives one. Throws InputError if it does not fit.
[[nodiscard]] sets::SetPtr set_of_automaton(const Workspace& workspace, const std::string& automaton);
// {"tree", "schedule", "respects_locks", "smallest"}, or null if the set is empty; by the engine if it can be asked.
[[nodiscard]] std::string witness(Workspace& workspace, const sets::SetPtr& set, StopToken stop);
[[nodiscard]] std::string sample(Workspace& workspace, const sets::SetPtr& set, std::size_t nodes, std::uint64_t seed,
                                 StopToken stop);
[[nodiscard]] bool is_empty(Workspace& workspace, const sets::SetPtr& set, StopToken stop);
[[nodiscard]] bool is_included(Workspace& workspace, const sets::SetPtr& first, const sets::SetPtr& second,
                               StopToken stop);
[[nodiscard]] bool is_finite(Workspace& workspace, const sets::SetPtr& set, StopToken stop);
[[nodiscard]] bool is_member(Workspace& workspace, const std::string& term, const sets::SetPtr& set, StopToken stop);
// In decimal digits. Requires that the set is finite if no number of nodes is given. Like sample, throws InputError if
// the trees would have more nodes than the language allows.
[[nodiscard]] std::string count(Workspace& workspace, const sets::SetPtr& set, std::optional<std::size_t> nodes,
                                StopToken stop);
// {"states", "final", "transitions": [[symbol, [child, …], target], …]}
[[nodiscard]] std::string automaton(Workspace& workspace, const sets::SetPtr& set, StopToken stop);
[[nodiscard]] std::string timbuk(Workspace& workspace, const sets::SetPtr& set, StopToken stop);
[[nodiscard]] std::string dot(Workspace& workspace, const sets::SetPtr& set, StopToken stop);
[[nodiscard]] std::size_t state_count(Workspace& workspace, const sets::SetPtr& set, StopToken stop);
// Which way is_empty and witness take.
[[nodiscard]] std::vector<std::string> explanation(Workspace& workspace, const sets::SetPtr& set, StopToken stop);

}  // namespace lockwood::python
