#include "treeauto/simulation/graph_simulation.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/ids/sequence_table.hpp"
#include "treeauto/simulation/graph_bisimulation.hpp"

namespace lockwood::treeauto {
namespace {

// An edge as its target sees it. `slot` numbers the sources of the label, for counters.
struct Incoming {
  std::uint32_t label;
  std::uint32_t source;
  std::uint32_t slot;
};

// What a block B knows about one of the labels a that lead into it.
template <class Counter>
struct LabelEntry {
  std::uint32_t label;
  // By slot: how many a-edges the source has into blocks above B. Not kept for labels with at most one edge per
  // source: there the count is one, and removing that block makes it zero.
  std::vector<Counter> counts;
  // Sources of a-edges that have lost their last one into blocks above B, so that they are above no node with an a-edge
  // into B. To be acted on.
  std::vector<std::uint32_t> removed;
};

template <class Counter>
struct Block {
  std::uint32_t begin;  // its nodes are members_[begin], …, members_[end - 1]
  std::uint32_t end;
  std::vector<LabelEntry<Counter>> entries;  // by label
};

// The algorithm of [holik.09.optimizing, Alg. 1], itself after [ranzato.07.efficient]. Blocks are sets of nodes that
// are still treated alike; the relation on blocks shrinks, blocks are split, until the relation is a simulation.
// Counters take most of the memory, so they are as narrow as the edges of a node allow.
template <class Counter>
class Refinement {
 public:
  // The initial preorder is initial_below, on the blocks of initial_blocks.
  Refinement(const LabelledGraph& graph, const std::vector<std::uint32_t>& initial_blocks,
             const BitMatrix& initial_below, StopToken stop)
      : graph_{graph}, stop_{stop} {
    index_edges();
    make_blocks(initial_blocks, initial_below);
    make_entries();
  }

  BlockPreorder run() {
    while (!pending_.empty()) {
      stop_.check();
      const auto [block, label] = pending_.front();
      pending_.pop_front();
      process(block, label);
    }
    // A simulation is reflexive: no node was found not to be above itself.
    for ([[maybe_unused]] std::uint32_t block = 0; block < blocks_.size(); ++block) assert(below_.test(block, block));
    return {std::move(block_of_), std::move(below_)};
  }

 private:
  using Entry = LabelEntry<Counter>;

  void index_edges() {
    in_begins_.assign(graph_.node_count + 1, 0);
    is_deterministic_.assign(graph_.label_count, true);
    slot_counts_.assign(graph_.label_count, 0);
    for (const auto& edge : graph_.edges) ++in_begins_[edge.to + 1];
    std::partial_sum(in_begins_.begin(), in_begins_.end(), in_begins_.begin());
    incoming_.resize(graph_.edges.size());

    std::vector<std::uint32_t> order(graph_.edges.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto key = [&](std::uint32_t i) { return std::pair{graph_.edges[i].label, graph_.edges[i].from}; };
    std::ranges::sort(order, {}, key);
    std::vector<std::uint32_t> next(in_begins_.begin(), in_begins_.end() - 1);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto& edge = graph_.edges[order[i]];
      const bool same_source = i > 0 && key(order[i - 1]) == key(order[i]);
      if (same_source) is_deterministic_[edge.label] = false;
      if (!same_source) ++slot_counts_[edge.label];
      incoming_[next[edge.to]++] = {edge.label, edge.from, slot_counts_[edge.label] - 1};
    }
    outgoing_labels_.resize(graph_.node_count);
    for (std::uint32_t i : order) {
      auto& labels = outgoing_labels_[graph_.edges[i].from];
      if (labels.empty() || labels.back() != graph_.edges[i].label) labels.push_back(graph_.edges[i].label);
    }
  }

