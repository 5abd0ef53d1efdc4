#include "frontend/lsp/network_facts.hpp"

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

#include "solver/analyses/mhp.hpp"

namespace lockwood::lsp {
namespace {

// The solver lists all pairs of a block: 128 MB of them at most. A program of some 2,000 lines is one block.
constexpr std::size_t max_pairs = std::size_t{1} << 24U;

std::size_t good_block(const dpn::Network& network) {
  return std::max<std::size_t>(1, max_pairs / std::max<std::size_t>(1, network.stack_symbols().size()));
}

}  // namespace

NetworkFacts::NetworkFacts(std::shared_ptr<const program::Lowered> lowered,
                           std::optional<std::size_t> symbols_per_block)
    : lowered_{std::move(lowered)},
      network_{lowered_, &lowered_->network},
      symbols_per_block_{symbols_per_block.value_or(good_block(*network_))} {}

NetworkFacts::NetworkFacts(std::shared_ptr<const dpn::Network> network, std::optional<std::size_t> symbols_per_block)
    : network_{std::move(network)}, symbols_per_block_{symbols_per_block.value_or(good_block(*network_))} {}

// Of a program, only places before an instruction have a line.
bool NetworkFacts::counts(dpn::StackSymbol symbol) const {
  return lowered_ == nullptr || lowered_->symbols[symbol].role == program::SymbolRole::Before;
}

void NetworkFacts::compute(const std::vector<dpn::StackSymbol>& symbols, StopToken stop) {
  const std::lock_guard computing{computing_};
  if (known(symbols).complete()) return;
  try {
    compute_held(stop);
    std::vector<std::size_t> blocks;
    for (dpn::StackSymbol symbol : symbols) blocks.push_back(block_of(symbol));
    std::ranges::sort(blocks);
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    for (std::size_t block : blocks) compute_block(block, stop);
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock{mutex_};
    gave_up_ = StopReason::Memory;
  }
  more_.notify_all();
}

void NetworkFacts::compute_held(StopToken stop) {
  {
    const std::lock_guard lock{mutex_};
    if (held_ || gave_up_) return;
  }
  std::optional<IdVector<dpn::StackSymbol, findings::HeldLocks>> held;
  std::optional<StopReason> gave_up;
  try {
    held = lowered_ ? findings::held_locks(*lowered_, stop) : findings::held_locks(*network_, stop);
  } catch (const Interrupted& interrupted) {
    if (interrupted.reason() == StopReason::Cancelled) return;
    gave_up = interrupted.reason();
  }
  {
    const std::lock_guard lock{mutex_};
    held_ = std::move(held);
    gave_up_ = gave_up;
  }
  more_.notify_all();
}

void NetworkFacts::compute_block(std::size_t number, StopToken stop) {
  const std::size_t count = network_->stack_symbols().size();
  {
    const std::lock_guard lock{mutex_};
    if (number < blocks_.size() && blocks_[number]) return;
  }
  const std::size_t begin = number * symbols_per_block_;
  const std::size_t end = std::min(begin + symbols_per_block_, count);
  assert(begin < end);
  std::vector<dpn::StackSymbol> asked;
  std::vector<dpn::StackSymbol> all;
  for (dpn::StackSymbol symbol : network_->stack_symbols().keys()) {
    if (!counts(symbol)) continue;
    all.push_back(symbol);
    if (begin <= symbol.index() && symbol.index() < end) asked.push_back(symbol);
  }
  const solver::MhpAnswer answer = solver::parallel_pairs(
      *network_, {.left = std::move(asked), .right = std::move(all), .reductions = {}, .stop = stop});
  if (answer.stopped == StopReason::Cancelled) return;
  Block block{.partners = std::vector<Row>(end - begin, Row(count)), .gave_up = answer.stopped};
  const auto add = [&](dpn::StackSymbol at, dpn::StackSymbol other) {
    if (begin <= at.index() && at.index() < end) block.partners[at.index() - begin][other] = true;
  };
  for (const solver::ParallelPair& pair : answer.pairs) {
    add(pair.first, pair.second);
    add(pair.second, pair.first);
  }
  {
    const std::lock_guard lock{mutex_};
    if (blocks_.size() <= number) blocks_.resize(number + 1);
    blocks_[number] = std::make_shared<const Block>(std::move(block));
  }
  more_.notify_all();
}

Standing NetworkFacts::known(const std::vector<dpn::StackSymbol>& symbols) const {
  const std::lock_guard lock{mutex_};
  return known_now(symbols);
}

// If only some of the blocks are there, so are only some of the others: then there is no more to be had, or none is
// told.
Standing NetworkFacts::known_now(const std::vector<dpn::StackSymbol>& symbols) const {
  Standing standing{.held = {}, .gave_up = gave_up_};
  if (held_) standing.held = findings::held_at(*held_, symbols);
  Row others(network_->stack_symbols().size());
  for (dpn::StackSymbol symbol : symbols) {
    const std::size_t number = block_of(symbol);
    const Block* block = number < blocks_.size() ? blocks_[number].get() : nullptr;
    if (block == nullptr) return standing;
    if (block->gave_up) standing.gave_up = block->gave_up;
    const Row& row = block->partners[symbol.index() % symbols_per_block_];
    for (dpn::StackSymbol other : row.keys())
      if (row[other]) others[other] = true;
  }
  standing.others.emplace();
  for (dpn::StackSymbol other : others.keys())
    if (others[other]) standing.others->push_back(other);
  return standing;
}

Standing NetworkFacts::wait(const std::vector<dpn::StackSymbol>& symbols, Time deadline, StopToken stop) const {
  constexpr std::chrono::milliseconds glance{20};  // between looks at the token
  std::unique_lock lock{mutex_};
  while (true) {
    Standing standing = known_now(symbols);
    const Time now = std::chrono::steady_clock::now();
    if (standing.complete() || now >= deadline || stop.stop_requested()) return standing;
    more_.wait_until(lock, std::min(deadline, now + glance));
  }
}

}  // namespace lockwood::lsp
