#pragma once

#include <string>

#include "dpn/semantics/configuration.hpp"
#include "dpn/semantics/small_step.hpp"
#include "frontend/findings/finding.hpp"

namespace lockwood::findings {

struct StepEffect {
  StepKind kind = StepKind::Base;
  std::string object;  // the lock, or the thread that is spawned
};

// What the move does to the stack, to locks and to threads, besides leading its thread on.
[[nodiscard]] StepEffect effect_of(const dpn::Network& network, const dpn::Configuration& before,
                                   const dpn::Move& move);

}  // namespace lockwood::findings
