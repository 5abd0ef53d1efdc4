#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::reports {

// A model, and the program that it was made of if there is one.
struct ViewedModel {
  const dpn::Network& network;
  const program::Program* program = nullptr;
  const program::Lowered* lowered = nullptr;
};

// The surroundings of findings, for the page: the model in numbers, which locks are taken while holding which, and
// which places two threads can be at. Places are lines of the program, or stack symbols. What takes more time than
// there is is left out, or says that it is not complete; "incomplete" says why something is left out.
[[nodiscard]] nlohmann::ordered_json model_view(const ViewedModel& model, StopToken stop);

}  // namespace lockwood::reports
