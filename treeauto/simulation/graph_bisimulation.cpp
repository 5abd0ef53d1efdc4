#include "treeauto/simulation/graph_bisimulation.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/ids/sequence_table.hpp"
#include "treeauto/automaton/word.hpp"

namespace lockwood::treeauto {
namespace {

constexpr std::uint32_t no_edge = std::numeric_limits<std::uint32_t>::max();

// Groups of a sequence 0, …, n - 1 by a key: those of key k are members[begins[k]], …, members[begins[k + 1] - 1].
struct KeyGroups {
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> members;
};

template <class KeyOf>
KeyGroups grouped(std::size_t count, std::size_t keys, KeyOf&& key_of) {
  KeyGroups groups{std::vector<std::uint32_t>(keys + 1), std::vector<std::uint32_t>(count)};
  for (std::uint32_t i = 0; i < count; ++i) ++groups.begins[key_of(i) + 1];
  std::partial_sum(groups.begins.begin(), groups.begins.end(), groups.begins.begin());
  std::vector<std::uint32_t> next(groups.begins.begin(), groups.begins.end() - 1);
  for (std::uint32_t i = 0; i < count; ++i) groups.members[next[key_of(i)]++] = i;
  assert(std::equal(next.begin(), next.end(), groups.begins.begin() + 1));
  return groups;
}

// Blocks of nodes, which are split by marking some of their nodes. Each block is a range of one array, marked nodes
// first.
class NodeBlocks {
 public:
  NodeBlocks(const std::vector<std::uint32_t>& block_of, std::size_t count)
      : block_of_{block_of}, position_(block_of.size()), ranges_(count) {
    const KeyGroups groups = grouped(block_of.size(), count, [&](std::uint32_t node) { return block_of[node]; });
    nodes_ = groups.members;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) position_[nodes_[i]] = i;
    for (std::size_t block = 0; block < count; ++block)
      ranges_[block] = {groups.begins[block], groups.begins[block], groups.begins[block + 1]};
  }

  [[nodiscard]] std::size_t count() const { return ranges_.size(); }
  [[nodiscard]] std::size_t size(std::uint32_t block) const { return ranges_[block].end - ranges_[block].begin; }
  [[nodiscard]] std::span<const std::uint32_t> nodes(std::uint32_t block) const {
    return std::span{nodes_}.subspan(ranges_[block].begin, size(block));
  }
  [[nodiscard]] const std::vector<std::uint32_t>& block_of() const { return block_of_; }

  // Requires that the node is not marked.
  void mark(std::uint32_t node) {
    Range& range = ranges_[block_of_[node]];
    assert(position_[node] >= range.unmarked && position_[node] < range.end);
    if (range.unmarked == range.begin) touched_.push_back(block_of_[node]);
    const std::uint32_t other = nodes_[range.unmarked];
    std::swap(nodes_[range.unmarked], nodes_[position_[node]]);
    std::swap(position_[other], position_[node]);
    ++range.unmarked;
  }
  // Parts marked from unmarked nodes; the smaller part is a new block. Calls on_split(old block, new block).
  template <class OnSplit>
  void split(OnSplit&& on_split) {
    for (std::uint32_t block : touched_) {
      const Range old = ranges_[block];
      ranges_[block].unmarked = old.begin;
      if (old.unmarked == old.end) continue;
      const bool marked_is_smaller = old.unmarked - old.begin <= old.end - old.unmarked;
      const Range marked{old.begin, old.begin, old.unmarked};
      const Range rest{old.unmarked, old.unmarked, old.end};
      ranges_[block] = marked_is_smaller ? rest : marked;
      const std::uint32_t added = word(ranges_.size());
      ranges_.push_back(marked_is_smaller ? marked : rest);
      assert(0 < size(added) && size(added) <= size(block));
      for (std::uint32_t node : nodes(added)) block_of_[node] = added;
      on_split(block, added);
    }
    touched_.clear();
  }

 private:
  struct Range {
    std::uint32_t begin;
    std::uint32_t unmarked;
    std::uint32_t end;
  };
  std::vector<std::uint32_t> block_of_;
  std::vector<std::uint32_t> nodes_;
  std::vector<std::uint32_t> position_;  // in nodes_
  std::vector<Range> ranges_;
  std::vector<std::uint32_t> touched_;  // blocks with marked nodes
};

// [paige.87.three], with labels. Besides the blocks there is a coarser partition of the nodes into unions of blocks,
// with respect to which the blocks are stable: nodes of a block have edges with the same labels into the same unions. A
// union of several blocks is divided into one of them, with at most half of its nodes, and the rest. Blocks are then
// split by which labels lead their nodes to the one, to the rest, or to both. For this each edge knows how many edges
// its source has, with its label, into the union of its target: if as many lead to the part, none leads to the rest.
// So only edges into the smaller part are looked at, and a node is in that at most log n times.
class BisimulationRefinement {
 public:
  BisimulationRefinement(const LabelledGraph& graph, const std::vector<std::uint32_t>& initial, StopToken stop)
      : graph_{graph},
        stop_{stop},
        incoming_{grouped(graph.edges.size(), graph.node_count, [&](std::uint32_t i) { return graph.edges[i].to; })},
        count_of_(graph.edges.size()),
        blocks_{stable_below_all(initial)},
        next_(graph.edges.size(), no_edge),
        first_(graph.label_count, no_edge),
        hits_(graph.node_count, 0),
        new_count_(graph.node_count, 0) {
    unions_.emplace_back(blocks_.count());
    std::iota(unions_[0].begin(), unions_[0].end(), 0U);
    union_of_.assign(blocks_.count(), 0);
    if (blocks_.count() > 1) pending_.push_back(0);
  }

