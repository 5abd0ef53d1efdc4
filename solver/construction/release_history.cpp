#include "solver/construction/release_history.hpp"

namespace lockwood::solver::reference {

std::vector<ReleaseHistory::Value> ReleaseHistory::targets(const dpn::NodeLabel& label,
                                                           std::span<const Value> children) const {
  if (children.empty()) return {{false, {}, {}}};
  Value value = children.back();
  if (children.size() == 2) value.graph = united(value.graph, children[0].graph);
  if (label.kind == dpn::NodeKind::Cut) {
    if (value.cut) return {};
    value.cut = true;
  }
  if (is_returning(label.kind)) {
    const auto& [cut_in_body, used_in_body, graph_of_body] = children[0];
    const auto lock = taken_lock(network, label);
    if (cut_in_body && value.cut) return {};
    if (!value.cut) value.used = united(value.used, used_in_body);
    if (lock && cut_in_body) value.graph = united(value.graph, edges(used_in_body, {*lock}));
    if (lock && !cut_in_body && !value.cut) value.used.insert(*lock);
    value.cut = value.cut || cut_in_body;
  }
  if (!is_acyclic(value.graph)) return {};
  return {value};
}

}  // namespace lockwood::solver::reference
