#include "verify/locks.hpp"

#include <algorithm>

namespace lockwood::verify {
namespace {

// Adds an edge of G or R for each two in a row until there is nothing new.
void close(Structure& atoms) {
  for (std::size_t before = 0; before != atoms.size();) {
    before = atoms.size();
    for (const auto& [kind, phase, x, y] : atoms) {
      if (!y) continue;
      for (auto next = atoms.lower_bound({kind, phase, *y}); next != atoms.end(); ++next) {
        if (next->kind != kind || next->phase != phase || next->x != *y) break;
        atoms.insert({kind, phase, x, next->y});
      }
    }
  }
}

}  // namespace

Number Structures::number_of(Structure structure) {
  close(structure);
  std::uint64_t bits = 0;
  for (const auto& [kind, phase, x, y] : structure) {
    if (y == x || (kind == 'H' && structure.contains({'U', phase, x}))) return std::nullopt;
    bits |= std::uint64_t{1} << (static_cast<std::size_t>(kind) + 3 * x.index() + 5 * y.value_or(x).index()) % 64;
  }
  const auto [at, fresh] = numbers_.try_emplace(std::move(structure), rows_.size());
  if (fresh) rows_.emplace_back(&at->first, bits);
  return at->second;
}

Number Structures::join(Number left, std::size_t right, std::optional<std::size_t> returns_in) {
  if (!left) return std::nullopt;
  const auto [at, fresh] = joins_.try_emplace({*left, right, returns_in});
  if (!fresh) return at->second;
  Structure joined = (*this)[*left];
  for (const Atom& atom : (*this)[right])
    if (!joined.insert(atom).second && atom.kind == 'A') return std::nullopt;
  std::erase_if(joined, [&](const Atom& atom) { return atom.kind == 'M' && atom.phase != returns_in; });
  return at->second = number_of(std::move(joined));
}

bool Structures::included(std::size_t smaller, std::size_t larger) const {
  return smaller == larger ||
         (!(rows_[smaller].second & ~rows_[larger].second) && std::ranges::includes((*this)[larger], (*this)[smaller]));
}

}  // namespace lockwood::verify
