#pragma once

#include <cstddef>
#include <optional>

#include "base/process/stop.hpp"
#include "dpn/trees/quotient.hpp"
#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::findings {

// A large program has many copies of a method, one for each object that it works for. To questions about one variable
// most of them are equal: these are answered on a network in which equal symbols are one (dpn/trees/quotient.hpp). It
// is as good as the program's own one, since schedules are lifted.
class Focus {
 public:
  // The program must outlive it. It pays if there are so many times as many symbols as different ones. Throws
  // Interrupted.
  explicit Focus(const program::Lowered& lowered, StopToken stop = {}, std::size_t pays_from = 3);

  // The network for questions about accesses to this variable. Nothing if hardly anything would be left out.
  [[nodiscard]] std::optional<dpn::Quotient> on(program::Variable variable, StopToken stop = {}) const;

 private:
  const program::Lowered& lowered_;
  std::optional<dpn::Bisimulation> equal_;  // whatever is accessed; if it pays
};

}  // namespace lockwood::findings
