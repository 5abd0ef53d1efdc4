#include "base/graph/range_graph.hpp"

#include <algorithm>
#include <numeric>

namespace lockwood {
namespace {

// Places of a row, of which more and more are of no interest any more and are skipped: a forest in which each place
// leads to a later one that may be left, with paths halved on the way.
class Places {
 public:
  explicit Places(std::size_t size) : next_(size + 1) { std::iota(next_.begin(), next_.end(), std::size_t{0}); }

  // The first place that is left, from this one on; the size of the row if there is none.
  [[nodiscard]] std::size_t first_from(std::size_t place) {
    while (next_[place] != place) {
      next_[place] = next_[next_[place]];
      place = next_[place];
    }
    return place;
  }
  void skip(std::size_t place) { next_[place] = place + 1; }

 private:
  std::vector<std::size_t> next_;
};

// By depth-first search. A vertex that is finished is on no cycle through what is still to come, so its places need not
// be looked at again by anyone: each is skipped once.
bool is_cyclic(const RangeGraph& graph) {
  enum class Mark : std::uint8_t { New, OnPath, Finished };
  std::vector<Mark> marks(graph.successors.size(), Mark::New);
  Places places{graph.targets.size()};
  std::vector<std::uint32_t> path;
  const auto enter = [&](std::uint32_t vertex) {
    marks[vertex] = Mark::OnPath;
    path.push_back(vertex);
  };
  for (std::uint32_t start = 0; start < graph.successors.size(); ++start) {
    if (marks[start] == Mark::New) enter(start);
    while (!path.empty()) {
      const auto [begin, end] = graph.successors[path.back()];
      const std::size_t place = places.first_from(begin);
      if (place >= end) {
        marks[path.back()] = Mark::Finished;
        path.pop_back();
        continue;
      }
      const auto target = graph.targets[place];
      if (!target || marks[*target] == Mark::Finished) {
        places.skip(place);
      } else if (marks[*target] == Mark::OnPath) {
        return true;
      } else {
        enter(*target);
      }
    }
  }
  return false;
}

std::optional<std::vector<RangeEdge>> shortest_loop(const RangeGraph& graph) {
  for (std::size_t place = 0; place < graph.targets.size(); ++place) {
    const auto vertex = graph.targets[place];
    if (vertex && graph.successors[*vertex].begin <= place && place < graph.successors[*vertex].end)
      return std::vector{RangeEdge{*vertex, place}};
  }
  return std::nullopt;
}

// A shortest cycle through the vertex with fewer than `limit` edges, by breadth-first search. A place whose target is
// visited is skipped.
std::optional<std::vector<RangeEdge>> cycle_through(const RangeGraph& graph, std::uint32_t start, std::size_t limit) {
  struct Visit {
    std::uint32_t vertex;
    std::size_t length;       // of the way to it
    std::size_t predecessor;  // a visit
    std::size_t place;        // of the edge from there
  };
  std::vector<Visit> visits{{start, 0, 0, 0}};
  std::vector<bool> visited(graph.successors.size(), false);
  Places places{graph.targets.size()};
  for (std::size_t at = 0; at < visits.size() && visits[at].length + 1 < limit; ++at) {
    const auto [begin, end] = graph.successors[visits[at].vertex];
    for (std::size_t place = places.first_from(begin); place < end; place = places.first_from(place)) {
      const auto target = graph.targets[place];
      if (target == start) {
        std::vector<RangeEdge> cycle{{visits[at].vertex, place}};
        for (std::size_t back = at; back != 0; back = visits[back].predecessor)
          cycle.push_back({visits[visits[back].predecessor].vertex, visits[back].place});
        std::ranges::reverse(cycle);
        return cycle;
      }
      places.skip(place);
      if (!target || visited[*target]) continue;
      visited[*target] = true;
      visits.push_back({*target, visits[at].length + 1, at, place});
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<RangeEdge>> shortest_cycle(const RangeGraph& graph) {
  if (!is_cyclic(graph)) return std::nullopt;
  if (auto loop = shortest_loop(graph)) return loop;
  std::optional<std::vector<RangeEdge>> best;
  for (std::uint32_t start = 0; start < graph.successors.size(); ++start) {
    if (best && best->size() == 2) break;
    const std::size_t limit = best ? best->size() : graph.successors.size() + 1;
    if (auto cycle = cycle_through(graph, start, limit)) best = std::move(cycle);
  }
  return best;
}

}  // namespace lockwood
