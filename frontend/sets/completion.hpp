#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/sets/session.hpp"

namespace lockwood::sets {

// How the last word of a line may go on.
struct Completion {
  std::size_t typed;                 // bytes of the word that are there already
  std::vector<std::string> choices;  // whole words, in order, each once
};

// The line is what stands before the cursor. What fits depends on where the word stands: symbols in braces, actions
// behind `avoiding`, locks of `holding(`, and in quotes the files of the folder that the text names.
[[nodiscard]] Completion completion(const Session& session, std::string_view line);

}  // namespace lockwood::sets
