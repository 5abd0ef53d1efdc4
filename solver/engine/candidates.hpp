#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lockwood::solver {

// What was derived and not yet looked at, by weight and then by age. All of the least weight are taken at once: the
// frontier of a search. Memory is used again.
template <class Candidate>
class Candidates {
 public:
  [[nodiscard]] bool empty() const { return by_weight_.empty(); }

  void add(const Candidate& candidate) {
    std::vector<Candidate>& same_weight = by_weight_[candidate.weight];
    if (same_weight.capacity() == 0 && !spare_.empty()) {
      same_weight.swap(spare_.back());
      spare_.pop_back();
    }
    same_weight.push_back(candidate);
  }

  // Replaces `frontier` by the lightest. Requires that it is not empty.
  void take_lightest(std::vector<Candidate>& frontier) {
    frontier.clear();
    const auto lightest = by_weight_.begin();
    frontier.swap(lightest->second);
    if (lightest->second.capacity() > 0) spare_.push_back(std::move(lightest->second));
    by_weight_.erase(lightest);
  }

 private:
  std::map<std::uint64_t, std::vector<Candidate>> by_weight_;
  std::vector<std::vector<Candidate>> spare_;  // empty, with room
};

}  // namespace lockwood::solver
