#include "frontend/findings/narrative/lock_order_picture.hpp"

#include <fmt/format.h>

#include <set>

#include "base/text/printable.hpp"
#include "solver/analyses/lock_graph.hpp"

namespace lockwood::frontend {
namespace {

// In quotes, as Graphviz reads it.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char letter : printable(text)) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + '"';
}

}  // namespace

std::string lock_order_dot(const dpn::Network& network, StopToken stop) {
  const auto edges = solver::lock_graph(network, stop);
  std::set<dpn::Lock> locks;
  for (const solver::LockEdge& edge : edges) locks.insert({edge.holds, edge.wants});
  std::string text =
      "digraph locks {\n"
      "  graph [fontname=\"sans-serif\"];\n"
      "  node [shape=ellipse, fontname=\"sans-serif\", fontsize=11];\n";
  for (dpn::Lock lock : locks)
    text += fmt::format("  l{} [label={}];\n", lock.index(), quoted(network.locks().shown(lock)));
  for (const solver::LockEdge& edge : edges)
    text += fmt::format("  l{} -> l{};\n", edge.holds.index(), edge.wants.index());
  return text + "}\n";
}

}  // namespace lockwood::frontend
