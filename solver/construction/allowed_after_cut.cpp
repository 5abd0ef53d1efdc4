#include "solver/construction/allowed_after_cut.hpp"

#include <algorithm>

namespace lockwood::solver::reference {

std::vector<AllowedAfterCut::Value> AllowedAfterCut::targets(const dpn::NodeLabel& label,
                                                             std::span<const Value> children) const {
  if (label.kind == dpn::NodeKind::Cut) {
    if (children[0] != Value::Clean) return {};
    return {Value::Cut};
  }
  // Before the own thread's cut everything may be used, also by threads that have ended before it.
  if (!children.empty() && children.back() == Value::Cut) return {Value::Cut};
  if (is_returning(label.kind) && children[0] == Value::Cut) {
    if (children[1] == Value::Tainted) return {};
    return {Value::Cut};
  }
  const auto* rule = std::get_if<dpn::RuleId>(&label.what);
  const bool tainted = (rule != nullptr && !allowed[*rule]) || std::ranges::count(children, Value::Tainted) > 0;
  return {tainted ? Value::Tainted : Value::Clean};
}

}  // namespace lockwood::solver::reference
