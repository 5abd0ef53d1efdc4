#include "solver/mhp.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "dpn/text_format.hpp"
#include "frontend/commands/commands.hpp"
#include "frontend/model_input.hpp"
#include "frontend/report_writer.hpp"
#include "frontend/solving.hpp"
#include "frontend/terminal.hpp"

namespace lockwood::frontend {
namespace {

struct MhpOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::vector<std::string> between;
  bool matrix = false;
  bool list = false;
  bool count = false;
};

void declare(CLI::App& app, MhpOptions& options) {
  declare_model(app, options.path, options.common.program);
  app.add_option("--between", options.between,
                 "two sets of stack symbols, such as 'n1 n2': only pairs with a member in each")
      ->type_name("SET SET")
      ->expected(2)
      ->group(section::analysis);
  declare_nolocks(app, options.solving);
  declare_proofs(app, options.solving);
  declare_reductions(app, options.solving.reductions);
  declare_limits(app, options.common.limits);
  auto* matrix = app.add_flag("--matrix", options.matrix, "as a matrix (default on a terminal, if it fits)")
                     ->group(section::output);
  auto* list = app.add_flag("--list", options.list, "as a list of pairs")->group(section::output)->excludes(matrix);
  app.add_flag("--count", options.count, "only how many pairs there are")
      ->group(section::output)
      ->excludes(matrix)
      ->excludes(list);
  declare_report(app, options.common.output);
  declare_statistics(app, options.common.output);
  declare_general(app, options.common.general);
}

using Pairs = std::vector<solver::ParallelPair>;

// A row and a column for each symbol that is in some pair; `x` where two threads may stand.
Listing matrix_of(const dpn::Network& network, const Pairs& pairs) {
  std::vector<dpn::StackSymbol> symbols;
  for (const auto& [first, second] : pairs) symbols.insert(symbols.end(), {first, second});
  std::ranges::sort(symbols);
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  std::size_t width = 0;
  for (dpn::StackSymbol symbol : symbols) width = std::max(width, network.stacks().name(symbol).size());

  Listing listing{
      .key = "matrix", .title = "Symbols at which two different threads may stand at the same time", .lines = {}};
  for (dpn::StackSymbol row : symbols) {
    std::string line = fmt::format("{:>{}}  ", network.stacks().name(row), width);
    for (dpn::StackSymbol column : symbols) {
      const solver::ParallelPair pair{std::min(row, column), std::max(row, column)};
      line += column > row ? "" : std::ranges::binary_search(pairs, pair) ? "x " : ". ";
    }
    while (line.ends_with(' ')) line.pop_back();
    listing.lines.push_back(line);
  }
  if (symbols.empty()) listing.lines.emplace_back("none: there are never two threads");
  return listing;
}

Table list_of(const dpn::Network& network, const Pairs& pairs) {
  Table table{.key = "pairs", .title = "May happen in parallel", .columns = {"first", "second"}, .rows = {}};
  for (const auto& [first, second] : pairs)
    table.rows.push_back({std::string{network.stacks().name(first)}, std::string{network.stacks().name(second)}});
  return table;
}

// The symbols of a set as it would be written in a query.
std::vector<dpn::StackSymbol> set_of(const ModelInput& model, const std::string& text) {
  const std::string braces = text.find('{') == std::string::npos ? "{" + text + "}" : text;
  const auto queries = dpn::parse_queries(model.file.network, with_symbols(model, "reach " + braces), "--between");
  if (queries.size() != 1 || queries[0].steps[0].positions.size() != 1)
    throw InputError{"--between", "'" + text + "' is not one set of stack symbols"};
  if (queries[0].steps[0].positions[0].empty()) throw InputError{"--between", "a set has no symbols"};
  return queries[0].steps[0].positions[0];
}

ExitStatus run(const MhpOptions& options, Run& run) {
  const ModelInput model = read_model(options.path, run);
  const dpn::Network& network = model.file.network;
  solver::MhpOptions question{
      .semantics = options.solving.nolocks ? dpn::Semantics::LockInsensitive : dpn::Semantics::LockSensitive,
      .left = {},
      .right = {},
      .reductions = options.solving.reductions,
      .stop = run.stop};
  if (!options.between.empty()) {
    question.left = set_of(model, options.between[0]);
    question.right = set_of(model, options.between[1]);
  }
  run.progress.show("pairs");
  const solver::MhpAnswer answer = solver::parallel_pairs(network, question);
  const Confirmation confirmation =
      Solver{network, options.solving, run}.confirm([&] { return solver::claims_of(network, question, answer); });
  ReportWriter writer{run};
  writer.about(model);
  constexpr std::size_t fits = 40;  // symbols of a matrix that a person can read
  const bool matrix = options.matrix || (!options.list && options.common.output.path == "-" &&
                                         is_terminal(STDOUT_FILENO) && network.stacks().size() <= fits);
  if (matrix && !options.common.output.json) {
    writer.add(matrix_of(network, answer.pairs));
  } else if (!options.count) {
    writer.add(list_of(network, answer.pairs));
  }
  Summary summary{.properties = {{"pairs_found", count(answer.pairs.size())}, {"complete", !answer.stopped}}};
  std::ranges::move(properties_of(confirmation), std::back_inserter(summary.properties));
  writer.add(std::move(summary));
  writer.finish();
  return answer.stopped || !confirmation.complete() ? ExitStatus::GaveUp : ExitStatus::Nothing;
}

}  // namespace

Command mhp_command() {
  return make_command<MhpOptions>(
      {.name = "mhp",
       .group = CommandGroup::Ask,
       .summary = "which symbols can two threads stand at, at the same time?",
       .description = "May happen in parallel: all pairs of stack symbols at which two different threads can stand at "
                      "the same time, from one run. A matrix on a terminal, else a list.",
       .examples = {{"lockwood mhp models/fig1.dpn", "all pairs"},
                    {"lockwood mhp models/fig1.dpn --between 'p2 r1' s1", "only the accesses to a variable"}}},
      declare, run);
}

}  // namespace lockwood::frontend
