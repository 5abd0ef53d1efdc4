#include "frontend/sets/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/process/output_error.hpp"
#include "base/process/text_file.hpp"
#include "dpn/formats/schedule_text.hpp"
#include "dpn/formats/tree_text.hpp"
#include "dpn/trees/schedule.hpp"
#include "treeauto/counting/count_all.hpp"
#include "treeauto/formats/dot.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/operations/emptiness.hpp"
#include "treeauto/operations/finiteness.hpp"

namespace lockwood::sets {
namespace {

constexpr std::size_t problem_limit = 20;
constexpr std::size_t schedule_limit = 100;  // nodes of a tree whose schedule is told though nobody asked for it

// A model could not be loaded: nothing that follows means anything.
struct NoModel {};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Its schedule.
std::vector<std::string> details_of(const TreeValue& value) {
  const dpn::Network& network = value.model->network;
  std::vector<std::string> lines;
  if (!value.smallest) lines.emplace_back("there may be smaller trees");
  auto schedule = dpn::schedule_of(network, value.tree, dpn::Semantics::LockSensitive);
  if (!schedule) {
    lines.emplace_back("no schedule respects the locks; without them:");
    schedule = dpn::schedule_of(network, value.tree, dpn::Semantics::LockInsensitive);
  }
  if (schedule)
    for (std::string& line : lines_of(dpn::schedule_text(network, *schedule))) lines.push_back(std::move(line));
  return lines;
}

std::string counted(std::size_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

}  // namespace

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::Holds: return "holds";
    case Outcome::Fails: return "fails";
    case Outcome::Unknown: return "unknown";
  }
  return "unknown";
}

Session::Session(SessionOptions options)
    : options_{std::move(options)}, evaluator_{options_.limits, options_.way, options_.folder} {}

void Session::run(const Script& script) {
  source_ = script.source;
  problems_.clear();  // of a script that was interrupted
  warned_.clear();
  struct Forgetting {
    Evaluator& evaluator;
    ~Forgetting() { evaluator.forget_broken(); }
  } const forgetting{evaluator_};
  try {
    run_statements(script.statements);
  } catch (const NoModel&) {
  }
  if (!problems_.empty()) throw InputError{std::exchange(problems_, {})};
}

void Session::run_statements(const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) {
    if (problems_.size() >= problem_limit) return;
    run_statement(statement);
  }
}

void Session::run_statement(const Statement& statement) {
  begun_ = std::chrono::steady_clock::now();
  try {
    std::visit([&](const auto& what) { execute(statement, what); }, statement.what);
    return;
  } catch (const Skipped&) {
  } catch (const InputError& error) {
    problems_.insert(problems_.end(), error.diagnostics().begin(), error.diagnostics().end());
    if (std::holds_alternative<Load>(statement.what)) throw NoModel{};
  } catch (const std::length_error& error) {
    give_up(statement, error.what());
  } catch (const Interrupted& interrupted) {
    // Too large an automaton is a matter of this statement alone.
    if (interrupted.reason() != StopReason::States) {
      give_up(statement, interrupted.what());
      throw;
    }
    give_up(statement, fmt::format("an automaton has more than {} states, which is the limit", options_.limits.states));
  }
  if (const auto* let = std::get_if<Let>(&statement.what)) evaluator_.define_broken(let->name);
}

void Session::give_up(const Statement& statement, const std::string& reason) {
  if (std::holds_alternative<Check>(statement.what))
    report(statement, Checked{Outcome::Unknown, reason});
  else if (!std::holds_alternative<For>(statement.what) && !std::holds_alternative<Table>(statement.what) &&
           !std::holds_alternative<ListNames>(statement.what))
    report(statement, GaveUp{reason});
}

std::string Session::reason_of(const Interrupted& interrupted) const {
  if (interrupted.reason() != StopReason::States) return interrupted.what();
  return fmt::format("an automaton has more than {} states, which is the limit", options_.limits.states);
}

void Session::report(const Statement& statement, decltype(Result::what) what) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begun_;
  options_.report({quoted_line(*source_, statement.at), *problem_at(*source_, statement.at, "").at, variables_,
                   std::move(what), elapsed.count()});
}

void Session::execute(const Statement& statement, const Load& load) {
  const std::string path = evaluator_.path_of(load.path);
  try {
    evaluator_.set_model(options_.load(path));
  } catch (const InputError& error) {
    throw with_note(*source_, statement.at, "the file is read here", error);
  }
  report(statement, Loaded{path});
}

void Session::execute(const Statement& statement, const Let& let) {
  if (options_.warn && evaluator_.hides(let.name) && warned_.insert(statement.at.begin).second) {
    Diagnostic warning =
        problem_at(*source_, statement.at, fmt::format("'{}' gets this meaning only until the round ends", let.name),
                   fmt::format("the '{0}' outside of the loop stays as it is; "
                               "union(x in {{…}}, S) joins the sets of all rounds",
                               let.name));
    warning.severity = Severity::Warning;
    options_.warn(warning);
  }
  if (let.parameters)
    evaluator_.define(let.name,
                      std::make_shared<const Function>(Function{let.name, *let.parameters, let.value, source_}));
  else
    evaluator_.define(let.name, evaluator_.evaluate(*let.value, source_));
}

