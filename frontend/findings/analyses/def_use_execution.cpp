#include "frontend/findings/analyses/def_use_execution.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::findings {

DefUseExecution::DefUseExecution(const program::Lowered& lowered, std::optional<program::Variable> variable)
    : network_{lowered.network},
      definitions_(lowered.accesses.size()),
      defined_by_(lowered.network.actions().size()),
      places_(lowered.network.stack_symbols().size()) {
  const auto row_of = [&](AccessId id) -> Row& {
    const program::Variable here = access(lowered, id).variable;
    if (!rows_.contains(here)) rows_.resize(here.index() + 1);
    return rows_[here];
  };
  IdVector<program::Variable, std::size_t> counts;  // definitions
  for (AccessId id : definitions(lowered, variable)) {
    const program::Access& here = access(lowered, id);
    row_of(id).one_place = here.one_place;
    counts.resize(rows_.size());
    definitions_[id] = defined_by_[here.action] = Definition{here.variable, counts[here.variable]++};
  }
  for (AccessId id : uses(lowered, variable)) {
    auto& places = row_of(id).places;
    const auto& before = access(lowered, id).before;
    places.insert(places.end(), before.begin(), before.end());
  }
  counts.resize(rows_.size());
  std::size_t first = 0;
  for (program::Variable each : rows_.keys()) {
    Row& row = rows_[each];
    std::ranges::sort(row.places);
    row.places.erase(std::unique(row.places.begin(), row.places.end()), row.places.end());
    for (std::size_t i = 0; i < row.places.size(); ++i) places_[row.places[i]].push_back({each, i});
    row.first = first;
    first += 2 * counts[each] * row.places.size();
  }
  shown_.resize(first);
}

void DefUseExecution::begin() {
  configuration_ = dpn::initial_configuration(network_);
  for (Row& row : rows_) row.values.clear();
}

std::size_t DefUseExecution::make(const dpn::Move& move) {
  const std::size_t threads = configuration_.threads.size();
  dpn::apply(network_, configuration_, move);
  std::size_t shown = 0;
  if (const auto& defined = defined_by_[network_.rule(move.rule).action]) {
    Row& row = rows_[defined->variable];
    if (row.one_place) row.values.clear();
    const Value value{defined->number, move.thread};
    if (std::ranges::find(row.values, value) == row.values.end()) {
      row.values.push_back(value);
      // Others may have come to where they are before.
      for (dpn::ThreadId thread : configuration_.threads.keys())
        if (thread != move.thread) shown += show(thread);
    }
  }
  shown += show(move.thread);
  if (configuration_.threads.size() > threads) shown += show(dpn::ThreadId{threads});
  return shown;
}

// Who cannot go on is not before a use: there are symbols that a thread reaches with several control states.
std::size_t DefUseExecution::show(dpn::ThreadId thread) {
  if (configuration_.threads[thread].ended()) return 0;
  const dpn::Head head = configuration_.threads[thread].head();
  if (places_[head.top].empty() || network_.rules_from(head).empty()) return 0;
  std::size_t shown = 0;
  for (const BeforeUse& place : places_[head.top]) shown += show(thread, place);
  return shown;
}

std::size_t DefUseExecution::show(dpn::ThreadId thread, const BeforeUse& place) {
  std::size_t shown = 0;
  const Row& row = rows_[place.variable];
  for (const Value& value : row.values) {
    const Reader reader = value.made_by == thread ? Reader::Same : Reader::Other;
    auto is_shown = shown_[number_of(row, value.definition, place.number, reader)];
    if (is_shown) continue;
    is_shown = true;
    ++shown;
  }
  return shown;
}

std::size_t DefUseExecution::number_of(AccessId definition, dpn::StackSymbol before_use, Reader reader) const {
  assert(definitions_[definition]);
  const Row& row = rows_[definitions_[definition]->variable];
  const auto place = std::ranges::lower_bound(row.places, before_use);
  assert(place != row.places.end() && *place == before_use);
  return number_of(row, definitions_[definition]->number, static_cast<std::size_t>(place - row.places.begin()), reader);
}

}  // namespace lockwood::findings
