#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/query.hpp"
#include "dpn/semantics/configuration.hpp"

namespace lockwood::dpn {

// The sets S₁, …, Sₘ of a query step, ready to be asked whether m *different* threads are in them.
class Positions {
 public:
  Positions(const Network& network, const QueryStep& step);

  // For each set the index of the top of stack that is in it, all different; nothing if there is no such choice.
  // Deterministic: the same tops give the same choice.
  [[nodiscard]] std::optional<std::vector<std::size_t>> choice(std::span<const StackSymbol> tops) const;
  // Whether there is one.
  [[nodiscard]] bool occupied(std::span<const StackSymbol> tops) const;

 private:
  [[nodiscard]] bool impossible(std::span<const StackSymbol> tops) const;

  std::vector<IdVector<StackSymbol, bool>> sets_;
};

// For each set of the step the live thread that is in it, all different; nothing if the step's positions are not
// all occupied in the configuration.
[[nodiscard]] std::optional<std::vector<ThreadId>> threads_at(const Network& network,
                                                              const Configuration& configuration,
                                                              const QueryStep& step);

}  // namespace lockwood::dpn
