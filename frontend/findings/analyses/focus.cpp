#include "frontend/findings/analyses/focus.hpp"

#include <utility>
#include <vector>

namespace lockwood::findings {

Focus::Focus(const program::Lowered& lowered, StopToken stop, std::size_t pays_from) : lowered_{lowered} {
  dpn::Bisimulation equal{lowered.network, stop};
  if (pays_from * equal.size() <= lowered.network.stack_symbols().size()) equal_ = std::move(equal);
}

std::optional<dpn::Quotient> Focus::on(program::Variable variable, StopToken stop) const {
  if (!equal_) return std::nullopt;
  std::vector<dpn::Action> told;
  for (const program::Access& access : lowered_.accesses)
    if (access.variable == variable && !access.before.empty()) told.push_back(access.action);
  return dpn::Quotient{equal_->telling_apart(told, stop), stop};
}

}  // namespace lockwood::findings
