#pragma once

#include <optional>
#include <vector>

#include "frontend/findings/instrumented.hpp"
#include "frontend/findings/races.hpp"
#include "frontend/program/lowering.hpp"
#include "frontend/program/value_flow.hpp"
#include "solver/problem.hpp"

namespace lockwood::findings {

// Who carries a value from where it is read to where it is written.
enum class Carrier {
  Frame,  // one frame, in one statement
  Thread  // a thread, in its locals, or one that it has started
};

// A value is read, and another one made of it is written.
struct Transfer {
  AccessId use;
  AccessId definition;
  Carrier carrier = Carrier::Frame;
  friend bool operator==(const Transfer&, const Transfer&) = default;
};

// Where a value is to get.
struct Sink {
  AccessId use;
  std::vector<dpn::StackSymbol> places = {};  // to which a thread carries what it has read; none: before the use
  friend bool operator==(const Sink&, const Sink&) = default;
};

// A value goes from the source through transfers, and then, if there is one, to a sink.
struct Chain {
  AccessId source;  // a definition
  std::vector<Transfer> transfers;
  std::optional<Sink> sink;
  friend bool operator==(const Chain&, const Chain&) = default;
};

// The question whether one execution does the whole chain [nordhoff.13.iterable, Sect. 1, Table 1, program 4], in
// phases: anything; the source; and for each transfer, nothing that overwrites the value until it is read; anything,
// while the frame or thread that has read it is on its way to its write; this write. Last, nothing that overwrites the
// value until a thread stands before the sink, or has read the value and comes to one of the places.
//
// That the frame which writes is the one which has read is remembered in copies of the stack symbols of the statement,
// one for each transfer: the read can lead into the copy, and the write leads out of it. That the thread is the same is
// remembered in copies of the control states; a thread that is given something made of the value is marked, too. What
// the thread does to its locals on the way is not looked at: such a chain may be one that only the model does.
struct ChainQuestion {
  Instrumented instrumented;
  solver::Problem problem;
};
[[nodiscard]] ChainQuestion chain_question(const program::Program& program, const program::Lowered& lowered,
                                           const program::ValueFlow& flow, const Chain& chain,
                                           dpn::Semantics semantics);

// Where the value of a read goes through locals.
[[nodiscard]] program::ValueFlow::Reached reached_by(const program::Program& program, const program::Lowered& lowered,
                                                     const program::ValueFlow& flow, AccessId use);

}  // namespace lockwood::findings
