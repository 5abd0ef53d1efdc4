#include "treeauto/automaton/automaton_builder.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace lockwood::treeauto {

Symbol AutomatonBuilder::symbol(std::string_view name, std::size_t rank) {
  if (const auto found = find_symbol(name, rank)) return *found;
  if (!more_) more_.emplace(alphabet_);
  return more_->add(name, rank);
}

std::optional<Symbol> AutomatonBuilder::find_symbol(std::string_view name, std::size_t rank) const {
  return more_ ? more_->find(name, rank) : alphabet_.find(name, rank);
}

std::size_t AutomatonBuilder::rank(Symbol symbol) const { return more_ ? more_->rank(symbol) : alphabet_.rank(symbol); }

State AutomatonBuilder::add_state() { return final_.push_back(false); }

State AutomatonBuilder::state(std::string_view name) {
  const std::size_t number = names_.intern(name);
  if (number == named_.size()) named_.push_back(add_state());
  return named_[number];
}

std::optional<State> AutomatonBuilder::find_state(std::string_view name) const {
  const auto number = names_.find(name);
  return number ? std::optional{named_[*number]} : std::nullopt;
}

State AutomatonBuilder::add_states_of(const Automaton& automaton) {
  const State first{final_.size()};
  for (State original : automaton.states()) {
    const State added = add_state();
    final_[added] = automaton.is_final(original);
    if (!automaton.has_state_names()) continue;
    const std::size_t number = names_.intern(automaton.state_name(original));
    if (number == named_.size()) named_.push_back(added);
  }
  return first;
}

// Counting sort: transitions of one symbol keep their order.
std::vector<AutomatonBuilder::Row> AutomatonBuilder::rows_by_symbol(std::vector<std::uint32_t>& symbol_begins) const {
  symbol_begins.assign(alphabet_.size() + 1, 0);
  for (const Row& row : transitions_) ++symbol_begins[row.symbol.index() + 1];
  std::partial_sum(symbol_begins.begin(), symbol_begins.end(), symbol_begins.begin());
  std::vector<Row> rows(transitions_.size(), Row{Symbol{0}, 0, State{0}});
  std::vector<std::uint32_t> next(symbol_begins.begin(), symbol_begins.end() - 1);
  for (const Row& row : transitions_) rows[next[row.symbol.index()]++] = row;
  assert(std::equal(next.begin(), next.end(), symbol_begins.begin() + 1));  // every row was moved, and once
  return rows;
}

// A row with the first parts of what it is sorted by beside it, so that most comparisons touch no other memory.
struct AutomatonBuilder::Ordered {
  std::uint64_t first;
  std::uint32_t second;
  Row row;
};

// Sorts rows of one symbol by (children, target). Many rows are first distributed by their first child, which leaves
// little to be sorted in each part.
void AutomatonBuilder::sort_rows(std::span<Row> rows, std::size_t rank) const {
  std::vector<Ordered> scratch;
  if (rank == 0 || rows.size() < 1024 || rows.size() < final_.size() / 4) return sort_rows(rows, rank, 0, scratch);
  const auto first_child = [this](const Row& row) { return children_[row.child_begin].index(); };
  std::vector<std::uint32_t> begins(final_.size() + 1, 0);
  for (const Row& row : rows) ++begins[first_child(row) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  const std::vector<Row> unordered(rows.begin(), rows.end());
  std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
  for (const Row& row : unordered) rows[next[first_child(row)]++] = row;
  assert(std::equal(next.begin(), next.end(), begins.begin() + 1));
  for (std::size_t child = 0; child < final_.size(); ++child)
    sort_rows(rows.subspan(begins[child], begins[child + 1] - begins[child]), rank, 1, scratch);
}

// Sorts rows of one symbol that agree in their first `equal` children.
void AutomatonBuilder::sort_rows(std::span<Row> rows, std::size_t rank, std::size_t equal,
                                 std::vector<Ordered>& scratch) const {
  if (rows.size() < 2) return;
  assert(equal <= rank);
  const auto number = [](State state) { return static_cast<std::uint32_t>(state.index()); };
  const auto part = [&](const Row& row, std::size_t i) {
    return i < rank ? number(children_[row.child_begin + i]) : i == rank ? number(row.target) : 0;
  };
  const auto less = [&](const Ordered& a, const Ordered& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.second != b.second) return a.second < b.second;
    for (std::size_t i = equal + 3; i <= rank; ++i)
      if (part(a.row, i) != part(b.row, i)) return part(a.row, i) < part(b.row, i);
    return false;
  };
  scratch.clear();
  for (const Row& row : rows)
    scratch.push_back({std::uint64_t{part(row, equal)} << 32U | part(row, equal + 1), part(row, equal + 2), row});
  if (std::ranges::is_sorted(scratch, less)) return;
  std::ranges::sort(scratch, less);
  std::ranges::transform(scratch, rows.begin(), &Ordered::row);
}

