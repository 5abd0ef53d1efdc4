#include "frontend/cli/ta/session.hpp"

#include <fmt/format.h>

#include "base/process/text_file.hpp"
#include "base/process/watchdog.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/quantity.hpp"
#include "treeauto/automaton/tree.hpp"
#include "treeauto/formats/json.hpp"
#include "treeauto/formats/timbuk.hpp"

namespace lockwood::frontend::ta {
namespace {

using treeauto::Automaton;

bool looks_like_json(const std::string& path, std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return path.ends_with(".json") || (first != std::string_view::npos && text[first] == '{');
}

std::string counted(std::size_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

}  // namespace

std::string shown_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

void declare_session(CLI::App& app, SessionOptions& options) {
  add_choice<AutomatonFormat>(app, "--from", options.from,
                              {{"timbuk", AutomatonFormat::Timbuk}, {"json", AutomatonFormat::Json}},
                              "the format to read; without it, JSON if the text looks like it and else Timbuk")
      ->group(section::input);
  app.add_flag("--strict", options.strict, "symbols and states must be declared, and used with the declared rank")
      ->group(section::input);
  declare_limits(app, options.common.limits);
  auto* stats =
      app.add_flag("--stats", options.stats, "tell sizes and times on standard error")->group(section::output);
  declare_general(app, options.common.general);
  stats->excludes(app.get_option("--quiet"));
}

void declare_format(CLI::App& app, AutomatonFormat& to) {
  add_choice<AutomatonFormat>(app, "--to", to, {{"timbuk", AutomatonFormat::Timbuk}, {"json", AutomatonFormat::Json}},
                              "the format to write; without it, JSON for an output *.json and else Timbuk")
      ->group(section::output);
}

void declare_computing(CLI::App& app, ComputingOptions& options) {
  declare_output_path(app, options.common.output.path);
  declare_format(app, options.to);
  declare_session(app, options);
}

CLI::Option* declare_automaton(CLI::App& app, const std::string& name, std::string& path,
                               const std::string& description) {
  return app.add_option(name, path, description)->required()->type_name("FILE")->group(section::input);
}

void declare_only_automaton(CLI::App& app, std::string& path) {
  declare_automaton(app, "FILE", path, "the automaton; - is standard input");
}

void declare_over(CLI::App& app, std::string& path) {
  app.add_option("--over", path, "trees may have the symbols of this automaton, too")
      ->type_name("FILE")
      ->group(section::input);
}

void declare_tree_limit(CLI::App& app, std::size_t& nodes) {
  add_number(app, "--max-nodes", nodes,
             fmt::format("do not write a tree with more nodes (default {})", default_tree_limit))
      ->group(section::limits);
}

Automaton Session::read_over(const std::string& path, const std::string& over) {
  Automaton automaton = read(path);
  if (over.empty()) return automaton;
  return with_alphabet(automaton, joined(automaton.alphabet(), read(over).alphabet()).alphabet);
}

std::string Session::read_text(const std::string& path) {
  if (path == "-" && std::exchange(input_read_, true))
    throw InputError{"lockwood " + std::string{run_.command}, "standard input can be read only once"};
  run_.progress.show("reading " + shown_name(path));
  return read_text_file(path, run_.stop);
}

Automaton Session::read(const std::string& path) {
  const auto start = std::chrono::steady_clock::now();
  const std::string text = read_text(path);
  const std::string file = shown_name(path);
  const bool json = options_.from == AutomatonFormat::Json ||
                    (options_.from == AutomatonFormat::ByName && looks_like_json(path, text));
  const auto reading = options_.strict ? treeauto::TimbukReading::Strict : treeauto::TimbukReading::Lenient;
  Automaton automaton =
      json ? treeauto::read_json(text, file, run_.stop) : treeauto::read_timbuk(text, file, reading, run_.stop);
  run_.stop.check();
  note_size(file, automaton, "read", std::chrono::steady_clock::now() - start);
  return automaton;
}

treeauto::TransducerText Session::read_transducer(const std::string& path, const std::string& text) {
  const auto reading = options_.strict ? treeauto::TimbukReading::Strict : treeauto::TimbukReading::Lenient;
  const std::string file = shown_name(path);
  treeauto::TransducerText result = treeauto::read_transducer(text, file, reading, run_.stop);
  if (tells_stats())
    note(fmt::format("{}: a transducer with {} and {}", file, counted(result.transducer.state_count(), "state"),
                     counted(result.transducer.rules().size(), "rule")));
  return result;
}

ExitStatus Session::finish(const Automaton& result, AutomatonFormat to) {
  const std::string& path = run_.options.output.path;
  const bool json = to == AutomatonFormat::Json || (to == AutomatonFormat::ByName && path.ends_with(".json"));
  note_size("result", result, "computed", computing_);
  const std::string text = json ? treeauto::to_json(result) : treeauto::to_timbuk(result);
  run_.stop.check();
  run_.write_answer(path, text);
  return ExitStatus::Nothing;
}

ExitStatus Session::finish(std::string_view answer) {
  note_computation();
  run_.write_answer(run_.options.output.path, answer);
  return ExitStatus::Nothing;
}

ExitStatus Session::finish(bool answer, const std::optional<treeauto::SharedTree>& reason, std::size_t tree_limit) {
  std::string text = answer ? "yes\n" : "no\n";
  if (reason) {
    if (const std::uint64_t nodes = tree_size(*reason); nodes <= tree_limit)
      text += to_text(unfolded(*reason, tree_limit)) + '\n';
    else
      note(fmt::format("a tree that shows it has {} nodes; --max-nodes allows {}", treeauto::size_as_text(nodes),
                       tree_limit));
  }
  static_cast<void>(finish(text));
  return answer ? ExitStatus::Nothing : ExitStatus::Finding;
}

void Session::note_computation() const {
  if (!tells_stats()) return;
  note(fmt::format("computed in {:.3f} s; {} of memory", computing_.count(), size_text(resident_memory())));
}

void Session::note_size(std::string_view what, const Automaton& automaton, std::string_view done,
                        std::chrono::duration<double> time) const {
  if (!tells_stats()) return;
  note(fmt::format("{}: {} ({} final), {}, {}; {} in {:.3f} s", what, counted(automaton.state_count(), "state"),
                   automaton.final_states().size(), counted(automaton.transition_count(), "transition"),
                   counted(automaton.alphabet().size(), "symbol"), done, time.count()));
}

}  // namespace lockwood::frontend::ta
