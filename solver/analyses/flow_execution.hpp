#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "dpn/semantics/small_step.hpp"
#include "solver/analyses/flow_group.hpp"

namespace lockwood::solver {

// The targets of a group among those of all groups.
struct TargetRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

// An execution, and what executions have shown so far. After a move, the target of the last action with which its group
// is concerned holds. A symbol is shown for a target if the target held while a thread stood there. All moves respect
// all locks.
class FlowExecution {
 public:
  // The network must outlive it.
  FlowExecution(const dpn::Network& network, const std::vector<FlowGroup>& groups);

  [[nodiscard]] const TargetRange& targets(std::size_t group) const { return ranges_[group]; }
  [[nodiscard]] bool is_shown(dpn::StackSymbol symbol, std::size_t target) const {
    return ((shown_[symbol.index() * words_ + target / 64] >> (target % 64)) & 1U) != 0;
  }
  // It is known otherwise.
  void add(dpn::StackSymbol symbol, std::size_t target) {
    shown_[symbol.index() * words_ + target / 64] |= std::uint64_t{1} << (target % 64);
  }

  [[nodiscard]] const dpn::Network& network() const { return network_; }
  [[nodiscard]] const dpn::Configuration& configuration() const { return configuration_; }
  void begin();
  // Requires that it can be made. Returns how much is shown for the first time.
  std::size_t make(const dpn::Move& move);

 private:
  struct Change {
    TargetRange range;               // no longer hold
    std::optional<std::size_t> now;  // the target that holds
  };

  std::size_t show(dpn::ThreadId thread);

  const dpn::Network& network_;
  std::vector<TargetRange> ranges_;
  IdVector<dpn::Action, std::vector<Change>> changes_;
  std::size_t words_ = 0;  // of a set of targets
  dpn::Configuration configuration_;
  std::vector<std::uint64_t> holding_;
  bool holds_any_ = false;            // some target, since the beginning
  std::vector<std::uint64_t> shown_;  // a set of targets for each symbol
};

}  // namespace lockwood::solver
