#include "frontend/sets/set.hpp"

#include <algorithm>
#include <type_traits>

namespace lockwood::sets {

std::size_t depth_of(const decltype(Set::what)& what) {
  return std::visit(
      [](const auto& kind) -> std::size_t {
        if constexpr (requires { kind.first; })
          return std::max(kind.first->depth, kind.second->depth) + 1;
        else if constexpr (requires { kind.from; })
          return kind.from->depth + 1;
        else if constexpr (requires { kind.to; })
          return kind.to->depth + 1;
        else if constexpr (requires { kind.of; })
          return kind.of->depth + 1;
        else
          return 1;
      },
      what);
}

SetPtr make_set(ModelPtr model, decltype(Set::what) what) {
  const std::size_t depth = depth_of(what);
  return std::make_shared<const Set>(Set{std::move(model), std::move(what), depth});
}

bool is_universe(const Set& set) {
  const auto* successors = std::get_if<Successors>(&set.what);
  return successors != nullptr && std::holds_alternative<Initial>(successors->from->what) &&
         successors->semantics == dpn::Semantics::LockInsensitive && successors->avoided.empty();
}

bool is_surely_reachable(const Set& set) {
  return std::visit(
      [](const auto& kind) {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<Kind, Initial>) return true;
        if constexpr (std::is_same_v<Kind, Successors> || std::is_same_v<Kind, Predecessors>)
          return kind.semantics == dpn::Semantics::LockSensitive;
        if constexpr (std::is_same_v<Kind, Intersection>)
          return is_surely_reachable(*kind.first) || is_surely_reachable(*kind.second);
        if constexpr (std::is_same_v<Kind, Union>)
          return is_surely_reachable(*kind.first) && is_surely_reachable(*kind.second);
        if constexpr (std::is_same_v<Kind, Difference>) return is_surely_reachable(*kind.first);
        if constexpr (std::is_same_v<Kind, Reduced>) return is_surely_reachable(*kind.of);
        return false;
      },
      set.what);
}

}  // namespace lockwood::sets
