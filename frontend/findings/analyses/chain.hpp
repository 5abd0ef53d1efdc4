#pragma once

#include <optional>
#include <vector>

#include "frontend/findings/analyses/instrumented.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/findings/narrative/value_paths.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::findings {

// Where a value comes from.
struct Source {
  AccessId definition;
  std::vector<dpn::StackSymbol> places = {};  // where a thread makes what it writes there; none: it writes it
  friend bool operator==(const Source&, const Source&) = default;
};

// A value is read, and another one made of it is written: in one statement, or later by a thread that has it in its
// locals.
struct Transfer {
  AccessId use;
  AccessId definition;
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
  Source source;
  std::vector<Transfer> transfers;
  std::optional<Sink> sink;
  friend bool operator==(const Chain&, const Chain&) = default;
};

// The question whether one execution does the whole chain [nordhoff.13.iterable, Sect. 1, Table 1, program 4], in
// phases: anything; the source; and for each transfer, nothing that overwrites the value until it is read; anything,
// while it is in locals on its way to its write; this write. Last, nothing that overwrites the value until a thread
// is before the sink, or has read the value and comes to one of the places. A source with places begins as a
// transfer does, with what is done at one of them in place of a read.
//
// Where in the locals of a thread the value is on its way is remembered in copies of stack symbols and control states,
// other ones for each transfer. The read can lead into a copy, and only the write leads out.
struct ChainQuestion {
  Instrumented instrumented;
  solver::Problem problem;
  IdVector<dpn::RuleId, bool> moves = {};  // of the instrumented network: the value gets somewhere else by it
};
[[nodiscard]] ChainQuestion chain_question(const ValuePaths& paths, const Chain& chain, dpn::Semantics semantics);

// The question whether a value that a thread makes at one of the places gets to one of the others through locals alone.
[[nodiscard]] ChainQuestion passage_question(const ValuePaths& paths, const std::vector<dpn::StackSymbol>& makers,
                                             const std::vector<dpn::StackSymbol>& users, dpn::Semantics semantics);

}  // namespace lockwood::findings
