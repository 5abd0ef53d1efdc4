#include "dpn/semantics/simulate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "base/process/text_file.hpp"
#include "dpn/formats/tree_text.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/line_reader.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/cli/stepper.hpp"

namespace lockwood::frontend {
namespace {

struct SimulateOptions {
  CommonOptions common;
  std::string path;
  bool nolocks = false;
  bool interactive = false;
  bool tree = false;
  std::size_t seed = 0;
  dpn::SimulateOptions simulation;
};

void declare(CLI::App& app, SimulateOptions& options) {
  declare_model(app, options.path, options.common.program);
  app.add_flag("--nolocks", options.nolocks, "ignore all locks")->group(section::analysis);
  add_number(app, "--seed", options.seed, "another seed, another run (default 0)")->group(section::analysis);
  add_choice<dpn::MoveChoice>(app, "--choose", options.simulation.choice,
                              {{"uniform", dpn::MoveChoice::Uniform}, {"fewer-spawns", dpn::MoveChoice::FewerSpawns}},
                              "how the next move is drawn: all alike, or spawns rarely (default)")
      ->group(section::analysis);
  auto* interactive = app.add_flag("--interactive", options.interactive,
                                   "choose the moves by hand, or by a script on standard input; type help")
                          ->group(section::analysis);
  add_number(app, "--steps", options.simulation.moves,
             fmt::format("moves at most (default {})", options.simulation.moves))
      ->group(section::limits);
  declare_limits(app, options.common.limits);
  app.add_flag("--tree", options.tree, "also show the execution tree of the run")->group(section::output);
  declare_report(app, options.common.output);
  declare_general(app, options.common.general);
  // Whoever chooses by hand asks for what they want to see.
  for (const char* name : {"--seed", "--choose", "--steps", "--tree", "--output", "--json", "--timing"})
    interactive->excludes(app.get_option(name));
}

const char* to_string(dpn::RunEnd end) {
  switch (end) {
    case dpn::RunEnd::MoveLimit: return "move limit reached";
    case dpn::RunEnd::AllEnded: return "all threads have ended";
    case dpn::RunEnd::Deadlock: return "deadlock";
    case dpn::RunEnd::Stuck: return "no rule fits where the threads stand";
    case dpn::RunEnd::Stopped: return "stopped";
  }
  return "";
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines.emplace_back(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return lines;
}

// There is no time to show millions of moves when a limit was reached: the first ones have to do.
constexpr std::size_t max_moves_when_stopped = 10'000;

ExitStatus run_at_random(const SimulateOptions& options, const ModelInput& model, Run& run) {
  const dpn::Network& network = model.file.network;
  run.progress.show("simulating");
  dpn::SimulateOptions simulation = options.simulation;
  if (options.nolocks) simulation.semantics = dpn::Semantics::LockInsensitive;
  dpn::Run made = dpn::random_run(network, options.seed, simulation, run.stop);
  const bool stopped = made.end == dpn::RunEnd::Stopped;
  PropertyList summary{.key = "run",
                       .title = {},
                       .properties = {{"seed", count(options.seed)},
                                      {"moves", count(made.moves.size())},
                                      {"threads", count(made.reached.threads.size())},
                                      {"end", std::string{to_string(made.end)}}}};
  if (stopped && made.moves.size() > max_moves_when_stopped) {
    made.moves.erase(made.moves.begin() + max_moves_when_stopped, made.moves.end());
    summary.properties.push_back({"moves_shown", count(made.moves.size())});
  }
  ReportWriter writer{run};
  writer.about(model);
  if (options.tree)
    writer.add(Listing{.key = "tree",
                       .title = "Execution tree",
                       .lines = lines_of(dpn::to_text(network, dpn::tree_of_execution(network, made.moves)))});
  writer.add(Execution{.key = "execution",
                       .title = options.tree ? "Execution" : "",
                       .witness = {&network, {.moves = made.moves, .cuts = {}}}});
  writer.add(std::move(summary));
  writer.finish();
  return stopped ? ExitStatus::GaveUp : ExitStatus::Nothing;
}

// Throws InputError. Before the model is read, which may come from the same terminal.
void check_dialogue(const SimulateOptions& options) {
  if (options.path == "-")
    throw InputError{"lockwood simulate", "standard input is the model, so there is neither a script nor a dialogue"};
  if (is_terminal(STDIN_FILENO) && !is_terminal(STDOUT_FILENO))
    throw InputError{"lockwood simulate", "--interactive needs a terminal for its output, or a script as its input"};
}

// With a terminal on both sides it is a dialogue. Without one, what comes in is a script, and must be there.
ExitStatus run_by_hand(const SimulateOptions& options, const ModelInput& model, Run& run) {
  const bool person = is_terminal(STDIN_FILENO);
  const auto semantics = options.nolocks ? dpn::Semantics::LockInsensitive : dpn::Semantics::LockSensitive;
  run.progress.show("");
  LineReader reader{STDIN_FILENO, run.stop};
  const Dialogue dialogue{.read = [&]() -> std::optional<std::string> {
                            if (person) write_text_file("-", "> ");
                            return reader.next();
                          },
                          .write = [](const std::string& text) { write_text_file("-", text); },
                          .style = style_for(options.common.general.color, STDOUT_FILENO)};
  const StepperResult result =
      step_by_hand(model.file.network, semantics, dialogue, person ? OnRefusal::Continue : OnRefusal::End);
  if (result.refused) throw InputError{fmt::format("<stdin>:{}", result.lines), *result.refused};
  if (!person && result.lines == 0)
    throw InputError{"lockwood simulate", "--interactive without a terminal needs a script on standard input"};
  return ExitStatus::Nothing;
}

ExitStatus run(const SimulateOptions& options, Run& run) {
  if (options.interactive) check_dialogue(options);
  const ModelInput model = read_model(options.path, run);
  return options.interactive ? run_by_hand(options, model, run) : run_at_random(options, model, run);
}

}  // namespace

Command simulate_command() {
  return make_command<SimulateOptions>(
      {.name = "simulate",
       .group = CommandGroup::Look,
       .summary = "run a model at random, or step through it by hand",
       .description =
           "Makes a run of the model, move by move: at random, the same for the same seed, or as you choose. "
           "Choosing by hand, you list the enabled moves, take moves back, and look at threads and the "
           "execution tree.",
       .examples = {{"lockwood simulate models/fig1.dpn --seed=7", "one run of the example"},
                    {"lockwood simulate models/fig1.dpn --interactive", "step through it"}}},
      declare, run);
}

}  // namespace lockwood::frontend
