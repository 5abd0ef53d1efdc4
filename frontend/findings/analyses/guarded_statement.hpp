#pragma once

#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::findings {

// A statement of a procedure.
struct StatementId {
  program::ProcedureId procedure;
  std::uint32_t statement;
  friend auto operator<=>(const StatementId&, const StatementId&) = default;
};

// The network of the program in which some statements are done inside of an additional `sync (lock)` each. The symbols
// of the program keep their ids. A symbol of such a statement now is before the lock is taken; `inside` tells the
// one at which a thread stands that has it. All other symbols are their own.
struct GuardedStatements {
  dpn::Network network;
  IdVector<dpn::StackSymbol, dpn::StackSymbol> inside;  // of the program's symbols
};
[[nodiscard]] GuardedStatements guarded_statements(const program::Program& program, const program::Lowered& lowered,
                                                   const std::vector<StatementId>& statements, dpn::Lock lock);

}  // namespace lockwood::findings
