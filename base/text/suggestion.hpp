#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lockwood {

// Number of insertions, deletions, replacements and swaps of neighbours that make one word of the other
// (optimal string alignment).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// Finds the candidate nearest to a misspelt word, if one is near enough to be what was meant.
class Suggestion {
 public:
  explicit Suggestion(std::string_view word) : word_{word} {}
  void consider(std::string_view candidate);
  [[nodiscard]] const std::optional<std::string>& nearest() const { return nearest_; }
  // "did you mean 'n3'?", or nothing.
  [[nodiscard]] std::string hint() const;

 private:
  std::string word_;
  std::optional<std::string> nearest_;
  std::size_t distance_ = 0;
};

// The hint for the nearest of `candidates`, a range of things convertible to string_view.
template <class Range>
[[nodiscard]] std::string suggestion_hint(std::string_view word, const Range& candidates) {
  Suggestion suggestion{word};
  for (const auto& candidate : candidates) suggestion.consider(candidate);
  return suggestion.hint();
}

}  // namespace lockwood
