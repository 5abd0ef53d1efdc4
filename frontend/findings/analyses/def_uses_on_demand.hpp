#pragma once

#include <memory>
#include <optional>

#include "base/process/stop.hpp"
#include "frontend/findings/analyses/def_use.hpp"
#include "solver/analyses/locations_on_demand.hpp"

namespace lockwood::findings {

// With locks and without.
struct ComparedUses {
  ReachedUses with_locks;
  ReachedUses without_locks;
};

// The answers do not depend on the first three.
struct DefUsesOnDemandOptions {
  bool random_executions = true;
  const Focus* focus = nullptr;
  solver::LocationsOnDemandOptions locations = {};
};

// Which uses each definition of a program reaches, with locks and without. Random executions show most of what is
// reached, for all variables at once; what is left is decided for the definitions of a variable together, with the
// locks that the answer needs (solver/analyses/locations_on_demand.hpp).
class DefUsesOnDemand {
 public:
  // The program and the focus must outlive it. Of one variable only, if it is given.
  explicit DefUsesOnDemand(const program::Lowered& lowered, std::optional<program::Variable> variable = {},
                           const DefUsesOnDemandOptions& options = {});
  ~DefUsesOnDemand();
  DefUsesOnDemand(const DefUsesOnDemand&) = delete;
  DefUsesOnDemand& operator=(const DefUsesOnDemand&) = delete;

  // If it is stopped, the answer says so.
  [[nodiscard]] ComparedUses uses_of(AccessId definition);
  // For more questions about the definition. It is there until something is asked about another variable. Throws
  // Interrupted.
  [[nodiscard]] const DefUseModel& model_of(AccessId definition);

 private:
  class Search;
  std::unique_ptr<Search> search_;
};

}  // namespace lockwood::findings
