#include "solver/construction/allowed_rules.hpp"

namespace lockwood::solver::reference {

std::vector<AllowedRules::Value> AllowedRules::targets(const dpn::NodeLabel& label, std::span<const Value>) const {
  const auto* rule = std::get_if<dpn::RuleId>(&label.what);
  if (rule != nullptr && !allowed[*rule]) return {};
  return {Value{}};
}

}  // namespace lockwood::solver::reference
