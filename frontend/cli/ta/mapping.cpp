#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "base/text/suggestion.hpp"
#include "frontend/cli/ta/operations.hpp"
#include "frontend/cli/ta/session.hpp"
#include "treeauto/operations/homomorphism.hpp"
#include "treeauto/operations/image.hpp"
#include "treeauto/operations/inverse_image.hpp"

namespace lockwood::frontend::ta {
namespace {

using treeauto::Alphabet;
using treeauto::Automaton;
using treeauto::Symbol;

[[noreturn]] void refuse(const Run& run, std::string message, std::string hint = {}) {
  throw InputError{{Diagnostic{
      .file = "lockwood " + std::string{run.command}, .message = std::move(message), .hint = std::move(hint)}}};
}

// The symbols that are meant by `f:2`, or by `f`, which may be several, of different ranks. There is one, at least.
std::vector<Symbol> symbols_named(const Run& run, const Alphabet& alphabet, const std::string& text) {
  std::vector<Symbol> all = alphabet.with_name(text);
  if (!all.empty()) return all;
  Suggestion suggestion{text};
  for (Symbol symbol : alphabet.symbols()) {
    const std::string full = fmt::format("{}:{}", alphabet.name(symbol), alphabet.rank(symbol));
    if (text == full) return {symbol};
    suggestion.consider(alphabet.name(symbol));
    suggestion.consider(full);
  }
  refuse(run, fmt::format("the automaton has no symbol '{}'", text), suggestion.hint());
}

struct ProjectOptions : ComputingOptions {
  std::string path;
  std::vector<std::string> onto;
  std::vector<std::string> without;
};

void declare_project(CLI::App& app, ProjectOptions& options) {
  declare_only_automaton(app, options.path);
  auto* onto = app.add_option("--onto", options.onto, "keep the nodes with these symbols only, NAME or NAME:RANK")
                   ->delimiter(',')
                   ->type_name("SYMBOL,...")
                   ->group(section::analysis);
  app.add_option("--without", options.without, "take out the nodes with these symbols")
      ->delimiter(',')
      ->type_name("SYMBOL,...")
      ->group(section::analysis)
      ->excludes(onto);
  declare_computing(app, options);
}

ExitStatus run_project(const ProjectOptions& options, Run& run) {
  if (options.onto.empty() && options.without.empty())
    refuse(run, "which symbols are to be taken out?", "--onto=SYMBOL,... keeps these, --without=SYMBOL,... the others");
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  const Alphabet& alphabet = automaton.alphabet();
  IdVector<Symbol, bool> taken(alphabet.size(), options.without.empty());
  for (const std::string& name : options.without.empty() ? options.onto : options.without)
    for (Symbol symbol : symbols_named(run, alphabet, name)) taken[symbol] = !options.without.empty();
  std::vector<Symbol> erased;
  for (Symbol symbol : alphabet.symbols()) {
    if (!taken[symbol]) continue;
    if (alphabet.rank(symbol) != 1)
      refuse(run,
             fmt::format("'{}' has rank {}: only a node with one child can be taken out of a tree",
                         alphabet.name(symbol), alphabet.rank(symbol)),
             "a transducer can do more: lockwood ta image --help");
    erased.push_back(symbol);
  }
  return session.finish(
      session.compute([&](StopToken stop) { return treeauto::without_unary_symbols(automaton, erased, stop); }),
      options.to);
}

struct RenameOptions : ComputingOptions {
  std::string path;
  std::vector<std::string> renamings;
};

void declare_rename(CLI::App& app, RenameOptions& options) {
  declare_only_automaton(app, options.path);
  app.add_option("OLD=NEW", options.renamings, "a symbol, NAME or NAME:RANK, and the name that it gets")
      ->required()
      ->type_name("")
      ->group(section::input);
  declare_computing(app, options);
}

// At the last sign of equality that leaves a symbol before it: names may have such signs themselves.
struct Renaming {
  std::vector<Symbol> symbols;
  std::string name;
};
Renaming renaming_in(const Run& run, const Alphabet& alphabet, const std::string& text) {
  const std::size_t first = text.find('=');
  if (first == std::string::npos || first == 0)
    refuse(run, fmt::format("'{}' should be OLD=NEW", text), "the symbol OLD gets the name NEW");
  const std::size_t last = text.rfind('=');
  std::size_t at = first;
  if (alphabet.with_name(text.substr(0, first)).empty() && !alphabet.with_name(text.substr(0, last)).empty()) at = last;
  if (at + 1 == text.size()) refuse(run, fmt::format("'{}' gives no new name", text));
  return {symbols_named(run, alphabet, text.substr(0, at)), text.substr(at + 1)};
}

// All at once, so that names can be swapped.
ExitStatus run_rename(const RenameOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  const Alphabet& alphabet = automaton.alphabet();
  IdVector<Symbol, std::optional<std::string>> names(alphabet.size());
  for (const std::string& text : options.renamings) {
    const Renaming renaming = renaming_in(run, alphabet, text);
    for (Symbol symbol : renaming.symbols) {
      if (names[symbol])
        refuse(run,
               fmt::format("'{}' gets two names: '{}' and '{}'", alphabet.name(symbol), *names[symbol], renaming.name));
      names[symbol] = renaming.name;
    }
  }
  treeauto::AlphabetBuilder builder;
  IdVector<Symbol, std::optional<Symbol>> symbols(alphabet.size());
  for (Symbol symbol : alphabet.symbols())
    symbols[symbol] =
        builder.add(names[symbol] ? std::string_view{*names[symbol]} : alphabet.name(symbol), alphabet.rank(symbol));
  const Alphabet output = std::move(builder).build();
  return session.finish(session.compute([&](StopToken) { return treeauto::relabelled(automaton, output, symbols); }),
                        options.to);
}

struct ImageOptions : ComputingOptions {
  std::string transducer;
  std::string path;
};

void declare_image(CLI::App& app, ImageOptions& options) {
  declare_automaton(app, "TRANSDUCER", options.transducer, "the transducer; - is standard input");
  declare_automaton(app, "FILE", options.path, "the automaton; - is standard input");
  declare_computing(app, options);
}

ExitStatus run_image(const ImageOptions& options, Run& run) {
  Session session{options, run};
  const std::string text = session.read_text(options.transducer);
  const treeauto::TransducerText read = session.read_transducer(options.transducer, text);
  for (treeauto::TransducerRule rule : read.transducer.rules().keys())
    if (!is_linear(read.transducer.rules()[rule].output))
      throw InputError{{diagnostic_at(shown_name(options.transducer), text, read.places[rule],
                                      read.transducer.input().name(read.transducer.rules()[rule].symbol).size(),
                                      "this rule copies a variable: no automaton need accept just what it puts out")}};
  const Automaton automaton = session.read(options.path);
  return session.finish(
      session.compute([&](StopToken stop) { return treeauto::image(read.transducer, automaton, stop); }), options.to);
}

ExitStatus run_preimage(const ImageOptions& options, Run& run) {
  Session session{options, run};
  const treeauto::TransducerText read =
      session.read_transducer(options.transducer, session.read_text(options.transducer));
  const Automaton automaton = session.read(options.path);
  return session.finish(
      session.compute([&](StopToken stop) { return treeauto::inverse_image(read.transducer, automaton, stop); }),
      options.to);
}

}  // namespace

std::vector<Command> mapping_operations() {
  std::vector<Command> operations;
  operations.push_back(make_command<ProjectOptions>(
      {.name = "project",
       .group = CommandGroup::Compute,
       .summary = "the trees without the nodes of some symbols",
       .description = "Writes an automaton for the trees that are left of the accepted ones if all nodes with some "
                      "symbols are taken out. These symbols must have rank 1: the child takes the place of the node.",
       .examples = {{"lockwood ta project a.timbuk --without=s,p:1", "without two symbols"},
                    {"lockwood ta project words.timbuk --onto=a,b,end", "words with two letters only"}}},
      declare_project, run_project));
  operations.push_back(make_command<RenameOptions>(
      {.name = "rename",
       .group = CommandGroup::Compute,
       .summary = "the same trees with other names for symbols",
       .description = "Writes an automaton for the trees that the accepted ones become if symbols get other names. "
                      "Several may get the same name. All get their names at once, so that names can be swapped.",
       .examples = {{"lockwood ta rename a.timbuk f=g g=f", "swapped"},
                    {"lockwood ta rename a.timbuk a=leaf b=leaf f:2=node", "without the difference between a and b"}}},
      declare_rename, run_rename));
  operations.push_back(make_command<ImageOptions>(
      {.name = "image",
       .group = CommandGroup::Compute,
       .summary = "what a transducer makes of the trees",
       .description = "Writes an automaton for all outputs of a bottom-up tree transducer for the accepted trees. Its "
                      "rules, such as f(q(x), r(y)) -> q(g(y)), may leave out variables, and must not copy them.",
       .examples = {{"lockwood ta image step.transducer a.timbuk | lockwood ta included - a.timbuk",
                     "whether a step leads out of a set"}}},
      declare_image, run_image));
  operations.push_back(make_command<ImageOptions>(
      {.name = "preimage",
       .group = CommandGroup::Compute,
       .summary = "the trees of which a transducer makes accepted ones",
       .description = "Writes an automaton for the trees for which a bottom-up tree transducer has an output that is "
                      "accepted. Its rules may copy variables; then the automaton can be exponentially larger.",
       .examples = {{"lockwood ta preimage step.transducer bad.timbuk", "what a step makes bad"}}},
      declare_image, run_preimage));
  return operations;
}

}  // namespace lockwood::frontend::ta
