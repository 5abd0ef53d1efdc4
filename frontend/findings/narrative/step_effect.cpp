#include "frontend/findings/narrative/step_effect.hpp"

#include <fmt/format.h>

namespace lockwood::findings {

StepEffect effect_of(const dpn::Network& network, const dpn::Configuration& before, const dpn::Move& move) {
  const dpn::Effect& effect = network.rule(move.rule).effect;
  const dpn::Thread& thread = before.threads[move.thread];
  if (const auto* monitor = std::get_if<dpn::Monitor>(&effect)) {
    const bool again = dpn::hold_count(thread, monitor->lock) > 0;
    return {again ? StepKind::Reenter : StepKind::Acquire, std::string{network.locks().shown(monitor->lock)}};
  }
  if (std::holds_alternative<dpn::Return>(effect)) {
    const auto lock = thread.stack.back().lock;
    if (lock && dpn::hold_count(thread, *lock) == 1)
      return {StepKind::Release, std::string{network.locks().shown(*lock)}};
    return {thread.stack.size() == 1 ? StepKind::End : StepKind::Return, {}};
  }
  if (std::holds_alternative<dpn::Spawn>(effect))
    return {StepKind::Spawn, fmt::format("{}.{}", dpn::thread_name(before, move.thread), thread.spawned + 1)};
  return {std::holds_alternative<dpn::Call>(effect) ? StepKind::Call : StepKind::Base, {}};
}

}  // namespace lockwood::findings
