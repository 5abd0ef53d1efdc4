#pragma once

#include <vector>

#include "frontend/findings/instrumented.hpp"
#include "frontend/findings/races.hpp"
#include "frontend/program/lowering.hpp"
#include "solver/problem.hpp"

namespace lockwood::findings {

// A statement that reads a value and then writes another one.
struct Transfer {
  AccessId use;
  AccessId definition;
  friend bool operator==(const Transfer&, const Transfer&) = default;
};

// A value goes from the source through transfers, and then, if there is a sink, to a use.
struct Chain {
  AccessId source;  // a definition
  std::vector<Transfer> transfers;
  std::optional<AccessId> sink;  // a use
  friend bool operator==(const Chain&, const Chain&) = default;
};

// The question whether one execution does the whole chain [nordhoff.13.iterable, Sect. 1, Table 1, program 4], in
// phases: anything; the source; and for each transfer, nothing that overwrites the value until it is read; anything,
// while the frame that has read it is on its way to its write; this write. Last, nothing that overwrites the value
// until a thread stands before the sink.
//
// That the frame which writes is the one which has read is remembered in copies of the stack symbols of the statement,
// one for each transfer: the read can lead into the copy, and the write leads out of it.
struct ChainQuestion {
  Instrumented instrumented;
  solver::Problem problem;
};
[[nodiscard]] ChainQuestion chain_question(const program::Program& program, const program::Lowered& lowered,
                                           const Chain& chain, dpn::Semantics semantics);

}  // namespace lockwood::findings
