#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "dpn/trees/schedule.hpp"
#include "solver/analyses/replay_sample.hpp"
#include "solver/engine/engine_statistics.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/reduction/relevance.hpp"

namespace lockwood::solver {

// Which witness of reachability to give: of the tree with the fewest nodes a schedule, of the tree with the fewest
// threads, of the tree with the fewest nodes the schedule with the fewest switches between threads, or none.
enum class WitnessChoice { Smallest, FewestThreads, FewestSwitches, None };

// How sets of lock structures are kept: one by one (engine.hpp) or as families in decision diagrams
// (symbolic_engine.hpp), which takes longer for few and far shorter for very many. Auto: one by one until there are
// many.
enum class DomainChoice { Explicit, Zdd, Auto };

// Which locks exclude in a run: all of them, or as few as the answer turns out to need (docs/theory.md, Sect. 5.2).
// Auto: all, until sets of held locks multiply the contexts.
enum class LockChoice { All, Lazy, Auto };

struct SolveOptions {
  WitnessChoice witness = WitnessChoice::Smallest;
  std::uint64_t witness_limit = std::numeric_limits<std::uint64_t>::max();  // nodes; larger ones are not written out
  DomainChoice domain = DomainChoice::Auto;
  std::size_t many_structures = 256;  // incomparable ones, of one place: too many to keep one by one
  LockChoice locks = LockChoice::Auto;
  std::size_t many_contexts = 10'000;  // beside some for each rule: too many to go on with all locks
  bool certify = false;  // give a certificate of an unreachable verdict, about the network with nothing left out
  Reductions reductions;
  std::size_t jobs = 1;                // threads; the answer does not depend on it
  std::size_t large_frontier = 1024;   // facts to work on at the same time, from which on threads pay
  const BackwardFlow* flow = nullptr;  // of the network, if it is at hand
  // The locks that exclude; if not given, all. The others are held and wanted all the same. Only for verdicts: neither
  // witnesses nor certificates know of it.
  const IdVector<dpn::Lock, bool>* excluding = nullptr;
  // If no witness is wanted: draws the reachable answers that are replayed all the same, from the tree that was found.
  ReplaySample* sample = nullptr;
  StopToken stop;
};

// An execution that goes through the phases: its tree, with the cuts, and one of its interleavings.
struct Witness {
  dpn::ExecutionTree tree;
  dpn::Schedule schedule;
  bool best = true;              // the tree is the one that was asked for, not merely one that was found
  bool fewest_switches = false;  // known: no schedule of this tree has fewer. Only looked for if it was asked for
};

// A witness that is not written out.
struct LargeWitness {
  std::uint64_t nodes;
  bool smallest;  // no witness has fewer; otherwise this one has at least so many
};

struct Answer {
  dpn::Verdict verdict = dpn::Verdict::Unknown;
  std::optional<Witness> witness;                             // if reachable and wanted; replayed
  std::optional<LargeWitness> large_witness;                  // instead, if it is above the limit; not replayed
  std::shared_ptr<const nlohmann::ordered_json> certificate;  // if unreachable and wanted
  std::optional<StopReason> stopped;                          // if unknown; if none, there are too many goals
  DomainChoice domain = DomainChoice::Explicit;               // that gave the verdict: Explicit or Zdd
  // If only some locks were respected: these, ascending. Unreachable: they suffice. Reachable: the witness, if one was
  // wanted, or else one that was thrown away, can be scheduled with all locks.
  std::optional<std::vector<dpn::Lock>> locks;
  EngineStatistics statistics;                   // of the last run
  std::optional<ReductionStatistics> reduction;  // if one was made
};

// Why a verdict is unknown.
[[nodiscard]] std::string why_unknown(const Answer& answer);

// We are at fault: an answer that does not stand up to its own check.
class BrokenAnswer : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Decides the problem, which must not collect. A witness is replayed in the small-step semantics before it is given
// away; throws BrokenAnswer if it does not replay. A certificate is about the network as it is: what was found
// unreachable with parts left out is decided again with all of them, structures kept one by one, however many they are.
// Throws BrokenAnswer if that is reachable. If it is stopped before it has the witness or the certificate that is
// wanted, or there are more than 64 goals, the verdict is unknown.
[[nodiscard]] Answer solve(const dpn::Network& network, const Problem& problem, const SolveOptions& options = {});

// So many contexts are too many to go on with all locks, if locks may be chosen.
[[nodiscard]] std::size_t many_contexts(const dpn::Network& network, std::size_t phases,
                                        const SolveOptions& options = {});

// Has a verdict "reachable" that was found elsewhere replayed, for the sample: solves the problem again. Throws
// BrokenAnswer if it is not reachable, or if its witness does not replay; does nothing if it is stopped.
void replay_again(const dpn::Network& network, const Problem& problem, const Reductions& reductions,
                  ReplaySample& sample, StopToken stop = {});

}  // namespace lockwood::solver
