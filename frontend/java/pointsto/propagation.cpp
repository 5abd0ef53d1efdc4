#include "frontend/java/pointsto/propagation.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/graph/digraph.hpp"

namespace lockwood::java {

NodeId Propagation::add_nodes(std::size_t count) {
  const NodeId first{nodes_.size()};
  for (std::size_t i = 0; i < count; ++i) {
    Node node;
    node.parent = static_cast<std::uint32_t>(nodes_.size());
    node.rank = node.parent;
    nodes_.push_back(std::move(node));
  }
  return first;
}

NodeId Propagation::representative(NodeId node) const {
  while (nodes_[node].parent != node.index()) node = NodeId{nodes_[node].parent};
  return node;
}

void Propagation::wake(NodeId node) {
  assert(representative(node) == node);
  awake_.emplace(nodes_[node].rank, static_cast<std::uint32_t>(node.index()));
}

void Propagation::add_object(NodeId at, ObjectId object) {
  const NodeId node = representative(at);
  if (!nodes_[node].all.insert(object)) return;
  ++counts_.propagated;
  const bool was_awake = !nodes_[node].news.empty();
  nodes_[node].news.insert(object);
  if (!was_awake) wake(node);
}

void Propagation::add_set(NodeId node, const ObjectSet& set) {
  assert(representative(node) == node);
  Node& row = nodes_[node];
  const bool was_awake = !row.news.empty();
  ObjectSet news;
  row.all.unite(set, news);
  if (news.empty()) return;
  counts_.propagated += news.size();
  row.news.unite(news);
  if (!was_awake) wake(node);
}

void Propagation::add_edge(NodeId from, NodeId to, std::optional<FilterId> filter) {
  const NodeId source = representative(from);
  const NodeId target = representative(to);
  if (source == target) return;
  const std::uint32_t tag = filter ? static_cast<std::uint32_t>(filter->index() + 1) : 0;
  // Known by the nodes as they are now: after a collapse the same edge may come twice, which does no harm.
  const std::array<std::uint32_t, 3> key = {static_cast<std::uint32_t>(source.index()),
                                            static_cast<std::uint32_t>(target.index()), tag};
  if (!known_edges_.intern(key).is_new) return;
  nodes_[source].edges.push_back({target, tag});
  ++counts_.edges;
  ++edges_since_order_;
  if (nodes_[source].all.empty()) return;
  // A copy, since the filter may make objects and with them nodes.
  add_set(target, filter ? filtered(*filter, nodes_[source].all) : ObjectSet{nodes_[source].all});
}

void Propagation::subscribe(NodeId at, Subscriber subscriber) {
  const NodeId node = representative(at);
  nodes_[node].subscribers.push_back(subscriber);
  if (!nodes_[node].all.empty()) greetings_.emplace_back(subscriber, nodes_[node].all);
}

ObjectSet Propagation::filtered(FilterId filter, const ObjectSet& set) {
  if (masks_.size() <= filter.index()) masks_.resize(filter.index() + 1);
  // Objects are only added, so the mask grows at its end.
  while (masks_[filter].known < universe_.objects().size()) {
    const ObjectId object{masks_[filter].known++};
    const auto passed = universe_.passed(filter, object);
    Mask& mask = masks_[filter];
    mask.bits.resize(mask.known / 64 + 1);
    if (passed == object) mask.bits[object.index() / 64] |= std::uint64_t{1} << (object.index() % 64);
    if (passed && *passed != object) {
      mask.replaced.emplace_back(object, *passed);
      mask.replaced_set.insert(object);
    }
  }
  const Mask& mask = masks_[filter];
  ObjectSet result = set.masked(mask.bits);
  if (set.intersects(mask.replaced_set))
    for (const auto& [object, replacement] : mask.replaced)
      if (set.contains(object)) result.insert(replacement);
  return result;
}

void Propagation::move_on(NodeId node, const Notify& notify) {
  const ObjectSet news = std::move(nodes_[node].news);
  nodes_[node].news = {};
  for (std::size_t i = 0; i < nodes_[node].edges.size(); ++i) {
    FlowEdge& edge = nodes_[node].edges[i];
    edge.to = representative(edge.to);
    if (edge.to == node) continue;
    const NodeId to = edge.to;
    if (edge.filter == 0) {
      add_set(to, news);
    } else {
      add_set(to, filtered(FilterId{edge.filter - 1}, news));
    }
  }
  // Subscribers may subscribe others to this node, whom a greeting tells.
  const std::size_t subscribers = nodes_[node].subscribers.size();
  for (std::size_t i = 0; i < subscribers; ++i) notify(Subscriber{nodes_[node].subscribers[i]}, news);
}

void Propagation::run(const Notify& notify, StopToken stop) {
  constexpr std::size_t fewest_edges = 200;
  while (true) {
    stop.check();
    if (!greetings_.empty()) {
      const auto [subscriber, objects] = std::move(greetings_.back());
      greetings_.pop_back();
      notify(subscriber, objects);
      continue;
    }
    if (awake_.empty()) break;
    if (edges_since_order_ > fewest_edges && 2 * edges_since_order_ > counts_.edges) order_nodes();
    const NodeId node{awake_.top().second};
    awake_.pop();
    if (representative(node) != node || nodes_[node].news.empty()) continue;
    move_on(node, notify);
  }
  assert(std::ranges::all_of(nodes_, [](const Node& node) { return node.news.empty(); }));
}

// One graph of the nodes as they are: its components are collapsed, and their numbers are the new order.
void Propagation::order_nodes() {
  edges_since_order_ = 0;
  ++counts_.orderings;
  std::vector<Edge> edges;
  for (NodeId id : nodes_.keys()) {
    if (representative(id) != id) continue;
    for (const FlowEdge& edge : nodes_[id].edges)
      if (edge.filter == 0)
        edges.push_back(
            {static_cast<std::uint32_t>(id.index()), static_cast<std::uint32_t>(representative(edge.to).index())});
  }
  const Components components = strongly_connected_components(Digraph{nodes_.size(), edges});
  std::vector<std::uint32_t> first(components.count, static_cast<std::uint32_t>(nodes_.size()));
  for (NodeId id : nodes_.keys()) {
    if (representative(id) != id) continue;
    std::uint32_t& leader = first[components.of[id.index()]];
    if (leader == nodes_.size()) {
      leader = static_cast<std::uint32_t>(id.index());
    } else {
      collapse(NodeId{leader}, id);
    }
  }
  awake_ = {};
  for (NodeId id : nodes_.keys()) {
    if (representative(id) != id) continue;
    // Edges lead to smaller numbers, and the lowest rank comes first.
    nodes_[id].rank = static_cast<std::uint32_t>(components.count - 1 - components.of[id.index()]);
    if (!nodes_[id].news.empty()) wake(id);
  }
}

void Propagation::collapse(NodeId into, NodeId node) {
  assert(into != node && representative(into) == into && representative(node) == node);
  Node gone = std::move(nodes_[node]);
  nodes_[node] = Node{};
  nodes_[node].parent = static_cast<std::uint32_t>(into.index());
  Node& kept = nodes_[into];
  // Followers of one have missed what only the other had.
  ObjectSet missed = kept.all;
  missed.remove_all(gone.all);
  ObjectSet others = gone.all;
  others.remove_all(kept.all);
  kept.news.unite(gone.news);
  kept.news.unite(missed);
  kept.news.unite(others);
  kept.all.unite(gone.all);
  kept.edges.insert(kept.edges.end(), gone.edges.begin(), gone.edges.end());
  kept.subscribers.insert(kept.subscribers.end(), gone.subscribers.begin(), gone.subscribers.end());
  ++counts_.collapsed;
}

}  // namespace lockwood::java