  // Initial blocks: by initial block and set of outgoing labels; a node is above another only if it has all its labels.
  void make_blocks(const std::vector<std::uint32_t>& initial_blocks, const BitMatrix& initial_below) {
    SequenceTable<> label_sets;
    SequenceTable<> keys;
    block_of_.resize(graph_.node_count);
    for (std::uint32_t node = 0; node < graph_.node_count; ++node) {
      const std::uint32_t labels = label_sets.intern(outgoing_labels_[node]).number;
      block_of_[node] = keys.intern(std::array{initial_blocks[node], labels}).number;
    }
    outgoing_labels_ = {};
    members_.resize(graph_.node_count);
    std::iota(members_.begin(), members_.end(), 0U);
    std::ranges::stable_sort(members_, {}, [&](std::uint32_t node) { return block_of_[node]; });
    place_.resize(graph_.node_count);
    for (std::uint32_t place = 0; place < members_.size(); ++place) place_[members_[place]] = place;
    blocks_.resize(keys.size());
    for (std::uint32_t place = 0; place < members_.size(); ++place) {
      Block<Counter>& block = blocks_[block_of_[members_[place]]];
      if (place == 0 || block_of_[members_[place - 1]] != block_of_[members_[place]]) block.begin = place;
      block.end = place + 1;
    }
    split_to_.resize(blocks_.size());
    seen_.resize(blocks_.size());
    below_.resize(blocks_.size());
    for (std::uint32_t b = 0; b < keys.size(); ++b) {
      stop_.check();
      for (std::uint32_t c = 0; c < keys.size(); ++c)
        if (initial_below.test(keys[b][0], keys[c][0]) &&
            std::ranges::includes(label_sets[keys[c][1]], label_sets[keys[b][1]]))
          below_.set(b, c);
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> members(std::uint32_t block) const {
    return std::span{members_}.subspan(blocks_[block].begin, blocks_[block].end - blocks_[block].begin);
  }
  [[nodiscard]] std::span<const Incoming> incoming(std::uint32_t node) const {
    return std::span{incoming_}.subspan(in_begins_[node], in_begins_[node + 1] - in_begins_[node]);
  }
  [[nodiscard]] std::vector<std::uint32_t> incoming_labels(std::uint32_t block) const {
    std::vector<std::uint32_t> labels;
    for (std::uint32_t node : members(block)) {
      const std::size_t before = labels.size();
      for (const Incoming& edge : incoming(node))
        if (labels.size() == before || labels.back() != edge.label) labels.push_back(edge.label);
      if (labels.size() < 4 * graph_.label_count) continue;
      std::ranges::sort(labels);
      labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    }
    std::ranges::sort(labels);
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    return labels;
  }

  void make_entries() {
    std::vector<std::vector<std::uint32_t>> sources(graph_.label_count);  // by slot
    for (std::uint32_t label = 0; label < graph_.label_count; ++label) sources[label].resize(slot_counts_[label]);
    for (const Incoming& edge : incoming_) sources[edge.label][edge.slot] = edge.source;
    entry_of_label_.assign(graph_.label_count, nullptr);
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      stop_.check();
      for (std::uint32_t label : incoming_labels(block)) blocks_[block].entries.push_back({label, {}, {}});
      for (Entry& entry : blocks_[block].entries) {
        entry_of_label_[entry.label] = &entry;
        entry.counts.assign(slot_counts_[entry.label], 0);
      }
      for (std::uint32_t above = 0; above < blocks_.size(); ++above) {
        if (!below_.test(block, above)) continue;
        for (std::uint32_t node : members(above))
          for (const Incoming& edge : incoming(node))
            if (Entry* entry = entry_of_label_[edge.label]) ++entry->counts[edge.slot];
      }
      for (Entry& entry : blocks_[block].entries) {
        entry_of_label_[entry.label] = nullptr;
        for (std::uint32_t slot = 0; slot < entry.counts.size(); ++slot)
          if (entry.counts[slot] == 0) entry.removed.push_back(sources[entry.label][slot]);
        if (is_deterministic_[entry.label]) entry.counts = {};
        if (!entry.removed.empty()) pending_.emplace_back(block, entry.label);
      }
    }
  }

  [[nodiscard]] Entry* entry_of(std::uint32_t block, std::uint32_t label) {
    auto& entries = blocks_[block].entries;
    const auto found = std::ranges::lower_bound(entries, label, {}, &Entry::label);
    return found != entries.end() && found->label == label ? &*found : nullptr;
  }

  // The removed nodes have no a-edge into blocks above `block` any more. So they are above no node with an a-edge into
  // it.
  void process(std::uint32_t block, std::uint32_t label) {
    assert(entry_of(block, label) != nullptr);
    const std::vector<std::uint32_t> removed = std::exchange(entry_of(block, label)->removed, {});
    assert(!removed.empty());
    std::vector<std::uint32_t> predecessors;  // before `block` is split: all its parts are meant
    for (std::uint32_t node : members(block)) {
      const auto edges = incoming(node);
      auto edge = std::ranges::lower_bound(edges, label, {}, &Incoming::label);
      for (; edge != edges.end() && edge->label == label; ++edge) predecessors.push_back(edge->source);
    }
    split(removed);
    const std::vector<std::uint32_t> lower = blocks_containing(predecessors);
    const std::vector<std::uint32_t> upper = blocks_containing(removed);
    for (std::uint32_t low : lower) {
      stop_.check();
      for (Entry& entry : blocks_[low].entries) entry_of_label_[entry.label] = &entry;
      for (std::uint32_t high : upper)
        if (below_.test(low, high)) unrelate(low, high);
      for (Entry& entry : blocks_[low].entries) entry_of_label_[entry.label] = nullptr;
    }
  }

  // Each once, in the order of the nodes.
  [[nodiscard]] std::vector<std::uint32_t> blocks_containing(std::span<const std::uint32_t> nodes) {
    std::vector<std::uint32_t> blocks;
    ++round_;
    for (std::uint32_t node : nodes) {
      const std::uint32_t block = block_of_[node];
      if (std::exchange(seen_[block], round_) != round_) blocks.push_back(block);
    }
    return blocks;
  }

  // Requires entry_of_label_ to be that of `low`.
  void unrelate(std::uint32_t low, std::uint32_t high) {
    below_.reset(low, high);
    for (std::uint32_t node : members(high))
      for (const Incoming& edge : incoming(node)) {
        Entry* entry = entry_of_label_[edge.label];
        if (entry == nullptr) continue;
        assert(is_deterministic_[edge.label] || entry->counts[edge.slot] > 0);
        if (!is_deterministic_[edge.label] && --entry->counts[edge.slot] > 0) continue;
        if (entry->removed.empty()) pending_.emplace_back(low, edge.label);
        entry->removed.push_back(edge.source);
      }
  }

  // Splits every block that has nodes both in the set and not in it; the nodes in the set become a new block.
  void split(std::span<const std::uint32_t> nodes) {
    touched_.clear();
    for (std::uint32_t node : nodes) {
      const std::uint32_t block = block_of_[node];
      if (split_to_[block] == 0) touched_.push_back(block);
      assert(place_[node] + split_to_[block] < blocks_[block].end);  // the node comes once
      // The last split_to_ members of the block are those in the set.
      const std::uint32_t place = blocks_[block].end - ++split_to_[block];
      const std::uint32_t other = members_[place];
      std::swap(members_[place_[node]], members_[place]);
      place_[other] = place_[node];
      place_[node] = place;
    }
    for (std::uint32_t block : touched_) {
      const std::uint32_t count = std::exchange(split_to_[block], 0);
      if (count < blocks_[block].end - blocks_[block].begin) split_off(block, count);
    }
  }

  // A new block of the last members of another, with all it knew.
  void split_off(std::uint32_t block, std::uint32_t count) {
    assert(0 < count && count < blocks_[block].end - blocks_[block].begin);  // both parts have nodes
    const auto added = static_cast<std::uint32_t>(blocks_.size());
    blocks_.push_back({blocks_[block].end - count, blocks_[block].end, {}});
    blocks_[block].end -= count;
    split_to_.push_back(0);
    seen_.push_back(0);
    for (std::uint32_t node : members(added)) block_of_[node] = added;
    below_.resize(blocks_.size());
    below_.copy_row(block, added);
    for (std::uint32_t other = 0; other < blocks_.size(); ++other)
      if (below_.test(other, block)) below_.set(other, added);
    for (std::uint32_t label : incoming_labels(added)) {
      assert(entry_of(block, label) != nullptr);
      const Entry& known = *entry_of(block, label);
      blocks_[added].entries.push_back(known);
      if (!known.removed.empty()) pending_.emplace_back(added, label);
    }
  }

  const LabelledGraph& graph_;
  StopToken stop_;
  std::vector<std::uint32_t> in_begins_;
  std::vector<Incoming> incoming_;  // grouped by target, then by label
  std::vector<std::vector<std::uint32_t>> outgoing_labels_;
  std::vector<bool> is_deterministic_;      // by label: at most one edge per source
  std::vector<std::uint32_t> slot_counts_;  // by label: number of its sources

  std::vector<Block<Counter>> blocks_;
  std::vector<std::uint32_t> block_of_;  // by node
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> place_;  // in members_, by node
  BitMatrix below_;
  // Blocks and labels with something removed, oldest first: the longer they wait, the more there is to do at once.
  std::deque<std::pair<std::uint32_t, std::uint32_t>> pending_;

  std::vector<Entry*> entry_of_label_;   // scratch: entries of the block at hand
  std::vector<std::uint32_t> split_to_;  // scratch: nodes to split off, by block
  std::vector<std::uint32_t> touched_;   // scratch
  std::vector<std::uint64_t> seen_;      // scratch: the last round in which a block was seen
  std::uint64_t round_ = 0;
};

BlockPreorder refined(const LabelledGraph& graph, const std::vector<std::uint32_t>& initial_blocks,
                      const BitMatrix& initial_below, StopToken stop) {
  std::vector<std::size_t> degrees(graph.node_count);
  for (const auto& edge : graph.edges) ++degrees[edge.from];
  const std::size_t most = degrees.empty() ? 0 : *std::ranges::max_element(degrees);
  if (most <= std::numeric_limits<std::uint8_t>::max())
    return Refinement<std::uint8_t>{graph, initial_blocks, initial_below, stop}.run();
  if (most <= std::numeric_limits<std::uint16_t>::max())
    return Refinement<std::uint16_t>{graph, initial_blocks, initial_below, stop}.run();
  return Refinement<std::uint32_t>{graph, initial_blocks, initial_below, stop}.run();
}

}  // namespace

BlockPreorder greatest_simulation(const LabelledGraph& graph, const BlockPreorder& initial, StopToken stop) {
  const NodePartition partition = coarsest_bisimulation(graph, initial.block_of, stop);
  if (partition.block_count == graph.node_count) return refined(graph, initial.block_of, initial.below, stop);
  LabelledGraph quotient{.node_count = partition.block_count, .label_count = graph.label_count, .edges = {}};
  for (const auto& [from, label, to] : graph.edges)
    quotient.edges.push_back({partition.block_of[from], label, partition.block_of[to]});
  std::ranges::sort(quotient.edges);
  quotient.edges.erase(std::unique(quotient.edges.begin(), quotient.edges.end()), quotient.edges.end());
  std::vector<std::uint32_t> initial_blocks(partition.block_count);
  for (std::size_t node = 0; node < graph.node_count; ++node)
    initial_blocks[partition.block_of[node]] = initial.block_of[node];
  BlockPreorder result = refined(quotient, initial_blocks, initial.below, stop);
  std::vector<std::uint32_t> block_of;
  for (std::uint32_t block : partition.block_of) block_of.push_back(result.block_of[block]);
  return {std::move(block_of), std::move(result.below)};
}

}  // namespace lockwood::treeauto