  NodePartition run() {
    while (!pending_.empty()) {
      stop_.check();
      divide(pending_.back());
    }
    NodePartition result{blocks_.block_of(), blocks_.count()};
    std::vector<std::uint32_t> number(blocks_.count(), no_edge);
    std::uint32_t numbers = 0;
    for (std::uint32_t& block : result.block_of) {
      if (number[block] == no_edge) number[block] = numbers++;
      block = number[block];
    }
    return result;
  }

 private:
  // Blocks by the initial number and the labels of the edges: stable if all nodes are one union. Also counts edges.
  NodeBlocks stable_below_all(const std::vector<std::uint32_t>& initial) {
    const KeyGroups outgoing =
        grouped(graph_.edges.size(), graph_.node_count, [&](std::uint32_t i) { return graph_.edges[i].from; });
    SequenceTable<std::uint32_t> signatures;
    std::vector<std::uint32_t> block_of;
    std::vector<std::uint32_t> edges;
    std::vector<std::uint32_t> signature;
    for (std::size_t node = 0; node < graph_.node_count; ++node) {
      stop_.check();
      edges.assign(outgoing.members.begin() + outgoing.begins[node],
                   outgoing.members.begin() + outgoing.begins[node + 1]);
      std::ranges::sort(edges, {}, [&](std::uint32_t edge) { return graph_.edges[edge].label; });
      signature.assign(1, initial[node]);
      for (std::size_t i = 0; i < edges.size(); ++i) {
        const std::uint32_t label = graph_.edges[edges[i]].label;
        if (i == 0 || label != signature.back()) {
          signature.push_back(label);
          counts_.push_back(0);
        }
        ++counts_.back();
        count_of_[edges[i]] = word(counts_.size() - 1);
      }
      block_of.push_back(signatures.intern(signature).number);
    }
    return NodeBlocks{block_of, signatures.size()};
  }

  // Takes a block out of the union.
  void divide(std::uint32_t whole) {
    std::vector<std::uint32_t>& members = unions_[whole];
    assert(members.size() > 1);
    if (blocks_.size(members.back()) > blocks_.size(members[members.size() - 2]))
      std::swap(members.back(), members[members.size() - 2]);
    const std::uint32_t part = members.back();
    members.pop_back();
    if (members.size() == 1) pending_.pop_back();
    union_of_[part] = word(unions_.size());
    unions_.push_back({part});

    labels_.clear();
    for (std::uint32_t node : blocks_.nodes(part))
      for (std::uint32_t i = incoming_.begins[node]; i < incoming_.begins[node + 1]; ++i) {
        const std::uint32_t edge = incoming_.members[i];
        const std::uint32_t label = graph_.edges[edge].label;
        if (first_[label] == no_edge) labels_.push_back(label);
        next_[edge] = std::exchange(first_[label], edge);
      }
    for (std::uint32_t label : labels_) split_by(label);
  }

  // Splits by the edges of the label into the part that was taken out, which are a list from first_[label].
  void split_by(std::uint32_t label) {
    sources_.clear();
    for (std::uint32_t edge = first_[label]; edge != no_edge; edge = next_[edge]) {
      ++steps_;
      const std::uint32_t source = graph_.edges[edge].from;
      if (hits_[source]++ == 0) {
        sources_.push_back(source);
        new_count_[source] = count_of_[edge];
        blocks_.mark(source);
      }
    }
    stop_.check();
    stop_.report_progress({.contexts = 0, .facts = steps_});
    split_marked();
    for (std::uint32_t source : sources_) {
      assert(0 < hits_[source] && hits_[source] <= counts_[new_count_[source]]);
      if (hits_[source] < counts_[new_count_[source]]) {  // some lead to the rest
        counts_[new_count_[source]] -= hits_[source];
        new_count_[source] = word(counts_.size());
        counts_.push_back(hits_[source]);
        blocks_.mark(source);
      }
    }
    split_marked();
    for (std::uint32_t edge = std::exchange(first_[label], no_edge); edge != no_edge; edge = next_[edge])
      count_of_[edge] = new_count_[graph_.edges[edge].from];
    for (std::uint32_t source : sources_) hits_[source] = 0;
  }

  void split_marked() {
    blocks_.split([&](std::uint32_t old, std::uint32_t added) {
      const std::uint32_t whole = union_of_[old];
      assert(union_of_.size() == added);
      union_of_.push_back(whole);
      unions_[whole].push_back(added);
      if (unions_[whole].size() == 2) pending_.push_back(whole);
    });
  }

  const LabelledGraph& graph_;
  StopToken stop_;
  KeyGroups incoming_;                   // edges by target
  std::vector<std::uint32_t> count_of_;  // by edge, in counts_
  std::vector<std::uint32_t> counts_;    // of the edges from a node, with a label, into a union
  NodeBlocks blocks_;
  std::vector<std::vector<std::uint32_t>> unions_;  // of blocks
  std::vector<std::uint32_t> union_of_;             // by block
  std::vector<std::uint32_t> pending_;              // unions of several blocks
  std::size_t steps_ = 0;
  // Scratch of divide and split_by.
  std::vector<std::uint32_t> next_;       // by edge: the next of its label into the part
  std::vector<std::uint32_t> first_;      // by label
  std::vector<std::uint32_t> labels_;     // those of edges into the part
  std::vector<std::uint32_t> sources_;    // of edges of a label into the part
  std::vector<std::uint32_t> hits_;       // by source: how many such edges it has
  std::vector<std::uint32_t> new_count_;  // by source: in counts_, the count for these
};

}  // namespace

NodePartition coarsest_bisimulation(const LabelledGraph& graph, const std::vector<std::uint32_t>& initial,
                                    StopToken stop) {
  return BisimulationRefinement{graph, initial, stop}.run();
}

}  // namespace lockwood::treeauto
