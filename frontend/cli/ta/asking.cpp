#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "frontend/cli/ta/operations.hpp"
#include "frontend/cli/ta/session.hpp"
#include "treeauto/automaton/tree.hpp"
#include "treeauto/lazy/inclusion.hpp"
#include "treeauto/lazy/universality.hpp"
#include "treeauto/operations/emptiness.hpp"
#include "treeauto/operations/finiteness.hpp"
#include "treeauto/operations/membership.hpp"

namespace lockwood::frontend::ta {
namespace {

using treeauto::Automaton;
using treeauto::InclusionMethod;

void declare_asking(CLI::App& app, SessionOptions& options) {
  declare_output_path(app, options.common.output.path);
  declare_session(app, options);
}

struct QuestionOptions : SessionOptions {
  std::string path;
};

void declare_question(CLI::App& app, QuestionOptions& options) {
  declare_only_automaton(app, options.path);
  declare_asking(app, options);
}

ExitStatus run_empty(const QuestionOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  return session.finish(session.compute([&](StopToken) { return treeauto::is_empty(automaton); }));
}

ExitStatus run_finite(const QuestionOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  return session.finish(session.compute([&](StopToken) { return treeauto::is_finite(automaton); }));
}

void declare_method(CLI::App& app, InclusionMethod& method) {
  add_choice<InclusionMethod>(app, "--method", method,
                              {{"auto", InclusionMethod::Automatic},
                               {"upward", InclusionMethod::Upward},
                               {"upward-simulation", InclusionMethod::UpwardSimulation},
                               {"downward", InclusionMethod::Downward},
                               {"downward-simulation", InclusionMethod::DownwardSimulation}},
                              "how to decide it: by antichains from the leaves up or from the root down, perhaps "
                              "pruned by simulations; the answer is the same (default auto)")
      ->group(section::analysis);
}

struct UniversalOptions : QuestionOptions {
  std::string over;
  InclusionMethod method = InclusionMethod::Automatic;
  std::size_t tree_limit = default_tree_limit;
};

void declare_universal(CLI::App& app, UniversalOptions& options) {
  declare_only_automaton(app, options.path);
  declare_over(app, options.over);
  declare_method(app, options.method);
  declare_tree_limit(app, options.tree_limit);
  declare_asking(app, options);
}

ExitStatus run_universal(const UniversalOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read_over(options.path, options.over);
  const auto rejected = session.compute(
      [&](StopToken stop) { return treeauto::rejected_tree(automaton, {.method = options.method}, stop); });
  return session.finish(!rejected, rejected, options.tree_limit);
}

struct MemberOptions : QuestionOptions {
  std::optional<std::string> term;
  std::optional<std::string> tree;
  bool any_symbol = false;
};

void declare_member(CLI::App& app, MemberOptions& options) {
  declare_only_automaton(app, options.path);
  auto* term = app.add_option("TERM", options.term, "the tree, such as 'f(a, g(b))'")->group(section::input);
  app.add_option("--tree", options.tree, "read the tree from a file; - is standard input")
      ->type_name("FILE")
      ->excludes(term)
      ->group(section::input);
  app.add_flag("--any-symbol", options.any_symbol,
               "answer no if the tree has a symbol that the automaton lacks; else that is an error")
      ->group(section::input);
  declare_asking(app, options);
}

ExitStatus run_member(const MemberOptions& options, Run& run) {
  if (!options.term && !options.tree) throw InputError{"lockwood ta member", "no tree: TERM or --tree=FILE is missing"};
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  const std::string text = options.tree ? session.read_text(*options.tree) : *options.term;
  const std::string file = options.tree ? shown_name(*options.tree) : "<term>";
  const treeauto::Tree tree =
      options.any_symbol ? treeauto::read_tree(text, file) : treeauto::read_tree(text, automaton.alphabet(), file);
  return session.finish(session.compute([&](StopToken stop) { return treeauto::accepts(automaton, tree, stop); }));
}

struct ComparisonOptions : SessionOptions {
  std::string first;
  std::string second;
  InclusionMethod method = InclusionMethod::Automatic;
  std::size_t tree_limit = default_tree_limit;
};

void declare_comparison(CLI::App& app, ComparisonOptions& options) {
  declare_automaton(app, "FIRST", options.first, "the first automaton; - is standard input");
  declare_automaton(app, "SECOND", options.second, "the second automaton");
  declare_method(app, options.method);
  declare_tree_limit(app, options.tree_limit);
  declare_asking(app, options);
}

ExitStatus run_included(const ComparisonOptions& options, Run& run) {
  Session session{options, run};
  const Automaton first = session.read(options.first);
  const Automaton second = session.read(options.second);
  const treeauto::Inclusion inclusion = session.compute(
      [&](StopToken stop) { return treeauto::inclusion(first, second, {.method = options.method}, stop); });
  return session.finish(inclusion.holds, inclusion.counterexample, options.tree_limit);
}

ExitStatus run_equivalent(const ComparisonOptions& options, Run& run) {
  Session session{options, run};
  const Automaton first = session.read(options.first);
  const Automaton second = session.read(options.second);
  const treeauto::Equivalence equivalence = session.compute(
      [&](StopToken stop) { return treeauto::equivalence(first, second, {.method = options.method}, stop); });
  const ExitStatus status = session.finish(equivalence.holds, equivalence.counterexample, options.tree_limit);
  if (!equivalence.holds)
    session.note(fmt::format("only {} accepts this tree",
                             shown_name(equivalence.accepted_by_first ? options.first : options.second)));
  return status;
}

}  // namespace

std::vector<Command> asking_operations() {
  std::vector<Command> operations;
  operations.push_back(make_command<QuestionOptions>(
      {.name = "empty",
       .group = CommandGroup::Ask,
       .summary = "whether an automaton accepts no tree",
       .description = "Answers yes if the automaton accepts no tree, else no.",
       .examples = {{"lockwood ta intersect a.timbuk b.timbuk | lockwood ta empty -", "whether two sets are disjoint"}},
       .exits = ExitTable::Answer},
      declare_question, run_empty));
  operations.push_back(make_command<UniversalOptions>(
      {.name = "universal",
       .group = CommandGroup::Ask,
       .summary = "whether an automaton accepts every tree",
       .description = "Answers yes if the automaton accepts every tree over its symbols, including those that are "
                      "declared and not used. Else no, with a tree that it rejects on the next line.",
       .examples = {{"lockwood ta union a.timbuk b.timbuk | lockwood ta universal -", "whether two sets are all"}},
       .exits = ExitTable::Answer},
      declare_universal, run_universal));
  operations.push_back(make_command<QuestionOptions>(
      {.name = "finite",
       .group = CommandGroup::Ask,
       .summary = "whether an automaton accepts only finitely many trees",
       .description = "Answers yes if the automaton accepts only finitely many trees, else "
                      "no.",
       .examples = {{"lockwood ta finite a.timbuk && lockwood ta count a.timbuk",
                     "how many trees, if that is a number"}},
       .exits = ExitTable::Answer},
      declare_question, run_finite));
  operations.push_back(make_command<MemberOptions>(
      {.name = "member",
       .group = CommandGroup::Ask,
       .summary = "whether an automaton accepts a tree",
       .description = "Answers yes if the automaton accepts the tree, else no. A tree is written as a term, in which "
                      "white space does not matter; a() is the same as a.",
       .examples = {{"lockwood ta member a.timbuk 'f(a, g(b))'", "a tree on the command line"},
                    {"lockwood ta witness a.timbuk | lockwood ta member b.timbuk --tree=-", "a tree through a pipe"}},
       .exits = ExitTable::Answer},
      declare_member, run_member));
  operations.push_back(make_command<ComparisonOptions>(
      {.name = "included",
       .group = CommandGroup::Ask,
       .summary = "whether all trees of one automaton are trees of another",
       .description = "Answers yes if the second automaton accepts every tree that the first accepts. Else no, with a "
                      "tree that only the first accepts on the next line. Symbols are matched by name and rank.",
       .examples = {{"lockwood ta included implementation.timbuk specification.timbuk", "yes, or a counterexample"}},
       .exits = ExitTable::Answer},
      declare_comparison, run_included));
  operations.push_back(make_command<ComparisonOptions>(
      {.name = "equivalent",
       .group = CommandGroup::Ask,
       .summary = "whether two automata accept the same trees",
       .description = "Answers yes if both automata accept the same trees. Else no, with a tree that only one of them "
                      "accepts on the next line; a note on standard error tells which.",
       .examples = {{"lockwood ta reduce a.timbuk | lockwood ta equivalent - a.timbuk", "yes"}},
       .exits = ExitTable::Answer},
      declare_comparison, run_equivalent));
  return operations;
}

}  // namespace lockwood::frontend::ta
