#include "frontend/java/facts/executions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

#include "base/graph/digraph.hpp"

namespace lockwood::java {
namespace {

constexpr unsigned many = 2;

class Counting {
 public:
  Counting(const PointsTo& flow, const CodeShapes& shapes, StopToken stop)
      : flow_{flow}, shapes_{shapes}, stop_{stop}, is_root_(flow.copies().size()) {
    for (CopyId root : flow.entries()) is_root_[root] = true;
    for (const auto& [type, root] : flow.initialisers()) is_root_[root] = true;
  }

  Executions run() {
    Executions result{IdVector<CopyId, bool>(flow_.copies().size()),
                      IdVector<CopyId, std::string>(flow_.copies().size())};
    find_components();
    // Callers first: edges lead to smaller components.
    std::vector<CopyId> order;
    for (CopyId copy : flow_.copies().keys()) order.push_back(copy);
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](CopyId copy) { return components_.of[copy.index()]; });
    for (CopyId copy : order) {
      stop_.check();
      result.reason[copy] = reason(copy, result);
      result.once[copy] = result.reason[copy].empty();
    }
    return result;
  }

 private:
  void find_components() {
    std::vector<Edge> edges;
    for (CopyId copy : flow_.copies().keys())
      for (const CallEdge& edge : flow_.calls_of(copy))
        edges.push_back({static_cast<std::uint32_t>(copy.index()), static_cast<std::uint32_t>(edge.callee.index())});
    components_ = strongly_connected_components(Digraph{flow_.copies().size(), edges});
    component_sizes_.resize(components_.count);
    for (std::uint32_t component : components_.of) ++component_sizes_[component];
  }
  [[nodiscard]] bool is_recursive(CopyId copy) const {
    if (component_sizes_[components_.of[copy.index()]] > 1) return true;
    return std::ranges::any_of(flow_.callers(copy), [&](const CallEdge& edge) { return edge.caller == copy; });
  }
  [[nodiscard]] std::string place(const CallEdge& edge) const {
    return flow_.universe().place(flow_.procedure(edge.caller), flow_.call(edge).instruction);
  }

  [[nodiscard]] std::string reason(CopyId copy, const Executions& known) const {
    if (is_recursive(copy)) return "it is recursive";
    const auto callers = flow_.callers(copy);
    for (const CallEdge& edge : callers) {
      if (in_loop(flow_, shapes_, edge)) return "it is called in a loop: " + place(edge);
      if (!known.once[edge.caller])
        return fmt::format("its caller {} may run more than once", flow_.universe().name(flow_.procedure(edge.caller)));
    }
    if (callers.size() + (is_root_[copy] ? 1 : 0) <= 1) return {};
    if (executions_of(copy) < many) return {};
    std::vector<std::string> places;
    for (const CallEdge& edge : callers) places.push_back(place(edge));
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (places.size() > 3) places.resize(3);
    return fmt::format("it is called more than once: {}", fmt::join(places, "; "));
  }

  // Bottom-up from the copy to the roots. All that is above it runs once, so no way is endless.
  [[nodiscard]] unsigned executions_of(CopyId target) const {
    std::set<CopyId> above;
    std::vector<CopyId> stack{target};
    while (!stack.empty()) {
      const CopyId copy = stack.back();
      stack.pop_back();
      if (!above.insert(copy).second) continue;
      for (const CallEdge& edge : flow_.callers(copy)) stack.push_back(edge.caller);
    }
    std::vector<CopyId> order(above.begin(), above.end());
    std::ranges::stable_sort(order, {}, [&](CopyId copy) { return components_.of[copy.index()]; });
    std::map<CopyId, unsigned> cost;
    unsigned total = 0;
    for (CopyId copy : order) {
      const unsigned own = copy == target ? 1 : longest_way(copy, cost);
      cost[copy] = own;
      if (is_root_[copy]) total += own;
    }
    return std::min(total, many);
  }

  // The most executions of the target on a way through the copy.
  [[nodiscard]] unsigned longest_way(CopyId copy, const std::map<CopyId, unsigned>& cost) const {
    const Procedure& procedure = flow_.procedure(copy);
    std::map<CallId, unsigned> by_call;  // one callee is chosen
    for (const CallEdge& edge : flow_.calls_of(copy))
      if (const auto found = cost.find(edge.callee); found != cost.end())
        by_call[edge.call] = std::max(by_call[edge.call], found->second);
    if (!procedure.is_code()) {
      unsigned sum = 0;
      for (const auto& [call, count] : by_call) sum += count;
      return std::min(sum, many);
    }
    const jvm::MethodBody& body = procedure.code->body;
    const CodeShape& shape = shapes_[flow_.copies()[copy].procedure];
    IdVector<jvm::Block, unsigned> weight(body.blocks.size());
    for (const auto& [call, count] : by_call)
      if (const auto instruction = procedure.calls[call].instruction) weight[shape.block_of(*instruction)] += count;
    // Blocks are in reverse postorder, and nothing that counts is in a loop: back edges add nothing.
    IdVector<jvm::Block, unsigned> best(body.blocks.size());
    unsigned most = 0;
    for (jvm::Block block : body.blocks.keys()) {
      unsigned before = 0;
      for (jvm::Block predecessor : body.blocks[block].predecessors)
        if (predecessor < block) before = std::max(before, best[predecessor]);
      best[block] = std::min(before + weight[block], many);
      most = std::max(most, best[block]);
    }
    return most;
  }

  const PointsTo& flow_;
  const CodeShapes& shapes_;
  StopToken stop_;
  IdVector<CopyId, bool> is_root_;
  Components components_;
  std::vector<std::size_t> component_sizes_;
};

}  // namespace

bool in_loop(const PointsTo& flow, const CodeShapes& shapes, const CallEdge& edge) {
  const Call& call = flow.call(edge);
  if (call.in_loop || call.flavor == CallFlavor::Loop) return true;
  return call.instruction && shapes[flow.copies()[edge.caller].procedure].in_loop(*call.instruction);
}

Executions executions(const PointsTo& flow, const CodeShapes& shapes, StopToken stop) {
  return Counting{flow, shapes, stop}.run();
}

}  // namespace lockwood::java
