// reach, conflict, iterate: one query, written on the command line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dpn/formats/text_format.hpp"
#include "frontend/cli/answering/settled_answer.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/options/settle_option.hpp"
#include "frontend/cli/output/report_writer.hpp"

namespace lockwood::frontend {
namespace {

struct AskOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::vector<std::string> arguments;  // sets or steps
  findings::SettlingBudget settling;
};

void declare_common(CLI::App& app, AskOptions& options, const char* name, const char* description, int least,
                    int most) {
  declare_model(app, options.path, options.common.program);
  app.add_option(name, options.arguments, description)->required()->expected(least, most)->group(section::input);
  declare_nolocks(app, options.solving);
  declare_observers(app, options.solving);
  declare_explanations(app, options.solving);
  declare_reductions(app, options.solving.reductions);
  declare_engine(app, options.solving);
  declare_witness(app, options.solving);
  declare_proofs(app, options.solving);
  declare_limits(app, options.common.limits);
  declare_settling(app, options.settling);
  declare_pictures(app, options.solving);
  declare_report(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

constexpr int any_number = 1 << 20;

void declare_reach(CLI::App& app, AskOptions& options) {
  declare_common(app, options, "SYMBOL", "stack symbols, at one of which a thread is to stand", 1, any_number);
}
void declare_conflict(CLI::App& app, AskOptions& options) {
  declare_common(app, options, "SET",
                 "two or more sets of stack symbols, such as 'n1 n2': a different thread is to be in each", 2,
                 any_number);
}
void declare_iterate(CLI::App& app, AskOptions& options) {
  declare_common(app, options, "STEP",
                 "steps such as '{n1 n2} and {n3} avoiding {a} requiring {b}', to be made one after the other", 1,
                 any_number);
}

// Both `n1 n2` and `{n1 n2}` are sets.
std::string set_text(const std::string& argument) {
  return argument.find('{') == std::string::npos ? "{" + argument + "}" : argument;
}

ExitStatus ask(const AskOptions& options, const std::string& text, Run& run) {
  const ModelInput model = read_model(options.path, run);
  const std::string in_symbols = with_symbols(model, text);
  const auto queries = dpn::parse_queries(model.file.network, in_symbols, "query");
  if (queries.size() != 1) throw InputError{"query", "this is more than one query"};
  for (const dpn::QueryStep& step : queries.front().steps)  // a label of code that is never run has no symbols, either
    if (in_symbols == text && std::ranges::any_of(step.positions, [](const auto& set) { return set.empty(); }))
      throw InputError{"query", "a set has no symbols, so no thread can ever be in it"};
  Solver solver{model.file.network, options.solving, run};
  ReportWriter writer{run, {.schedules = true}};
  writer.about(model);
  writer.expect_queries();
  run.progress.show("solving");
  QueryAnswer answer = solver.answer(queries.front());
  answer.at.reset();  // it stands on the command line, not in the file
  run.progress.show("settling");
  if (options.solving.observers.empty()) settle(answer, queries.front(), model, options.settling, run.stop);
  writer.add(std::move(answer));
  writer.finish();
  solver.write_pictures();
  return status_of(writer.answers(), options.common.verdict,
                   {.reachable = true, .unexpected = false, .unknown = false});
}

ExitStatus run_reach(const AskOptions& options, Run& run) {
  return ask(options, fmt::format("reach {}", set_text(fmt::format("{}", fmt::join(options.arguments, " ")))), run);
}
ExitStatus run_conflict(const AskOptions& options, Run& run) {
  std::string step;
  for (const std::string& set : options.arguments) step += (step.empty() ? "" : " and ") + set_text(set);
  return ask(options, (options.arguments.size() == 2 ? "conflict " : "iterate ") + step, run);
}
ExitStatus run_iterate(const AskOptions& options, Run& run) {
  return ask(options, fmt::format("iterate {}", fmt::join(options.arguments, ", ")), run);
}

}  // namespace

Command reach_command() {
  return make_command<AskOptions>(
      {.name = "reach",
       .group = CommandGroup::Ask,
       .summary = "can a thread be at one of these symbols?",
       .description = "Decides whether a thread can stand with one of the stack symbols on top, and shows how.",
       .examples = {{"lockwood reach models/fig1.dpn s2", "a schedule that leads there"},
                    {"lockwood reach models/fig1.dpn s2 r1 --json", "the same for programs"}},
       .exits = ExitTable::Verdict},
      declare_reach, run_reach);
}

Command conflict_command() {
  return make_command<AskOptions>(
      {.name = "conflict",
       .group = CommandGroup::Ask,
       .summary = "can different threads are in these sets at the same time?",
       .description = "Decides whether different threads can be in the sets of stack symbols at the same time, and "
                      "shows how: a data race, if these are the places before two accesses.",
       .examples = {{"lockwood conflict models/fig1.dpn p3 s2", "two places at once"},
                    {"lockwood conflict models/fig1.dpn r1 s1 --explain", "why is that not possible?"}},
       .exits = ExitTable::Verdict},
      declare_conflict, run_conflict);
}

Command iterate_command() {
  return make_command<AskOptions>(
      {.name = "iterate",
       .group = CommandGroup::Ask,
       .summary = "can these steps be made one after the other?",
       .description = "Decides whether there is an execution that makes the steps in this order: each runs on, without "
                      "the avoided "
                      "actions and with one of the required ones, until different threads are in its sets.",
       .examples = {{"lockwood iterate models/fig1.dpn '{s2}' '{r1}'", "first there, then here"},
                    {"lockwood iterate models/fig1.dpn '{s2}' '{r1} avoiding {v0}'",
                     "and nobody overwrites the value in between"}},
       .exits = ExitTable::Verdict},
      declare_iterate, run_iterate);
}

}  // namespace lockwood::frontend
