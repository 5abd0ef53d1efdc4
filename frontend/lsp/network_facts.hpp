#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "frontend/findings/analyses/held_locks.hpp"
#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::lsp {

// What is known of threads that stand at some symbols.
struct Standing {
  std::optional<findings::HeldLocks> held;                   // none: not computed
  std::optional<std::vector<dpn::StackSymbol>> others = {};  // where other threads may stand meanwhile, ascending
  std::optional<StopReason> gave_up = {};                    // then what is missing stays missing
  [[nodiscard]] bool complete() const { return gave_up || (held && others); }
};

// The locks held at the symbols of a network, and the symbols where threads may be at the same time. Each is
// computed when it is first asked for, and kept. One run of the solver tells the partners of one symbol or of thousands
// at nearly the same price: so it is asked about a block of neighbours, as many as have a table that memory is not
// short of.
class NetworkFacts {
 public:
  // `symbols_per_block`: for tests; none: as many as is good.
  explicit NetworkFacts(std::shared_ptr<const program::Lowered> lowered,
                        std::optional<std::size_t> symbols_per_block = {});
  // The network of a model.
  explicit NetworkFacts(std::shared_ptr<const dpn::Network> network, std::optional<std::size_t> symbols_per_block = {});

  // The program that they are of, if they are of one.
  [[nodiscard]] const program::Lowered* lowered() const { return lowered_.get(); }

  // Has what there is to know of these symbols computed, unless it is known. If it is stopped by a limit, that is known
  // then; if it is cancelled, nothing is.
  void compute(const std::vector<dpn::StackSymbol>& symbols, StopToken stop);

  [[nodiscard]] Standing known(const std::vector<dpn::StackSymbol>& symbols) const;

  // Waits until somebody has computed all of it, but not longer than that.
  using Time = std::chrono::steady_clock::time_point;
  [[nodiscard]] Standing wait(const std::vector<dpn::StackSymbol>& symbols, Time deadline, StopToken stop) const;

 private:
  using Row = IdVector<dpn::StackSymbol, bool>;
  struct Block {
    std::vector<Row> partners;  // of each of its symbols
    std::optional<StopReason> gave_up;
  };

  [[nodiscard]] std::size_t block_of(dpn::StackSymbol symbol) const { return symbol.index() / symbols_per_block_; }
  [[nodiscard]] bool counts(dpn::StackSymbol symbol) const;
  void compute_held(StopToken stop);
  void compute_block(std::size_t number, StopToken stop);
  [[nodiscard]] Standing known_now(const std::vector<dpn::StackSymbol>& symbols) const;

  std::shared_ptr<const program::Lowered> lowered_;
  std::shared_ptr<const dpn::Network> network_;
  std::size_t symbols_per_block_;

  std::mutex computing_;      // by whoever computes
  mutable std::mutex mutex_;  // of what follows
  mutable std::condition_variable more_;
  std::optional<IdVector<dpn::StackSymbol, findings::HeldLocks>> held_;
  std::optional<StopReason> gave_up_;                 // by limits, before the locks were known or the memory was there
  std::vector<std::shared_ptr<const Block>> blocks_;  // none: not computed
};

}  // namespace lockwood::lsp
