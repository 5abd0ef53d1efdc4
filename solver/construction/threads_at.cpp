#include "solver/construction/threads_at.hpp"

#include "solver/engine/observation.hpp"

namespace lockwood::solver::reference {

Standing::Standing(const dpn::Network& network, const std::vector<std::vector<dpn::StackSymbol>>& sets)
    : sets_of_(network.stack_symbols().size(), 0) {
  if (sets.size() > 64) throw TooManyGoals{};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    all_ |= std::uint64_t{1} << i;
    for (dpn::StackSymbol top : sets[i]) sets_of_[top] |= std::uint64_t{1} << i;
  }
}

std::vector<Standing::Value> Standing::targets(const dpn::NodeLabel& label, std::span<const Value> children) const {
  Value united = 0;
  for (Value child : children) united |= child;
  if (label.kind != dpn::NodeKind::Nil) return {united};
  std::vector<Value> result;
  for (std::uint64_t rest = sets_of_[std::get<dpn::Head>(label.what).top]; rest != 0; rest &= rest - 1)
    result.push_back(rest & (~rest + 1));
  if (result.empty()) result.push_back(0);
  return result;
}

}  // namespace lockwood::solver::reference
