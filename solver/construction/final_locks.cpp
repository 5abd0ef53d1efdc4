#include "solver/construction/final_locks.hpp"

#include <utility>

namespace lockwood::solver::reference {
namespace {

using Value = FinalLocks::Value;
using dpn::NodeKind;

// The undecided uses turn out to lie after the cut, or before it.
void decide_after(Value& value) { value.used = united(value.used, std::exchange(value.undecided, {})); }
void decide_before(Value& value) { value.undecided.clear(); }

Value joined(const Value& a, const Value& b) {
  return {a.cut || b.cut, united(a.acquired, b.acquired), united(a.undecided, b.undecided), united(a.used, b.used)};
}

}  // namespace

std::vector<Value> FinalLocks::targets(const dpn::NodeLabel& label, std::span<const Value> children) const {
  if (children.empty()) return {{false, {}, {}, {}}};
  Value value = children.back();
  if (label.kind == NodeKind::Cut) {
    if (value.cut) return {};
    decide_after(value);
    value.cut = true;
  } else if (label.kind == NodeKind::Spawn) {
    Value thread = children[0];
    if (value.cut) decide_before(thread);
    thread.cut = value.cut;
    value = joined(thread, value);
  } else if (is_returning(label.kind)) {
    Value body = children[0];
    if (body.cut && value.cut) return {};
    if (body.cut) decide_after(value);
    if (value.cut) decide_before(body);
    value = joined(body, value);
  }
  if (const auto lock = taken_lock(network, label)) {
    if (!value.cut) {
      value.undecided.insert(*lock);
    } else if (label.kind == NodeKind::Acq) {
      value.acquired.insert(*lock);
    }
  }
  // Both sets just grow from here on.
  if (!disjoint(value.acquired, value.used)) return {};
  return {value};
}

}  // namespace lockwood::solver::reference
