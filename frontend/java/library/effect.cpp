#include "frontend/java/library/effect.hpp"

#include <cassert>

namespace lockwood::java::library {

std::string TypeName::internal_name() const {
  assert(is_reference());
  if (descriptor.starts_with('[')) return descriptor;
  return descriptor.substr(1, descriptor.size() - 2);
}

// Out of line: Effect is complete only behind them.
bool operator==(const Repetition& a, const Repetition& b) { return a.kind == b.kind && a.body == b.body; }
bool operator==(const SynchronizedBlock& a, const SynchronizedBlock& b) {
  return a.monitor == b.monitor && a.body == b.body;
}
bool operator==(const OnResult& a, const OnResult& b) { return a.result == b.result && a.body == b.body; }

}  // namespace lockwood::java::library
