#include "solver/construction/acquisition_history.hpp"

namespace lockwood::solver::reference {

std::vector<AcquisitionHistory::Value> AcquisitionHistory::targets(const dpn::NodeLabel& label,
                                                                   std::span<const Value> children) const {
  Value value;
  for (const Value& child : children) {
    if (!disjoint(value.acquired, child.acquired)) return {};
    value = {united(value.acquired, child.acquired), united(value.used, child.used), united(value.graph, child.graph)};
  }
  if (const auto lock = taken_lock(network, label)) {
    if (label.kind == dpn::NodeKind::Acq) {
      if (!value.acquired.insert(*lock).second) return {};
      value.graph = united(value.graph, edges({*lock}, value.used));
    }
    value.used.insert(*lock);
  }
  if (!is_acyclic(value.graph)) return {};
  return {value};
}

}  // namespace lockwood::solver::reference