// Nothing if no state was named. Else unnamed states get q and their number, with as many primes as make it new.
SymbolTable<State> AutomatonBuilder::state_names() const {
  SymbolTable<State> table;
  if (named_.empty()) return table;
  IdVector<State, std::optional<std::size_t>> name_of(final_.size());
  for (std::size_t number = 0; number < named_.size(); ++number) name_of[named_[number]] = number;
  for (State state : final_.keys()) {
    if (const auto number = name_of[state]) {
      table.intern(names_.name(*number));
      continue;
    }
    std::string name = 'q' + std::to_string(state.index());
    while (names_.find(name) || table.find(name)) name += '\'';
    table.intern(name);
  }
  return table;
}

Automaton AutomatonBuilder::build() && {
  if (children_.size() > std::numeric_limits<std::uint32_t>::max() ||
      transitions_.size() > std::numeric_limits<std::uint32_t>::max())
    throw std::length_error{"an automaton can have at most 2^32 - 1 transitions and children"};
  if (more_) alphabet_ = std::move(*more_).build();

  auto tables = std::make_shared<Automaton::Tables>();
  std::vector<std::uint32_t> begins;
  std::vector<Row> rows = rows_by_symbol(begins);
  transitions_ = {};
  const auto children_of = [&](const Row& row) {
    return std::span{children_}.subspan(row.child_begin, alphabet_.rank(row.symbol));
  };
  tables->symbol_begins.assign(alphabet_.size() + 1, 0);
  tables->symbols.reserve(rows.size());
  tables->targets.reserve(rows.size());
  tables->child_begins.reserve(rows.size() + 1);
  tables->children.reserve(children_.size());
  for (Symbol symbol : alphabet_.symbols()) {
    const auto group =
        std::span{rows}.subspan(begins[symbol.index()], begins[symbol.index() + 1] - begins[symbol.index()]);
    sort_rows(group, alphabet_.rank(symbol));
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Row& row = group[i];
      assert(final_.contains(row.target));
      if (i > 0 && row.target == group[i - 1].target && std::ranges::equal(children_of(row), children_of(group[i - 1])))
        continue;
      const auto children = children_of(row);
      assert(std::ranges::all_of(children, [&](State child) { return final_.contains(child); }));
      tables->symbols.push_back(symbol);
      tables->targets.push_back(row.target);
      tables->children.insert(tables->children.end(), children.begin(), children.end());
      tables->child_begins.push_back(static_cast<std::uint32_t>(tables->children.size()));
    }
    tables->symbol_begins[symbol.index() + 1] = static_cast<std::uint32_t>(tables->targets.size());
  }
  tables->state_names = state_names();
  for (State state : final_.keys())
    if (final_[state]) tables->final_states.push_back(state);
  tables->final = std::move(final_);
  tables->name = std::move(name_);
  tables->alphabet = std::move(alphabet_);
  Automaton automaton{std::move(tables)};
  automaton.check_invariants();
  return automaton;
}

}  // namespace lockwood::treeauto
