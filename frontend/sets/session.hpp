#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "dpn/model/network.hpp"
#include "frontend/sets/evaluator.hpp"
#include "frontend/sets/result.hpp"
#include "frontend/sets/syntax.hpp"

namespace lockwood::sets {

struct SessionOptions {
  Limits limits;
  Way way = Way::Automatic;
  std::string folder;  // where files are looked for and written; empty: the current one
  std::function<ModelPtr(const std::string& path)> load;
  std::function<void(Result)> report;
  std::function<void(const Diagnostic&)> warn;  // of what is probably not meant
  // Draws a graph in the language of Graphviz. Throws InputError and Interrupted.
  std::function<std::string(const std::string& graph, StopToken stop)> svg;
};

// Runs scripts, one after the other: what one defines the next can use.
class Session {
 public:
  explicit Session(SessionOptions options);

  // Goes on after a statement that is wrong, and leaves out those that depend on it; throws InputError at the end with
  // all that was wrong, or at once if a model cannot be loaded. Throws Interrupted after reporting the statement that
  // was interrupted, and OutputError if standard output cannot be written.
  void run(const Script& script);

  // What scripts have defined, in order.
  [[nodiscard]] std::vector<std::string> names() const { return evaluator_.names(); }
  // None before one was loaded.
  [[nodiscard]] const Model* model() const { return evaluator_.model(); }
  // Forgets the automata of sets that no name leads to.
  void forget_unnamed() { evaluator_.automata().forget_unused(); }

 private:
  class Round;
  using Variables = std::vector<std::pair<std::string, std::string>>;

  void run_statements(const std::vector<Statement>& statements);
  void run_statement(const Statement& statement);
  void execute(const Statement& statement, const Load& load);
  void execute(const Statement& statement, const Let& let);
  void execute(const Statement& statement, const Check& check);
  void execute(const Statement& statement, const Show& show);
  void execute(const Statement& statement, const Save& save);
  void execute(const Statement& statement, const Draw& draw);
  void execute(const Statement& statement, const Time& time);
  void execute(const Statement& statement, const Explain& explain);
  void execute(const Statement& statement, const Table& table);
  void execute(const Statement& statement, const ListNames& names);
  void execute(const Statement& statement, const For& loop);
  // As a picture for a browser.
  [[nodiscard]] std::string drawn(const Statement& statement, const std::string& graph) const;
  // Writes what the statement makes; a file that cannot be written is a problem of the script.
  void write(const Statement& statement, const std::string& path, const std::string& text);
  void give_up(const Statement& statement, const std::string& reason);

  [[nodiscard]] std::string reason_of(const Interrupted& interrupted) const;
  // The rows for all choices of the variables from this range on.
  void fill(Tabulated& made, const Table& table, std::vector<std::string>& choice);

  // Adds the cell that `value` makes, or none if that takes too many states. Interrupted otherwise, it adds none for
  // all that are missing.
  template <class MakeValue>
  void fill_cell(Tabulated& made, std::size_t columns, MakeValue&& value);
  // The value of a name, short enough for a table.
  [[nodiscard]] Shown summary(const Value& value);

  // It fails; with the tree that shows why, if one is found within the limits.
  [[nodiscard]] Checked failure(const Truth& truth) const;
  [[nodiscard]] Shown shown(const Value& value);
  void report(const Statement& statement, decltype(Result::what) what);

  SessionOptions options_;
  Evaluator evaluator_;
  SourcePtr source_;
  Variables variables_;
  std::vector<Diagnostic> problems_;
  std::set<std::size_t> warned_;                 // where the statements begin that were warned of, in any round
  std::chrono::steady_clock::time_point begun_;  // the statement
};

}  // namespace lockwood::sets
