#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids/id_vector.hpp"

namespace lockwood {

// Distinct names numbered in the order of their first appearance. One text buffer and one table of slots, so that a
// million names cost little more than their letters. Names that are used near each other in a file lie near each other;
// only slots are far apart, so a slot knows enough of its name's hash that hardly ever another name has to be looked
// at. Invariant: slots_ is a power of two, at most half full, and each occupied slot is found from the hash of its name
// by linear probing.
class NameTable {
 public:
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::string_view name(std::size_t number) const;
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  std::size_t intern(std::string_view name);
  friend bool operator==(const NameTable& a, const NameTable& b) { return a.ends_ == b.ends_ && a.text_ == b.text_; }

 private:
  struct Slot {
    std::uint32_t hash;
    std::uint32_t name;  // 1 + its number; 0 if the slot is free
  };
  [[nodiscard]] std::size_t slot_of(std::string_view name, std::uint32_t hash) const;
  void grow();

  std::string text_;
  std::vector<std::uint64_t> ends_;
  std::vector<Slot> slots_;
};

// The names of one kind of symbol: name ↔ id.
template <class Key>
class SymbolTable {
 public:
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] IdRange<Key> keys() const { return IdRange<Key>{names_.size()}; }
  [[nodiscard]] std::string_view name(Key key) const { return names_.name(key.index()); }
  [[nodiscard]] std::optional<Key> find(std::string_view name) const {
    const auto number = names_.find(name);
    return number ? std::optional{Key{*number}} : std::nullopt;
  }
  // The id of the name, a new one if it was not there.
  Key intern(std::string_view name) { return Key{names_.intern(name)}; }
  friend bool operator==(const SymbolTable&, const SymbolTable&) = default;

 private:
  NameTable names_;
};

}  // namespace lockwood
