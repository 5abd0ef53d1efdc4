#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "frontend/report/text/terminal.hpp"

namespace lockwood::frontend {

// What a stepper talks to: a person, or a script and its log.
struct Dialogue {
  std::function<std::optional<std::string>()> read;  // the next line of input, without its end; nothing at the end
  std::function<void(const std::string&)> write;
  Style style{false};
};

struct StepperResult {
  std::size_t lines = 0;               // that were read
  std::optional<std::string> refused;  // why the last of them could not be done, if refusals end the dialogue
};

// What happens after a line that makes no sense: a person tries again, a script must not go on.
enum class OnRefusal { Continue, End };

// Lets someone choose the moves of a run one by one, take them back and look around, until they quit or the input ends.
// `help` among the commands tells the others.
[[nodiscard]] StepperResult step_by_hand(const dpn::Network& network, dpn::Semantics semantics,
                                         const Dialogue& dialogue, OnRefusal on_refusal);

}  // namespace lockwood::frontend
