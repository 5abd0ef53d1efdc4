#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/text/suggestion.hpp"
#include "dpn/model/rule.hpp"

// Words of the text format: which one it is, which one was meant, and what symbols are called in messages.
namespace lockwood::dpn {

[[nodiscard]] inline bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

[[nodiscard]] inline std::optional<std::string> nearest(std::string_view word,
                                                        std::span<const std::string_view> words) {
  Suggestion suggestion{word};
  for (const std::string_view candidate : words) suggestion.consider(candidate);
  return suggestion.nearest();
}

[[nodiscard]] inline const char* kind_of(ControlState) { return "control state"; }
[[nodiscard]] inline const char* kind_of(StackSymbol) { return "stack symbol"; }
[[nodiscard]] inline const char* kind_of(Action) { return "action"; }
[[nodiscard]] inline const char* kind_of(Lock) { return "lock"; }
[[nodiscard]] inline const char* kind_of(Group) { return "group"; }

}  // namespace lockwood::dpn
