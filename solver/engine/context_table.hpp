#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "solver/engine/fact.hpp"

#include <tsl/hopscotch_map.h>

namespace lockwood::solver {

// Contexts, numbered in the order of their first appearance. The first one of a stack symbol is found by the symbol,
// and often it is the only one (see HeadNumbers).
class ContextTable {
 public:
  explicit ContextTable(const dpn::Network& network) : first_(network.stack_symbols().size()) {}

  [[nodiscard]] const IdVector<ContextId, Context>& all() const { return contexts_; }
  [[nodiscard]] const Context& operator[](ContextId id) const { return contexts_[id]; }
  [[nodiscard]] std::size_t size() const { return contexts_.size(); }

  // The number of the context, and whether it is a new one.
  std::pair<ContextId, bool> intern(const Context& context) {
    std::uint32_t& first = first_[context.head.top];
    if (first != 0 && contexts_[ContextId{first - 1}] == context) return {ContextId{first - 1}, false};
    const ContextId next{contexts_.size()};
    if (first == 0) {
      first = static_cast<std::uint32_t>(next.index()) + 1;
    } else {
      const auto [at, inserted] = further_.try_emplace(context, next);
      if (!inserted) return {at->second, false};
    }
    contexts_.push_back(context);
    assert(find(context) == next);
    return {next, true};
  }
  [[nodiscard]] std::optional<ContextId> find(const Context& context) const {
    const std::uint32_t first = first_[context.head.top];
    if (first == 0) return std::nullopt;
    if (contexts_[ContextId{first - 1}] == context) return ContextId{first - 1};
    const auto at = further_.find(context);
    return at == further_.end() ? std::nullopt : std::optional{at->second};
  }

 private:
  IdVector<ContextId, Context> contexts_;
  IdVector<dpn::StackSymbol, std::uint32_t> first_;  // by symbol, plus 1; 0: none
  tsl::hopscotch_map<Context, ContextId, ContextHash> further_;
};

}  // namespace lockwood::solver