void Session::execute(const Statement& statement, const Check& check) {
  const Value value = evaluator_.evaluate(*check.claim, source_);
  const auto* truth = std::get_if<Truth>(&value);
  if (truth == nullptr)
    throw InputError{{problem_at(*source_, check.claim->at,
                                 fmt::format("only what holds or not can be checked; this is {}", type_name(value)))}};
  report(statement, truth->holds ? Checked{Outcome::Holds, {}} : failure(*truth));
}

void Session::execute(const Statement& statement, const Show& show) {
  report(statement, shown(evaluator_.evaluate(*show.value, source_)));
}

void Session::execute(const Statement& statement, const Time& time) {
  report(statement, Timed{shown(evaluator_.evaluate(*time.value, source_))});
}

// Questions are answered on the way, so that every part of the expression is explained. A set asks none; then it is
// told how one would be answered.
void Session::execute(const Statement& statement, const Explain& explain) {
  evaluator_.start_explaining();
  const Value value = evaluator_.evaluate(*explain.value, source_);
  if (const auto* set = std::get_if<SetPtr>(&value)) static_cast<void>(evaluator_.question_about(*set));
  std::vector<std::string> lines = evaluator_.take_explanations();
  if (lines.empty()) lines.push_back(fmt::format("this is {}: nothing is to be decided", type_name(value)));
  report(statement, Explained{std::move(lines)});
}

void Session::execute(const Statement& statement, const Save& save) {
  const Value value = evaluator_.evaluate(*save.set, source_);
  const auto* set = std::get_if<SetPtr>(&value);
  if (set == nullptr)
    throw InputError{
        {problem_at(*source_, save.set->at, fmt::format("only sets can be saved; this is {}", type_name(value)))}};
  const std::string path = evaluator_.path_of(save.path);
  write(statement, path, treeauto::to_timbuk(evaluator_.automata().of(*set)));
}

void Session::execute(const Statement& statement, const Draw& draw) {
  const Value value = evaluator_.evaluate(*draw.value, source_);
  std::string picture;
  if (const auto* set = std::get_if<SetPtr>(&value)) {
    picture = treeauto::to_dot(evaluator_.automata().of(*set));
  } else if (const auto* tree = std::get_if<TreeValue>(&value)) {
    picture = dpn::to_dot(tree->model->network, tree->tree);
  } else {
    throw InputError{{problem_at(*source_, draw.value->at,
                                 fmt::format("only sets and trees can be drawn; this is {}", type_name(value)))}};
  }
  if (draw.picture == Picture::Svg) picture = drawn(statement, picture);
  write(statement, evaluator_.path_of(draw.path), picture);
}

std::string Session::drawn(const Statement& statement, const std::string& graph) const {
  const std::string hint = R"(dot(…) "FILE" writes it in the language of Graphviz)";
  if (!options_.svg) throw InputError{{problem_at(*source_, statement.at, "nothing can be drawn here", hint)}};
  try {
    return options_.svg(graph, evaluator_.automata().limits().stop);
  } catch (const InputError& error) {
    throw InputError{{problem_at(*source_, statement.at,
                                 fmt::format("this cannot be drawn: {}", error.diagnostics().front().message), hint)}};
  }
}

void Session::write(const Statement& statement, const std::string& path, const std::string& text) {
  try {
    write_text_file(path, text);
  } catch (const OutputError& error) {
    if (path == "-") throw;
    throw InputError{{problem_at(*source_, statement.at, fmt::format("this cannot be written: {}", error.what()))}};
  }
  report(statement, Written{path});
}

Checked Session::failure(const Truth& truth) const {
  Checked failed{Outcome::Fails, {}};
  try {
    if (!truth.because) return failed;
    Evidence evidence = truth.because();
    failed.sentence = std::move(evidence.sentence);
    if (!evidence.tree) return failed;
    failed.because = term_text(*evidence.tree->model, evidence.tree->tree);
    if (evidence.tree->tree.size() <= schedule_limit) failed.details = details_of(*evidence.tree);
  } catch (const Interrupted&) {        // it fails all the same
  } catch (const std::length_error&) {  // nobody would read it
  }
  return failed;
}

// The scope and the variable of a round end with it, however it ends.
class Session::Round {
 public:
  Round(Session& session, const std::string& variable, const Evaluator::Element& element) : session_{session} {
    session_.evaluator_.open_scope();
    session_.evaluator_.define(variable, element.value);
    session_.variables_.emplace_back(variable, element.text);
  }
  ~Round() {
    session_.evaluator_.close_scope();
    session_.variables_.pop_back();
  }
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

 private:
  Session& session_;
};

void Session::execute(const Statement&, const For& loop) {
  for (const Evaluator::Element& element : evaluator_.elements_of(*loop.list, source_)) {
    const Round round{*this, loop.variable, element};
    run_statements(loop.body);
  }
}

