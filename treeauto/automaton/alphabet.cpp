#include "treeauto/automaton/alphabet.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::treeauto {

Alphabet::Alphabet() {
  static const auto empty = std::make_shared<const Table>();
  table_ = empty;
}

std::optional<Symbol> Alphabet::Table::find(std::string_view name, std::size_t rank) const {
  const auto number = names.find(name);
  if (!number) return std::nullopt;
  for (std::optional<Symbol> symbol = first_of[*number]; symbol; symbol = next_of[*symbol])
    if (ranks[*symbol] == rank) return symbol;
  return std::nullopt;
}

std::vector<Symbol> Alphabet::with_name(std::string_view name) const {
  std::vector<Symbol> found;
  const auto number = table_->names.find(name);
  if (!number) return found;
  for (std::optional<Symbol> symbol = table_->first_of[*number]; symbol; symbol = table_->next_of[*symbol])
    found.push_back(*symbol);
  return found;
}

bool operator==(const Alphabet& a, const Alphabet& b) {
  return a.table_ == b.table_ || (a.table_->names == b.table_->names && a.table_->name_of == b.table_->name_of &&
                                  a.table_->ranks == b.table_->ranks);
}

Symbol AlphabetBuilder::add(std::string_view name, std::size_t rank) {
  assert(rank <= rank_limit);
  const std::size_t number = table_.names.intern(name);
  const Symbol added{table_.ranks.size()};
  if (number == table_.first_of.size()) {
    table_.first_of.push_back(added);
  } else {
    Symbol last = table_.first_of[number];
    while (true) {
      if (table_.ranks[last] == rank) return last;
      if (!table_.next_of[last]) break;
      last = *table_.next_of[last];
    }
    table_.next_of[last] = added;
  }
  table_.next_of.push_back(std::nullopt);
  table_.name_of.push_back(static_cast<std::uint32_t>(number));
  table_.ranks.push_back(static_cast<std::uint32_t>(rank));
  table_.max_rank = std::max(table_.max_rank, rank);
  assert(table_.ranks.size() == table_.name_of.size() && table_.ranks.size() == table_.next_of.size());
  return added;
}

Alphabet AlphabetBuilder::build() && { return Alphabet{std::make_shared<const Alphabet::Table>(std::move(table_))}; }

JoinedAlphabet joined(const Alphabet& first, const Alphabet& second) {
  JoinedAlphabet result;
  result.from_second.reserve(second.size());
  if (first == second) {
    for (Symbol symbol : second.symbols()) result.from_second.push_back(symbol);
    result.alphabet = first;
    return result;
  }
  AlphabetBuilder builder{first};
  for (Symbol symbol : second.symbols())
    result.from_second.push_back(builder.add(second.name(symbol), second.rank(symbol)));
  result.alphabet = builder.size() == first.size() ? first : std::move(builder).build();
  assert(result.alphabet.size() >= first.size());
  return result;
}

IdVector<Symbol, std::optional<Symbol>> matched(const Alphabet& from, const Alphabet& to) {
  IdVector<Symbol, std::optional<Symbol>> match;
  match.reserve(from.size());
  for (Symbol symbol : from.symbols()) match.push_back(to.find(from.name(symbol), from.rank(symbol)));
  return match;
}

}  // namespace lockwood::treeauto
