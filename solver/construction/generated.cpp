#include "solver/construction/generated.hpp"

#include <algorithm>

namespace lockwood::solver::reference {

std::vector<Generated::Value> Generated::targets(const dpn::NodeLabel& label, std::span<const Value> children) const {
  const bool present = label.kind == dpn::NodeKind::Nil ? tops[std::get<dpn::Head>(label.what).top]
                                                        : std::ranges::count(children, Value::Present) > 0;
  return {present ? Value::Present : Value::Absent};
}

}  // namespace lockwood::solver::reference
