#include "frontend/findings/analyses/model_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/text/json.hpp"
#include "dpn/model/statistics.hpp"
#include "dpn/semantics/describe.hpp"
#include "solver/analyses/lock_graph.hpp"
#include "solver/analyses/mhp.hpp"

namespace lockwood::reports {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_places = 2000;       // rows of a matrix; more symbols than that are not asked about
constexpr std::size_t max_places_of_edge = 8;  // examples

Json numbers_of(const ViewedModel& model, StopToken stop) {
  const dpn::Network& network = model.network;
  const dpn::Statistics numbers = dpn::statistics(network, stop);
  const auto rules = [&](dpn::RuleKind kind) { return numbers.rules_by_kind[static_cast<std::size_t>(kind)]; };
  Json result{{"rules", network.rules().size()},
              {"base rules", rules(dpn::RuleKind::Base)},
              {"call rules", rules(dpn::RuleKind::Call)},
              {"return rules", rules(dpn::RuleKind::Return)},
              {"spawn rules", rules(dpn::RuleKind::Spawn)},
              {"monitor rules", rules(dpn::RuleKind::Monitor)},
              {"control states", numbers.controls},
              {"stack symbols", numbers.stacks},
              {"locks", numbers.locks},
              {"procedures", numbers.procedures.table.size()},
              {"recursive procedures", numbers.recursive_procedures},
              {"spawns that can happen any number of times", numbers.repeated_spawns.size()},
              {"rules that no run uses", numbers.unreachable_rules.size()}};
  if (numbers.groups > 0) result["join rules"] = rules(dpn::RuleKind::Join);
  return result;
}

// "file:line" of a place in a program.
std::optional<std::pair<std::string, std::uint32_t>> line_of(const ViewedModel& model, dpn::StackSymbol symbol) {
  if (model.program == nullptr || model.lowered == nullptr) return std::nullopt;
  const program::SymbolOrigin& origin = model.lowered->symbols[symbol];
  if (origin.role != program::SymbolRole::Before) return std::nullopt;
  const program::SourceRange& range = model.program->procedures[origin.procedure].points[origin.point].range;
  return std::pair{model.program->files[range.file], range.begin.line};
}

std::string place_name(const ViewedModel& model, dpn::StackSymbol symbol) {
  if (const auto line = line_of(model, symbol)) return fmt::format("{}:{}", line->first, line->second);
  return std::string{model.network.stack_symbols().shown(symbol)};
}

Json lock_order(const ViewedModel& model, StopToken stop) {
  Json edges = Json::array();
  for (const solver::LockEdge& edge : solver::lock_graph(model.network, stop)) {
    std::vector<std::string> places;
    for (const dpn::Head& head : edge.places) {
      std::string name = place_name(model, head.top);
      if (std::ranges::find(places, name) == places.end()) places.push_back(std::move(name));
      if (places.size() == max_places_of_edge) break;
    }
    edges.push_back({{"holds", model.network.locks().shown(edge.holds)},
                     {"wants", model.network.locks().shown(edge.wants)},
                     {"places", places}});
  }
  return edges;
}

// The rows of the matrix: all symbols that are one place for the reader are one row, in the order of the text.
struct Rows {
  std::vector<std::string> names;
  IdVector<dpn::StackSymbol, std::optional<std::size_t>> of;
};

Rows rows_of(const ViewedModel& model, const std::vector<solver::ParallelPair>& pairs) {
  std::set<dpn::StackSymbol> symbols;
  for (const auto& [first, second] : pairs) symbols.insert({first, second});
  Rows rows{{}, IdVector<dpn::StackSymbol, std::optional<std::size_t>>(model.network.stack_symbols().size())};
  std::map<std::pair<std::string, std::uint32_t>, std::vector<dpn::StackSymbol>> by_line;
  for (dpn::StackSymbol symbol : symbols) {
    if (const auto line = line_of(model, symbol)) {
      by_line[*line].push_back(symbol);
    } else if (model.program == nullptr) {
      rows.of[symbol] = rows.names.size();
      rows.names.emplace_back(model.network.stack_symbols().name(symbol));
    }
  }
  for (const auto& [line, at] : by_line) {
    for (dpn::StackSymbol symbol : at) rows.of[symbol] = rows.names.size();
    rows.names.push_back(fmt::format("{}:{}", line.first, line.second));
  }
  return rows;
}

// Each row as the runs of its marked columns: begin, length, begin, length, …
Json parallel(const ViewedModel& model, StopToken stop) {
  const std::size_t symbols = model.network.stack_symbols().size();
  if (symbols > max_places)
    return Json{
        {"places", Json::array()},
        {"rows", Json::array()},
        {"incomplete", fmt::format("the model has {} places, too many for a matrix; see lockwood mhp", symbols)}};
  const solver::MhpAnswer answer = solver::parallel_pairs(model.network, {.stop = stop});
  const Rows rows = rows_of(model, answer.pairs);
  std::vector<std::vector<bool>> marked(rows.names.size(), std::vector<bool>(rows.names.size()));
  for (const auto& [first, second] : answer.pairs)
    if (rows.of[first] && rows.of[second])
      marked[*rows.of[first]][*rows.of[second]] = marked[*rows.of[second]][*rows.of[first]] = true;
  Json runs = Json::array();
  for (const std::vector<bool>& row : marked) {
    Json line = Json::array();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!row[i]) continue;
      const std::size_t begin = i;
      while (i < row.size() && row[i]) ++i;
      line.push_back(begin);
      line.push_back(i - begin);
    }
    runs.push_back(std::move(line));
  }
  Json object{{"places", rows.names}, {"rows", std::move(runs)}};
  if (answer.stopped) object["incomplete"] = to_string(*answer.stopped);
  return object;
}

}  // namespace

Json model_view(const ViewedModel& model, StopToken stop) {
  Json view = Json::object();
  const auto add = [&](const char* key, Json (*part)(const ViewedModel&, StopToken)) {
    try {
      view[key] = part(model, stop);
    } catch (const Interrupted& interrupted) {
      view["incomplete"] = interrupted.what();
    }
  };
  add("statistics", numbers_of);
  add("lock_order", lock_order);
  add("parallel", parallel);
  return view;
}

}  // namespace lockwood::reports
