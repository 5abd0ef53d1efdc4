#include "base/graph/matching.hpp"

#include <algorithm>

namespace lockwood {
namespace {

// A matching that grows by one seeker at a time.
class Matching {
 public:
  Matching(std::size_t seekers, std::size_t places, const std::function<bool(std::size_t, std::size_t)>& fits)
      : fits_{fits}, seeker_at_(places), place_of_(seekers), reached_from_(places) {}

  // Gives the seeker a place, moving others if need be. False if that cannot be done: then no matching covers all.
  [[nodiscard]] bool place(std::size_t root) {
    std::ranges::fill(reached_from_, std::nullopt);
    std::vector<std::size_t> queue{root};
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (std::size_t place = 0; place < seeker_at_.size(); ++place) {
        if (reached_from_[place] || !fits_(queue[next], place)) continue;
        reached_from_[place] = queue[next];
        if (!seeker_at_[place]) {
          augment(root, place);
          return true;
        }
        queue.push_back(*seeker_at_[place]);
      }
    return false;
  }

  [[nodiscard]] std::vector<std::size_t> take() && { return std::move(place_of_); }

 private:
  void augment(std::size_t root, std::size_t place) {
    while (true) {
      const std::size_t seeker = *reached_from_[place];
      const std::size_t before = place_of_[seeker];  // read only if the seeker had a place, that is, is not the root
      seeker_at_[place] = seeker;
      place_of_[seeker] = place;
      if (seeker == root) return;
      place = before;
    }
  }

  const std::function<bool(std::size_t, std::size_t)>& fits_;
  std::vector<std::optional<std::size_t>> seeker_at_;     // by place
  std::vector<std::size_t> place_of_;                     // by seeker
  std::vector<std::optional<std::size_t>> reached_from_;  // by place: the seeker from which the search came
};

}  // namespace

std::optional<std::vector<std::size_t>> matching(std::size_t seekers, std::size_t places,
                                                 const std::function<bool(std::size_t, std::size_t)>& fits) {
  if (seekers > places) return std::nullopt;
  Matching growing{seekers, places, fits};
  for (std::size_t seeker = 0; seeker < seekers; ++seeker)
    if (!growing.place(seeker)) return std::nullopt;
  return std::move(growing).take();
}

}  // namespace lockwood
