#include "solver/construction/fired_after_cut.hpp"

namespace lockwood::solver::reference {

std::vector<FiredAfterCut::Value> FiredAfterCut::targets(const dpn::NodeLabel& label,
                                                         std::span<const Value> children) const {
  Value value{false, false, false};
  if (!children.empty()) value = children.back();
  if (label.kind == dpn::NodeKind::Cut) {
    if (value.cut) return {};
    return {{true, false, value.fired || value.undecided}};
  }
  if (children.size() == 2) {
    const Value& left = children[0];
    if (is_returning(label.kind) && left.cut) {
      if (value.cut) return {};
      value = {true, false, value.fired || value.undecided};
    }
    value.fired = value.fired || left.fired;
    value.undecided = value.undecided || (left.undecided && !value.cut);
  }
  const auto* rule = std::get_if<dpn::RuleId>(&label.what);
  if (rule != nullptr && rules[*rule] && !value.cut) value.undecided = true;
  return {value};
}

}  // namespace lockwood::solver::reference
