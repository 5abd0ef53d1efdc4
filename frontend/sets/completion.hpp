#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/sets/session.hpp"

namespace lockwood::sets {

// How the last word of a line may go on.
struct Completion {
  std::size_t typed;                 // bytes of the word that are there already; a choice takes their place
  std::vector<std::string> choices;  // whole words, in order, each once
  std::string ending;                // behind a choice, if it is the only one
};

// The line is what is before the cursor. What fits depends on where the word stands: symbols and labels in braces
// and patterns, actions behind `avoiding`, locks of `holding(`, all of them in quotes if they are no words, and in
// other quotes the files of the folder that the text names.
[[nodiscard]] Completion completion(const Session& session, std::string_view line);

}  // namespace lockwood::sets
