#include "frontend/findings/analyses/same_model.hpp"

#include <algorithm>

namespace lockwood::findings {
namespace {

bool same_network(const dpn::Network& a, const dpn::Network& b) {
  return a.control_states().size() == b.control_states().size() &&
         a.stack_symbols().size() == b.stack_symbols().size() && a.actions().size() == b.actions().size() &&
         a.locks().size() == b.locks().size() && a.initial() == b.initial() && a.rules() == b.rules();
}

bool same_access(const program::Access& a, const program::Access& b) {
  return a.variable == b.variable && a.kind == b.kind && a.before == b.before;
}

bool same_acquisition(const program::Acquisition& a, const program::Acquisition& b) {
  return a.lock == b.lock && a.monitor == b.monitor && a.certain == b.certain && a.shared == b.shared &&
         a.before == b.before;
}

}  // namespace

bool same_model(const program::Lowered& a, const program::Lowered& b) {
  return same_network(a.network, b.network) && std::ranges::equal(a.accesses, b.accesses, same_access) &&
         std::ranges::equal(a.acquisitions, b.acquisitions, same_acquisition);
}

}  // namespace lockwood::findings
