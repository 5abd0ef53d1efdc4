#include "base/text/suggestion.hpp"

#include <algorithm>
#include <vector>

namespace lockwood {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_back(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], two_back[j - 2] + 1);
    }
    two_back.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

void Suggestion::consider(std::string_view candidate) {
  if (candidate == word_) return;  // right, but in the wrong place
  constexpr std::size_t shortest_beginning = 3;
  if (word_.size() >= shortest_beginning && candidate.starts_with(word_) && (!nearest_ || distance_ > 1)) {
    nearest_ = std::string{candidate};  // not written to its end: as near as a letter
    distance_ = 1;
    return;
  }
  const std::size_t tolerated = std::max<std::size_t>(1, word_.size() / 3);
  const std::size_t lengths =
      candidate.size() > word_.size() ? candidate.size() - word_.size() : word_.size() - candidate.size();
  if (word_.size() > 64 || lengths > tolerated) return;
  const std::size_t distance = edit_distance(word_, candidate);
  if (distance > tolerated || distance >= std::max(word_.size(), candidate.size())) return;
  if (nearest_ && distance_ <= distance) return;
  nearest_ = std::string{candidate};
  distance_ = distance;
}

std::string Suggestion::hint() const { return nearest_ ? "did you mean '" + *nearest_ + "'?" : ""; }

}  // namespace lockwood
