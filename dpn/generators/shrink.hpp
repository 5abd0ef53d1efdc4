#pragma once

#include <cstddef>
#include <functional>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

// A small model with the same peculiarity as a large one: two engines disagree on it, a witness does not replay.
namespace lockwood::dpn {

struct ShrinkOptions {
  std::size_t tests = 20'000;  // how often to ask at most
  StopToken stop;
};

struct Shrunk {
  Network network;
  Query query;
  std::size_t tests = 0;  // how often was asked
  bool minimal = false;   // nothing more can be left out
};

// Leaves out and simplifies what it can as long as the rest is interesting: it removes rules, steps of the query, their
// sets, positions and actions, symbols that nobody uses; it makes calls of monitors, steps of calls and spawns, one
// program point of two that a step connects, and one of two locks, actions or control states. Greedily, many at a time
// first, in the manner of delta debugging [zeller.02.simplifying]; so the result is *a* smallest one only in
// the sense that none of these changes alone leads to something interesting. A query keeps a step, and a set a symbol.
//
// Requires that the network and query are interesting, and that `interesting` always says the same of the same. The
// result is interesting. If the options do not allow for more, it is the smallest found so far. The query's expected
// verdict is forgotten: it belonged to another model.
[[nodiscard]] Shrunk shrunk(const Network& network, const Query& query,
                            const std::function<bool(const Network&, const Query&)>& interesting,
                            const ShrinkOptions& options = {});

}  // namespace lockwood::dpn
