#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "dpn/semantics/explore.hpp"

// Ways of deciding a query that can be compared with each other.
namespace lockwood::frontend {

enum class Evidence { None, Witness, Certificate };

// What an engine says about a query.
struct Opinion {
  dpn::Verdict verdict = dpn::Verdict::Unknown;
  std::string unknown_because;         // "bound", "time limit reached"; empty if decided
  Evidence evidence = Evidence::None;  // for the verdict: given, and found right by somebody else
  std::optional<std::string> flaw;     // what is wrong with it: a witness that does not replay, a failure
};

struct Engine {
  std::string name;
  std::function<Opinion(const dpn::Network&, const dpn::Query&, StopToken)> ask;
};

// The bidirectional engine, as it answers by default, and once more without leaving anything out: the verdicts must be
// the same. Its witnesses and certificates are judged by the independent checker.
[[nodiscard]] Engine fast_engine();
// The same with lock structures in decision diagrams. It gives no certificates.
[[nodiscard]] Engine zdd_engine();
// The construction of the paper, for small models.
[[nodiscard]] Engine reference_engine();
// Exhaustive exploration. Its witnesses are replayed.
[[nodiscard]] Engine explore_engine(const dpn::ExploreBounds& bounds);

// The opinions of all engines, in their order; each engine has the time limit for itself.
[[nodiscard]] std::vector<Opinion> opinions(std::span<const Engine> engines, const dpn::Network& network,
                                            const dpn::Query& query, std::chrono::milliseconds limit, StopToken stop);

// Both have decided, differently.
[[nodiscard]] bool contradict(const Opinion& a, const Opinion& b);

// Two contradict each other, or one has a flaw. Whoever does not know contradicts nobody.
[[nodiscard]] bool disagree(std::span<const Opinion> opinions);

// "reachable", "unknown (bound)", "unreachable, but …" with the flaw.
[[nodiscard]] std::string to_text(const Opinion& opinion);

}  // namespace lockwood::frontend
