#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids/id.hpp"
#include "base/ids/id_vector.hpp"
#include "base/ids/symbol_table.hpp"

namespace lockwood::treeauto {

using Symbol = Id<struct SymbolTag>;

// Symbols of higher rank are refused: no one writes them down, and a slip of the pen should not cost gigabytes.
constexpr std::size_t rank_limit = 1'000'000;

// A ranked alphabet: symbols are pairs of a name (any bytes) and a rank, numbered in the order of their appearance.
// One name with two ranks is two symbols. Immutable, and cheap to copy: copies share their table.
class Alphabet {
 public:
  Alphabet();

  [[nodiscard]] std::size_t size() const { return table_->ranks.size(); }
  [[nodiscard]] IdRange<Symbol> symbols() const { return IdRange<Symbol>{size()}; }
  [[nodiscard]] std::size_t rank(Symbol symbol) const { return table_->ranks[symbol]; }
  [[nodiscard]] std::string_view name(Symbol symbol) const { return table_->names.name(table_->name_of[symbol]); }
  // The highest rank of a symbol, 0 if there is none.
  [[nodiscard]] std::size_t max_rank() const { return table_->max_rank; }
  [[nodiscard]] std::optional<Symbol> find(std::string_view name, std::size_t rank) const {
    return table_->find(name, rank);
  }
  // All symbols with that name, in the order of their appearance.
  [[nodiscard]] std::vector<Symbol> with_name(std::string_view name) const;

  // The same symbols with the same numbers.
  friend bool operator==(const Alphabet& a, const Alphabet& b);

 private:
  friend class AlphabetBuilder;
  // Invariant: the symbols of one name are a chain, from first_of through next_of, in the order of appearance.
  struct Table {
    NameTable names;
    std::vector<Symbol> first_of;                     // by the number of the name
    IdVector<Symbol, std::optional<Symbol>> next_of;  // the next symbol with the same name
    IdVector<Symbol, std::uint32_t> name_of;
    IdVector<Symbol, std::uint32_t> ranks;
    std::size_t max_rank = 0;
    [[nodiscard]] std::optional<Symbol> find(std::string_view name, std::size_t rank) const;
  };
  explicit Alphabet(std::shared_ptr<const Table> table) : table_{std::move(table)} {}

  std::shared_ptr<const Table> table_;
};

// Collects the symbols of an alphabet, perhaps starting from those of another, which keep their numbers.
class AlphabetBuilder {
 public:
  AlphabetBuilder() = default;
  explicit AlphabetBuilder(const Alphabet& alphabet) : table_{*alphabet.table_} {}
  // The symbol with this name and rank, a new one if it was not there. Requires a rank of at most rank_limit.
  Symbol add(std::string_view name, std::size_t rank);
  [[nodiscard]] std::size_t size() const { return table_.ranks.size(); }
  [[nodiscard]] std::size_t rank(Symbol symbol) const { return table_.ranks[symbol]; }
  [[nodiscard]] std::string_view name(Symbol symbol) const { return table_.names.name(table_.name_of[symbol]); }
  [[nodiscard]] std::optional<Symbol> find(std::string_view name, std::size_t rank) const {
    return table_.find(name, rank);
  }
  [[nodiscard]] Alphabet build() &&;

 private:
  Alphabet::Table table_;
};

// The symbols of both alphabets, matched by name and rank. Those of the first keep their numbers.
struct JoinedAlphabet {
  Alphabet alphabet;
  IdVector<Symbol, Symbol> from_second;  // symbols of the second alphabet ↦ symbols of the joined one
};
[[nodiscard]] JoinedAlphabet joined(const Alphabet& first, const Alphabet& second);

// For each symbol of one alphabet the symbol with the same name and rank in another.
[[nodiscard]] IdVector<Symbol, std::optional<Symbol>> matched(const Alphabet& from, const Alphabet& to);

}  // namespace lockwood::treeauto
