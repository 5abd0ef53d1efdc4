#include <string>
#include <vector>

#include "frontend/cli/ta/operations.hpp"
#include "frontend/cli/ta/session.hpp"
#include "treeauto/operations/complement.hpp"
#include "treeauto/operations/deterministic.hpp"
#include "treeauto/operations/difference.hpp"
#include "treeauto/operations/intersection.hpp"
#include "treeauto/operations/trim.hpp"
#include "treeauto/operations/union.hpp"
#include "treeauto/simulation/reduction.hpp"

namespace lockwood::frontend::ta {
namespace {

using treeauto::Automaton;

struct UnaryOptions : ComputingOptions {
  std::string path;
};

void declare_unary(CLI::App& app, UnaryOptions& options) {
  declare_only_automaton(app, options.path);
  declare_computing(app, options);
}

struct ManyOptions : ComputingOptions {
  std::vector<std::string> paths;
};

void declare_many(CLI::App& app, ManyOptions& options) {
  app.add_option("FILE...", options.paths, "two automata or more; - is standard input")
      ->required()
      ->expected(2, CLI::detail::expected_max_vector_size)
      ->type_name("FILE")
      ->group(section::input);
  declare_computing(app, options);
}

// All automata joined, from left to right.
template <class Operation>
ExitStatus run_many(const ManyOptions& options, Run& run, Operation&& operation) {
  Session session{options, run};
  std::vector<Automaton> automata;
  for (const std::string& path : options.paths) automata.push_back(session.read(path));
  const Automaton result = session.compute([&](StopToken stop) {
    Automaton joined = automata.front();
    for (std::size_t i = 1; i < automata.size(); ++i) joined = operation(joined, automata[i], stop);
    return joined;
  });
  return session.finish(result, options.to);
}

ExitStatus run_union(const ManyOptions& options, Run& run) {
  return run_many(options, run, [](const Automaton& first, const Automaton& second, StopToken) {
    return treeauto::union_of(first, second);
  });
}

ExitStatus run_intersect(const ManyOptions& options, Run& run) {
  return run_many(options, run, treeauto::intersection);
}

struct MinusOptions : ComputingOptions {
  std::string first;
  std::string second;
};

void declare_minus(CLI::App& app, MinusOptions& options) {
  declare_automaton(app, "FIRST", options.first, "the automaton to take from; - is standard input");
  declare_automaton(app, "SECOND", options.second, "the automaton whose trees are taken away");
  declare_computing(app, options);
}

ExitStatus run_minus(const MinusOptions& options, Run& run) {
  Session session{options, run};
  const Automaton first = session.read(options.first);
  const Automaton second = session.read(options.second);
  return session.finish(session.compute([&](StopToken stop) { return treeauto::difference(first, second, stop); }),
                        options.to);
}

struct ComplementOptions : UnaryOptions {
  std::string over;
};

void declare_complement(CLI::App& app, ComplementOptions& options) {
  declare_only_automaton(app, options.path);
  declare_over(app, options.over);
  declare_computing(app, options);
}

ExitStatus run_complement(const ComplementOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read_over(options.path, options.over);
  return session.finish(session.compute([&](StopToken stop) { return treeauto::complement(automaton, stop); }),
                        options.to);
}

struct DeterministicOptions : UnaryOptions {
  bool complete = false;
};

void declare_deterministic(CLI::App& app, DeterministicOptions& options) {
  declare_only_automaton(app, options.path);
  app.add_flag("--complete", options.complete, "a transition for each symbol and tuple of states, with a sink")
      ->group(section::analysis);
  declare_computing(app, options);
}

template <class Operation>
ExitStatus run_deterministic(const DeterministicOptions& options, Run& run, Operation&& operation) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  const auto totality = options.complete ? treeauto::Totality::Complete : treeauto::Totality::Partial;
  const Automaton result = session.compute(
      [&](StopToken stop) { return treeauto::to_automaton(operation(automaton, stop), totality, stop); });
  return session.finish(result, options.to);
}

ExitStatus run_determinize(const DeterministicOptions& options, Run& run) {
  return run_deterministic(options, run, treeauto::determinised);
}

ExitStatus run_minimize(const DeterministicOptions& options, Run& run) {
  return run_deterministic(options, run, treeauto::minimal_deterministic);
}

enum class Direction { Both, Downward, Upward };

struct ReduceOptions : UnaryOptions {
  Direction by = Direction::Both;
  bool keep_transitions = false;
};

void declare_reduce(CLI::App& app, ReduceOptions& options) {
  declare_only_automaton(app, options.path);
  add_choice<Direction>(app, "--by", options.by,
                        {{"both", Direction::Both}, {"downward", Direction::Downward}, {"upward", Direction::Upward}},
                        "the simulations to use (default both)")
      ->group(section::analysis);
  app.add_flag("--keep-transitions", options.keep_transitions,
               "only join states; leave out no transition because another does as well")
      ->group(section::analysis);
  declare_computing(app, options);
}

ExitStatus run_reduce(const ReduceOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  const treeauto::ReductionOptions how{.downward = options.by != Direction::Upward,
                                       .upward = options.by != Direction::Downward,
                                       .prune = !options.keep_transitions};
  return session.finish(session.compute([&](StopToken stop) { return treeauto::reduced(automaton, how, stop); }),
                        options.to);
}

ExitStatus run_trim(const UnaryOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  return session.finish(session.compute([&](StopToken) { return treeauto::trimmed(automaton); }), options.to);
}

}  // namespace