// A table that is interrupted is told as far as it got.
void Session::execute(const Statement& statement, const Table& table) {
  Tabulated made;
  for (const Range& range : table.ranges) made.variables.push_back(range.variable);
  for (const ExpressionPtr& column : table.columns) made.columns.push_back(quoted_line(*source_, column->at));
  std::vector<std::string> choice;
  try {
    fill(made, table, choice);
  } catch (const Interrupted& interrupted) {
    made.because = interrupted.what();
    report(statement, std::move(made));
    throw;
  }
  report(statement, std::move(made));
}

void Session::fill(Tabulated& made, const Table& table, std::vector<std::string>& choice) {
  if (choice.size() < table.ranges.size()) {
    const Range& range = table.ranges[choice.size()];
    for (const Evaluator::Element& element : evaluator_.elements_of(*range.list, source_)) {
      const Round round{*this, range.variable, element};
      choice.push_back(element.text);
      fill(made, table, choice);
      choice.pop_back();
    }
    return;
  }
  made.rows.push_back({choice, {}});
  for (const ExpressionPtr& column : table.columns)
    fill_cell(made, table.columns.size(), [&] { return shown(evaluator_.evaluate(*column, source_)); });
}

template <class MakeValue>
void Session::fill_cell(Tabulated& made, std::size_t columns, MakeValue&& value) {
  std::optional<Shown> cell;
  try {
    cell = value();
  } catch (const Interrupted& interrupted) {
    if (interrupted.reason() != StopReason::States) {
      made.rows.back().cells.resize(columns);
      throw;
    }
    made.because = reason_of(interrupted);
  }
  made.rows.back().cells.push_back(std::move(cell));
}

// How large a set is takes its automaton.
void Session::execute(const Statement& statement, const ListNames&) {
  Tabulated made{{"name"}, {"type", "value"}, {}, {}};
  try {
    for (const auto& [name, value] : evaluator_.meanings()) {
      if (std::holds_alternative<Broken>(*value)) continue;
      made.rows.push_back({{std::string{name}}, {Shown{"a text", std::string{type_name(*value)}, {}}}});
      const Value& meaning = *value;
      fill_cell(made, 2, [&] { return summary(meaning); });
    }
  } catch (const Interrupted& interrupted) {
    made.because = interrupted.what();
    report(statement, std::move(made));
    throw;
  }
  report(statement, std::move(made));
}

Shown Session::summary(const Value& value) {
  if (const auto* tree = std::get_if<TreeValue>(&value)) return {"a text", counted(tree->tree.size(), "node"), {}};
  if (const auto* function = std::get_if<FunctionPtr>(&value)) {
    std::string parameters;
    for (const std::string& parameter : (*function)->parameters)
      parameters += (parameters.empty() ? "" : ", ") + parameter;
    return {"a text", fmt::format("{}({})", (*function)->name, parameters), {}};
  }
  Shown all = shown(value);
  all.details.clear();
  return all;
}

Shown Session::shown(const Value& value) {
  const std::string type{type_name(value)};
  if (const auto* truth = std::get_if<Truth>(&value)) return {type, truth->holds, {}};
  if (const auto* number = std::get_if<Number>(&value)) {
    if (*number <= std::numeric_limits<std::int64_t>::max() && *number >= std::numeric_limits<std::int64_t>::min())
      return {type, number->convert_to<std::int64_t>(), {}};
    return {type, number->str(), {}};
  }
  if (const auto* text = std::get_if<std::string>(&value)) return {type, *text, {}};
  if (const auto* list = std::get_if<List>(&value)) return {type, *list, {}};
  if (const auto* tree = std::get_if<TreeValue>(&value))
    return {type, term_text(*tree->model, tree->tree), details_of(*tree)};
  if (const auto* set = std::get_if<SetPtr>(&value)) {
    const treeauto::Automaton& automaton = evaluator_.automata().of(*set);
    const StopToken stop = evaluator_.automata().limits().stop;
    const std::string size = !treeauto::is_finite(automaton)
                                 ? "infinitely many trees"
                                 : fmt::format("{} trees", treeauto::count_all_trees(automaton, stop).str());
    return {type,
            fmt::format("{}; an automaton with {} and {}", size == "1 trees" ? "1 tree" : size,
                        counted(automaton.state_count(), "state"), counted(automaton.transition_count(), "transition")),
            {}};
  }
  if (const auto* numbers = std::get_if<Numbers>(&value))
    return {type, fmt::format("{}..{}", numbers->first, numbers->last), {}};
  if (const auto* trees = std::get_if<TreeList>(&value)) {
    Shown list{type, counted(trees->trees.size(), "tree"), {}};
    for (const dpn::ExecutionTree& tree : trees->trees) list.details.push_back(term_text(*trees->model, tree));
    if (!trees->all) list.details.emplace_back("and more; limit = k asks for up to k trees");
    return list;
  }
  if (const auto* function = std::get_if<FunctionPtr>(&value))
    return {type, fmt::format("a function of {}", counted((*function)->parameters.size(), "argument")), {}};
  return {type, type, {}};
}

}  // namespace lockwood::sets
