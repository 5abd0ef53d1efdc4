#include "dpn/formats/tree_text.hpp"

#include <string_view>
#include <vector>

#include "base/text/printable.hpp"
#include "dpn/semantics/describe.hpp"

namespace lockwood::dpn {
namespace {

constexpr std::size_t deepest_indentation = 40;

const char* kind_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::Nil: return "Nil";
    case NodeKind::Ret: return "Ret";
    case NodeKind::Base: return "Base";
    case NodeKind::NCall: return "NCall";
    case NodeKind::RCall: return "RCall";
    case NodeKind::Spawn: return "Spawn";
    case NodeKind::Acq: return "Acq";
    case NodeKind::Use: return "Use";
    case NodeKind::Cut: return "Cut";
    case NodeKind::Join: return "Join";
    case NodeKind::Forget: return "Forget";
  }
  return "";
}

std::string node_text(const Network& network, const ExecutionTree& tree, NodeId node) {
  const NodeKind kind = tree.kind(node);
  std::string text = kind_name(kind);
  if (is_monitor(kind) && tree.reentrance(node) == Reentrance::Yes) text += " reentrant";
  return text + ' ' +
         (has_head(kind) ? describe(network, tree.head(node)) : describe(network, network.rule(tree.rule(node))));
}

std::string indentation(std::size_t depth) {
  if (depth < deepest_indentation) return std::string(2 * depth, ' ');
  return std::string(2 * deepest_indentation, ' ') + '[' + std::to_string(depth) + "] ";
}

std::string dot_string(std::string_view text) {
  std::string quoted = "\"";
  for (char letter : printable(text)) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + '"';
}

}  // namespace

std::string to_text(const Network& network, const ExecutionTree& tree) {
  std::string text;
  std::vector<std::size_t> waiting;  // the depths of the second children still to come
  std::size_t depth = 0;
  for (NodeId node : tree.nodes()) {
    text += indentation(depth) + node_text(network, tree, node) + '\n';
    if (rank(tree.kind(node)) == 2) waiting.push_back(depth++);
    if (rank(tree.kind(node)) > 0 || waiting.empty()) continue;
    depth = waiting.back();
    waiting.pop_back();
  }
  return text;
}

std::string to_dot(const Network& network, const ExecutionTree& tree, std::string_view title, StopToken stop) {
  std::string text = "digraph " + dot_string(title) + " {\n  label=" + dot_string(title) +
                     "; labelloc=t;\n  node [shape=box, fontname=\"monospace\"];\n";
  for (NodeId node : tree.nodes()) {
    stop.check();
    const NodeKind kind = tree.kind(node);
    const std::string name = "  n" + std::to_string(node.index());
    text += name + " [label=" + dot_string(node_text(network, tree, node)) + "];\n";
    const auto edge = [&](NodeId child, const char* style) {
      text += name + " -> n" + std::to_string(child.index()) + style + ";\n";
    };
    if (rank(kind) > 0) edge(tree.first_child(node), kind == NodeKind::Spawn ? " [style=dashed]" : "");
    if (rank(kind) == 2) edge(tree.second_child(node), "");
  }
  return text + "}\n";
}

}  // namespace lockwood::dpn
