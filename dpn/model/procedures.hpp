#pragma once

#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"

namespace lockwood::dpn {

using ProcedureId = Id<struct ProcedureTag>;

// The stack symbols that belong together: an entry (initial, called or spawned) and what follows it by base steps, by
// the continuation of a spawn and by the return points of calls. Control states are ignored.
struct Procedure {
  StackSymbol entry;
  std::vector<StackSymbol> symbols;  // the entry first, the others in the order of a breadth-first search from it
  bool called = false;
  bool spawned = false;
  // Control can come to the entry again before a frame that has passed it is left.
  bool recursive = false;
  // Each ascending and without repetition.
  std::vector<ProcedureId> calls;
  std::vector<ProcedureId> spawns;
  std::vector<ProcedureId> continues_in;  // procedures with which it shares symbols, which are listed there
};

// All procedures of a network; the initial one is first, the others are in the order of their entries' ids. A symbol
// that several procedures share is listed in one of them: in its own if it is an entry, else in the first.
struct Procedures {
  IdVector<ProcedureId, Procedure> table;
  IdVector<StackSymbol, std::optional<ProcedureId>> owner;  // none: no entry leads to the symbol
};

[[nodiscard]] Procedures procedures(const Network& network);

}  // namespace lockwood::dpn
