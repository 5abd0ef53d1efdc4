#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/ids/sequence_table.hpp"
#include "base/process/stop.hpp"
#include "frontend/java/pointsto/object_set.hpp"
#include "frontend/java/pointsto/universe.hpp"

namespace lockwood::java {

using NodeId = Id<struct NodeTag>;

// A statement of a copy of a procedure that wants to know what is in a node.
struct Subscriber {
  CopyId copy;
  std::uint32_t statement;
};

// Sets of objects that flow along edges [pereira.09.wave]. A node has the objects that it was given and those of the
// nodes with an edge to it, as far as the filter of the edge lets them through.
//
// Only what is new in a node moves on (difference propagation). Nodes are taken in a topological order of the edges
// without filters, so that a node is mostly visited once for all that comes from above. When many edges were added, the
// order is made anew, and nodes on a cycle of edges without filters, whose sets are equal, become one node.
class Propagation {
 public:
  explicit Propagation(Universe& universe) : universe_{universe} {}

  // So many new nodes in a row: the first.
  NodeId add_nodes(std::size_t count);
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  void add_object(NodeId node, ObjectId object);
  void add_edge(NodeId from, NodeId to, std::optional<FilterId> filter);
  // The subscriber is told of each object in the node once, or more than once.
  void subscribe(NodeId node, Subscriber subscriber);
  [[nodiscard]] const ObjectSet& objects(NodeId node) const { return nodes_[representative(node)].all; }

  using Notify = std::function<void(Subscriber, const ObjectSet&)>;
  // Until no set changes. `notify` may add nodes, edges, objects and subscribers. Throws Interrupted.
  void run(const Notify& notify, StopToken stop);

  struct Counts {
    std::size_t propagated = 0;  // objects that came to a node where they were new
    std::size_t edges = 0;
    std::size_t collapsed = 0;  // nodes that are now part of another one
    std::size_t orderings = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  struct FlowEdge {
    NodeId to;
    std::uint32_t filter;  // plus 1; 0: none
  };
  struct Node {
    ObjectSet all;
    ObjectSet news;  // not yet moved on
    std::vector<FlowEdge> edges;
    std::vector<Subscriber> subscribers;
    std::uint32_t parent = 0;  // itself, unless it was collapsed
    std::uint32_t rank = 0;    // in the topological order
  };
  struct Mask {
    std::vector<std::uint64_t> bits;                      // of objects that pass as they are
    std::vector<std::pair<ObjectId, ObjectId>> replaced;  // those that become another one
    ObjectSet replaced_set;
    std::size_t known = 0;  // objects that were looked at
  };

  [[nodiscard]] NodeId representative(NodeId node) const;
  void add_set(NodeId node, const ObjectSet& set);
  void wake(NodeId node);
  [[nodiscard]] ObjectSet filtered(FilterId filter, const ObjectSet& set);
  void move_on(NodeId node, const Notify& notify);
  void order_nodes();
  void collapse(NodeId into, NodeId node);

  Universe& universe_;
  IdVector<NodeId, Node> nodes_;
  SequenceTable<std::uint32_t> known_edges_;
  IdVector<FilterId, Mask> masks_;
  // By rank, lowest first; a node may be in it more than once.
  std::priority_queue<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, std::uint32_t>>,
                      std::greater<>>
      awake_;
  std::vector<std::pair<Subscriber, ObjectSet>> greetings_;  // what new subscribers have missed
  std::size_t edges_since_order_ = 0;
  Counts counts_;
};

}  // namespace lockwood::java
