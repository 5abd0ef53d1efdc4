#include "frontend/java/pointsto/context.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::java {

ContextId ContextTable::prefix(ContextId id, std::size_t count) {
  const auto whole = elements(id);
  if (whole.size() <= count) return id;
  const std::vector<std::uint32_t> kept(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(count));
  return ContextId{table_.intern(kept).number};
}

ContextId ContextTable::extended(ContextElement first, ContextId rest, std::size_t count) {
  assert(count > 0);
  std::vector<std::uint32_t> all{first.bits()};
  const auto old = elements(rest);
  const std::size_t kept = std::min(old.size(), count - 1);
  all.insert(all.end(), old.begin(), old.begin() + static_cast<std::ptrdiff_t>(kept));
  assert(all.size() <= count);
  return ContextId{table_.intern(all).number};
}

}  // namespace lockwood::java
