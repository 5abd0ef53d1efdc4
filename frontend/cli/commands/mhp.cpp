#include "solver/analyses/mhp.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include "dpn/formats/text_format.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/report/text/terminal.hpp"

namespace lockwood::frontend {
namespace {

// What pairs are told of.
enum class PlaceKind { Default, Symbol, Line, Label };

struct MhpOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::vector<std::string> between;
  PlaceKind by = PlaceKind::Default;
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
  declare_locks(app, options.solving.locks);
  declare_limits(app, options.common.limits);
  add_choice<PlaceKind>(app, "--by", options.by,
                        {{"symbol", PlaceKind::Symbol}, {"line", PlaceKind::Line}, {"label", PlaceKind::Label}},
                        "pairs of stack symbols, or of a program's lines or labels (default line for a program)")
      ->group(section::output);
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

// What a person calls the places at which threads can stand.
struct NamedPlaces {
  std::vector<std::string> names;
  std::vector<std::string> positions;  // in the program's text; none for a model
  IdVector<dpn::StackSymbol, std::vector<std::uint32_t>> of;
  std::string plural;
};

std::string position_text(const ProgramModel& model, const program::SourceRange& range) {
  return fmt::format("{}:{}:{}", model.source.program.files[range.file], range.begin.line, range.begin.column);
}

NamedPlaces symbol_places(const ModelInput& model) {
  const dpn::Network& network = model.file.network;
  NamedPlaces places{.names = {}, .positions = {}, .of = {}, .plural = "Symbols"};
  for (dpn::StackSymbol symbol : network.stack_symbols().keys()) {
    places.of.push_back({static_cast<std::uint32_t>(places.names.size())});
    places.names.emplace_back(network.stack_symbols().name(symbol));
    if (model.program)
      places.positions.push_back(position_text(
          *model.program, program::range_of(model.program->source.program, model.program->lowered.symbols[symbol])));
  }
  return places;
}

// A thread is in a line of its procedure when it is before a step that begins there.
NamedPlaces line_places(const ProgramModel& model) {
  const program::Program& program = model.source.program;
  std::map<std::pair<std::uint32_t, program::ProcedureId>, std::vector<dpn::StackSymbol>> lines;
  for (dpn::StackSymbol symbol : model.lowered.symbols.keys()) {
    const program::SymbolOrigin& origin = model.lowered.symbols[symbol];
    if (origin.role == program::SymbolRole::Before)
      lines[{program::range_of(program, origin).begin.line, origin.procedure}].push_back(symbol);
  }
  NamedPlaces places{.names = {}, .positions = {}, .of = {}, .plural = "Lines"};
  places.of.resize(model.lowered.symbols.size());
  for (const auto& [line, symbols] : lines) {
    const program::SourceRange* first = nullptr;
    for (dpn::StackSymbol symbol : symbols) {
      const program::SourceRange& range = program::range_of(program, model.lowered.symbols[symbol]);
      if (first == nullptr || range.begin < first->begin) first = &range;
      places.of[symbol].push_back(static_cast<std::uint32_t>(places.names.size()));
    }
    places.names.push_back(fmt::format("{}:{}", program.procedures[line.second].name, line.first));
    places.positions.push_back(position_text(model, *first));
  }
  return places;
}

NamedPlaces label_places(const ProgramModel& model) {
  NamedPlaces places{.names = {}, .positions = {}, .of = {}, .plural = "Labels"};
  places.of.resize(model.lowered.symbols.size());
  for (const program::LoweredLabel& label : model.lowered.labels) {
    for (dpn::StackSymbol symbol : label.symbols)
      places.of[symbol].push_back(static_cast<std::uint32_t>(places.names.size()));
    places.names.push_back(label.name);
    places.positions.push_back(position_text(model, label.range));
  }
  return places;
}

NamedPlaces places_of(const ModelInput& model, PlaceKind kind) {
  if (kind == PlaceKind::Symbol || (kind == PlaceKind::Default && !model.program)) return symbol_places(model);
  if (!model.program) throw InputError{model.identity.path, "this is a model: it has no lines and labels"};
  return kind == PlaceKind::Label ? label_places(*model.program) : line_places(*model.program);
}

using Pairs =
    std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // ascending, each once; in a pair, the lesser first

// There may be millions.
Pairs pairs_of(const NamedPlaces& places, const std::vector<solver::ParallelPair>& found) {
  Pairs pairs;
  pairs.reserve(found.size());
  for (const auto& [first, second] : found)
    for (std::uint32_t a : places.of[first])
      for (std::uint32_t b : places.of[second]) pairs.emplace_back(std::min(a, b), std::max(a, b));
  if (!std::ranges::is_sorted(pairs)) std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

// A row and a column for each place that is in some pair; `x` where two threads may stand.
Listing matrix_of(const NamedPlaces& places, const Pairs& pairs) {
  std::set<std::uint32_t> shown;
  for (const auto& [first, second] : pairs) shown.insert({first, second});
  std::size_t width = 0;
  for (std::uint32_t place : shown) width = std::max(width, places.names[place].size());

  Listing listing{
      .key = "matrix", .title = places.plural + " at which two different threads may be at the same time", .lines = {}};
  for (std::uint32_t row : shown) {
    std::string line = fmt::format("{:>{}}  ", places.names[row], width);
    for (std::uint32_t column : shown)
      line += column > row ? "" : std::ranges::binary_search(pairs, std::pair{column, row}) ? "x " : ". ";
    while (line.ends_with(' ')) line.pop_back();
    listing.lines.push_back(line);
  }
  if (shown.empty()) listing.lines.emplace_back("none: there are never two threads");
  return listing;
}

Table list_of(const NamedPlaces& places, const Pairs& pairs) {
  Table table{.key = "pairs", .title = "May happen in parallel", .columns = {"first", "second"}, .rows = {}};
  const bool positions = !places.positions.empty();
  if (positions) table.columns.insert(table.columns.end(), {"first_at", "second_at"});
  for (const auto& [first, second] : pairs) {
    table.rows.push_back({places.names[first], places.names[second]});
    if (positions)
      table.rows.back().insert(table.rows.back().end(), {places.positions[first], places.positions[second]});
  }
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
  const NamedPlaces places = places_of(model, options.by);
  solver::MhpOptions question{
      .semantics = options.solving.nolocks ? dpn::Semantics::LockInsensitive : dpn::Semantics::LockSensitive,
      .left = {},
      .right = {},
      .reductions = options.solving.reductions,
      .locks = options.solving.locks,
      .stop = run.stop};
  if (!options.between.empty()) {
    question.left = set_of(model, options.between[0]);
    question.right = set_of(model, options.between[1]);
  }
  run.progress.show("pairs");
  const solver::MhpAnswer answer = solver::parallel_pairs(network, question);
  solver::ReplaySample sample{network.rules().size()};
  if (!options.solving.verify && !options.solving.proofs) solver::replay_some(network, question, answer, sample);
  const Confirmation confirmation =
      Solver{network, options.solving, run}.confirm([&] { return solver::claims_of(network, question, answer); });
  const Pairs pairs = pairs_of(places, answer.pairs);
  ReportWriter writer{run};
  writer.about(model);
  constexpr std::size_t fits = 40;  // places of a matrix that a person can read
  const bool matrix = options.matrix || (!options.list && options.common.output.path == "-" &&
                                         is_terminal(STDOUT_FILENO) && places.names.size() <= fits);
  if (matrix && !options.common.output.json) {
    writer.add(matrix_of(places, pairs));
  } else if (!options.count) {
    writer.add(list_of(places, pairs));
  }
  Summary summary{.properties = {{"pairs_found", count(pairs.size())}, {"complete", !answer.stopped}}};
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
       .summary = "which places can two threads be at, at the same time?",
       .description =
           "May happen in parallel: all pairs of stack symbols at which two different threads can be at "
           "the same time, from one run; for a program, pairs of lines or labels. A matrix on a terminal, else "
           "a list.",
       .examples = {{"lockwood mhp models/fig1.dpn", "all pairs"},
                    {"lockwood mhp models/fig1.dpn --between 'p2 r1' s1", "only the accesses to a variable"},
                    {"lockwood mhp models/bank-racy.lw --matrix", "the lines of a program"}}},
      declare, run);
}

}  // namespace lockwood::frontend
