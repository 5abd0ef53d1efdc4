#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/suggestion.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/cli/ta/operations.hpp"
#include "frontend/cli/ta/session.hpp"
#include "frontend/report/dot/svg_picture.hpp"
#include "treeauto/formats/dot.hpp"
#include "treeauto/formats/timbuk_specification.hpp"
#include "treeauto/operations/completion.hpp"
#include "treeauto/operations/emptiness.hpp"
#include "treeauto/operations/finiteness.hpp"
#include "treeauto/operations/trim.hpp"

namespace lockwood::frontend::ta {
namespace {

using treeauto::Automaton;

struct ShowingOptions : SessionOptions {
  std::string path;
};

struct InfoOptions : ShowingOptions {
  bool symbols = false;
};

void declare_info(CLI::App& app, InfoOptions& options) {
  declare_only_automaton(app, options.path);
  app.add_flag("--symbols", options.symbols, "also the symbols, with their ranks and numbers of transitions")
      ->group(section::output);
  declare_report(app, options.common.output);
  declare_session(app, options);
}

PropertyList properties(const Automaton& automaton) {
  const auto accessible = treeauto::accessible_states(automaton);
  const auto coaccessible = treeauto::coaccessible_states(automaton);
  std::size_t reached = 0;
  std::size_t useful = 0;
  for (treeauto::State state : automaton.states()) {
    reached += accessible[state] ? 1U : 0U;
    useful += accessible[state] && coaccessible[state] ? 1U : 0U;
  }
  return {.key = "automaton",
          .title = "Automaton",
          .properties = {{"name", automaton.name()},
                         {"symbols", count(automaton.alphabet().size())},
                         {"highest_rank", count(automaton.alphabet().max_rank())},
                         {"states", count(automaton.state_count())},
                         {"final_states", count(automaton.final_states().size())},
                         {"accessible_states", count(reached)},
                         {"useful_states", count(useful)},
                         {"transitions", count(automaton.transition_count())},
                         {"size", count(total_size(automaton))},
                         {"deterministic", treeauto::is_deterministic(automaton)},
                         {"complete", treeauto::is_complete(automaton)},
                         {"empty", treeauto::is_empty(automaton)},
                         {"finite", treeauto::is_finite(automaton)}}};
}

Table symbol_table(const Automaton& automaton) {
  Table table{.key = "symbols", .title = "Symbols", .columns = {"symbol", "rank", "transitions"}, .rows = {}};
  const treeauto::Alphabet& alphabet = automaton.alphabet();
  for (treeauto::Symbol symbol : alphabet.symbols())
    table.rows.push_back({std::string{alphabet.name(symbol)}, count(alphabet.rank(symbol)),
                          count(automaton.transitions_of(symbol).size())});
  return table;
}

ExitStatus run_info(const InfoOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  ReportWriter writer{run};
  writer.add(session.compute([&](StopToken) { return properties(automaton); }));
  if (options.symbols) writer.add(symbol_table(automaton));
  writer.finish();
  session.note_computation();
  return ExitStatus::Nothing;
}

struct ConvertOptions : ShowingOptions {
  AutomatonFormat to = AutomatonFormat::ByName;
  std::string automaton;
};

void declare_convert(CLI::App& app, ConvertOptions& options) {
  declare_only_automaton(app, options.path);
  app.add_option("--automaton", options.automaton,
                 "read a whole Timbuk specification, with several automata and perhaps other sections, and take the "
                 "automaton of that name")
      ->type_name("NAME")
      ->group(section::input);
  declare_output_path(app, options.common.output.path);
  declare_format(app, options.to);
  declare_session(app, options);
  app.get_option("--automaton")->excludes(app.get_option("--from"));
}

// The automaton of that name in a file with several.
Automaton read_one_of_many(const ConvertOptions& options, Session& session, Run& run) {
  const std::string file = shown_name(options.path);
  const auto reading = options.strict ? treeauto::TimbukReading::Strict : treeauto::TimbukReading::Lenient;
  const auto specification =
      treeauto::read_timbuk_specification(session.read_text(options.path), file, reading, session.stop());
  for (const Diagnostic& skipped : specification.skipped) run.warn(skipped);
  Suggestion suggestion{options.automaton};
  for (const Automaton& automaton : specification.automata) {
    if (automaton.name() == options.automaton) return automaton;
    suggestion.consider(automaton.name());
  }
  throw InputError{{Diagnostic{.file = file,
                               .message = fmt::format("there is no automaton '{}'", options.automaton),
                               .hint = suggestion.hint()}}};
}

ExitStatus run_convert(const ConvertOptions& options, Run& run) {
  Session session{options, run};
  return session.finish(
      options.automaton.empty() ? session.read(options.path) : read_one_of_many(options, session, run), options.to);
}

struct DotOptions : ShowingOptions {
  std::optional<std::string> svg;  // "-" is the place of the answer
};

void declare_dot(CLI::App& app, DotOptions& options) {
  declare_only_automaton(app, options.path);
  app.add_option("--svg", options.svg, "have it drawn by Graphviz, into a file or as the answer")
      ->type_name("[FILE]")
      ->group(section::output);
  declare_output_path(app, options.common.output.path);
  declare_session(app, options);
}

ExitStatus run_dot(const DotOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  const std::string picture = session.compute([&](StopToken stop) {
    std::string graph = treeauto::to_dot(automaton);
    return options.svg ? to_svg(graph, stop) : graph;
  });
  if (!options.svg || *options.svg == "-") return session.finish(picture);
  write_text_file(*options.svg, picture);
  return ExitStatus::Nothing;
}

}  // namespace

std::vector<Command> showing_operations() {
  std::vector<Command> operations;
  operations.push_back(make_command<InfoOptions>(
      {.name = "info",
       .group = CommandGroup::Look,
       .summary = "an automaton in numbers",
       .description = "Counts states, symbols and transitions, and tells whether the automaton is deterministic and "
                      "complete, and whether it accepts no tree, or only finitely many.",
       .examples = {{"lockwood ta info a.timbuk --symbols", "with a table of its symbols"},
                    {"lockwood ta info a.timbuk --json", "for other programs"}}},
      declare_info, run_info));
  operations.push_back(make_command<ConvertOptions>(
      {.name = "convert",
       .group = CommandGroup::Convert,
       .summary = "an automaton from Timbuk to JSON and back",
       .description = "Writes the automaton in another format. Names, declared symbols and declared states are kept; "
                      "comments, layout and repeated transitions are not.",
       .examples = {{"lockwood ta convert a.timbuk -o a.json", "from Timbuk to JSON"},
                    {"lockwood ta convert all.tim --automaton=Goal | lockwood ta empty -",
                     "one automaton of a specification"}}},
      declare_convert, run_convert));
  operations.push_back(make_command<DotOptions>(
      {.name = "dot",
       .group = CommandGroup::Convert,
       .summary = "an automaton as a picture for Graphviz",
       .description =
           "Writes a picture for Graphviz: states are circles, final ones double; a transition is a box with "
           "its symbol, or an arrow if it has one child.",
       .examples = {{"lockwood ta dot a.timbuk --svg=a.svg", "as a picture for a browser"}}},
      declare_dot, run_dot));
  return operations;
}

}  // namespace lockwood::frontend::ta