std::vector<Command> computing_operations() {
  std::vector<Command> operations;
  operations.push_back(make_command<ManyOptions>(
      {.name = "union",
       .group = CommandGroup::Compute,
       .summary = "the trees that one of several automata accepts",
       .description = "Writes an automaton that accepts what at least one of the automata accepts. Symbols are matched "
                      "by name and rank; states of different files have nothing to do with each other.",
       .examples = {{"lockwood ta union a.timbuk b.timbuk c.timbuk -o all.timbuk", "three sets joined"}}},
      declare_many, run_union));
  operations.push_back(make_command<ManyOptions>(
      {.name = "intersect",
       .group = CommandGroup::Compute,
       .summary = "the trees that all of several automata accept",
       .description = "Writes an automaton that accepts what all of the automata accept, without useless states. "
                      "Symbols are matched by name and rank.",
       .examples = {{"lockwood ta intersect a.timbuk b.timbuk | lockwood ta empty -",
                     "whether two sets are disjoint"}}},
      declare_many, run_intersect));
  operations.push_back(make_command<MinusOptions>(
      {.name = "minus",
       .group = CommandGroup::Compute,
       .summary = "the trees that one automaton accepts and another does not",
       .description = "Writes an automaton that accepts what the first accepts and the second does not.",
       .examples = {{"lockwood ta minus a.timbuk b.timbuk | lockwood ta enumerate -", "trees that only a accepts"}}},
      declare_minus, run_minus));
  operations.push_back(make_command<ComplementOptions>(
      {.name = "complement",
       .group = CommandGroup::Compute,
       .summary = "the trees that an automaton does not accept",
       .description = "Writes an automaton that accepts exactly the trees which the automaton does not accept. Trees "
                      "are those over its symbols, including the ones that are declared and not used.",
       .examples = {{"lockwood ta complement a.timbuk | lockwood ta minimize -", "as a deterministic automaton"},
                    {"lockwood ta complement a.timbuk --over=b.timbuk", "among the trees over the symbols of both"}}},
      declare_complement, run_complement));
  operations.push_back(make_command<DeterministicOptions>(
      {.name = "determinize",
       .group = CommandGroup::Compute,
       .summary = "an equivalent deterministic automaton",
       .description = "Writes a deterministic bottom-up automaton for the same trees, by the subset construction. It "
                      "can be exponentially larger.",
       .examples = {{"lockwood ta determinize a.timbuk --complete", "with a sink"}}},
      declare_deterministic, run_determinize));
  operations.push_back(make_command<DeterministicOptions>(
      {.name = "minimize",
       .group = CommandGroup::Compute,
       .summary = "the smallest equivalent deterministic automaton",
       .description = "Writes the smallest deterministic bottom-up automaton for the same trees. Automata for the same "
                      "trees over the same symbols get the same number of states.",
       .examples = {{"lockwood ta minimize a.timbuk --stats", "and how large it is"}}},
      declare_deterministic, run_minimize));
  operations.push_back(make_command<ReduceOptions>(
      {.name = "reduce",
       .group = CommandGroup::Compute,
       .summary = "a smaller equivalent automaton, by simulations",
       .description = "Writes an automaton for the same trees, never larger and usually smaller: states that simulate "
                      "each other become one, and transitions that others make superfluous are left out.",
       .examples = {{"lockwood ta reduce a.timbuk -o small.timbuk --stats", "and what it brought"}}},
      declare_reduce, run_reduce));
  operations.push_back(make_command<UnaryOptions>(
      {.name = "trim",
       .group = CommandGroup::Compute,
       .summary = "without useless states and transitions",
       .description = "Writes the part of the automaton that takes part in the acceptance of some tree.",
       .examples = {{"lockwood ta trim a.timbuk", "the useful part"}}},
      declare_unary, run_trim));
  return operations;
}

}  // namespace lockwood::frontend::ta
