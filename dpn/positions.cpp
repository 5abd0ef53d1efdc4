#include "dpn/positions.hpp"

#include <algorithm>

namespace lockwood::dpn {
namespace {

using Sets = std::vector<IdVector<StackSymbol, bool>>;

// A matching of sets to tops of stack, made larger along augmenting paths, which are searched breadth first.
class Matching {
 public:
  Matching(const Sets& sets, std::span<const StackSymbol> tops)
      : sets_{sets}, tops_{tops}, set_at_(tops.size()), top_of_(sets.size()), reached_from_(tops.size()) {}

  // Gives the set a top, moving other sets if need be. False if that cannot be done: then no matching covers all sets.
  [[nodiscard]] bool place(std::size_t set) {
    std::ranges::fill(reached_from_, std::nullopt);
    std::vector<std::size_t> queue{set};
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (std::size_t top = 0; top < tops_.size(); ++top) {
        if (reached_from_[top] || !sets_[queue[next]][tops_[top]]) continue;
        reached_from_[top] = queue[next];
        if (!set_at_[top]) {
          augment(set, top);
          return true;
        }
        queue.push_back(*set_at_[top]);
      }
    return false;
  }

  [[nodiscard]] std::vector<std::size_t> take() && { return std::move(top_of_); }

 private:
  void augment(std::size_t root, std::size_t top) {
    while (true) {
      const std::size_t set = *reached_from_[top];
      const std::size_t before = top_of_[set];  // read only if the set had a top, that is, is not the root
      set_at_[top] = set;
      top_of_[set] = top;
      if (set == root) return;
      top = before;
    }
  }

  const Sets& sets_;
  std::span<const StackSymbol> tops_;
  std::vector<std::optional<std::size_t>> set_at_;        // by top
  std::vector<std::size_t> top_of_;                       // by set
  std::vector<std::optional<std::size_t>> reached_from_;  // by top: the set from which the search came
};

}  // namespace

Positions::Positions(const Network& network, const QueryStep& step) {
  for (const std::vector<StackSymbol>& symbols : step.positions) {
    IdVector<StackSymbol, bool> set(network.stacks().size());
    for (StackSymbol symbol : symbols) set[symbol] = true;
    sets_.push_back(std::move(set));
  }
}

bool Positions::impossible(std::span<const StackSymbol> tops) const {
  if (tops.size() < sets_.size()) return true;
  return std::ranges::any_of(sets_, [tops](const auto& set) {
    return std::ranges::none_of(tops, [&set](StackSymbol top) { return set[top]; });
  });
}

std::optional<std::vector<std::size_t>> Positions::choice(std::span<const StackSymbol> tops) const {
  if (impossible(tops)) return std::nullopt;
  Matching matching{sets_, tops};
  for (std::size_t set = 0; set < sets_.size(); ++set)
    if (!matching.place(set)) return std::nullopt;
  return std::move(matching).take();
}

bool Positions::occupied(std::span<const StackSymbol> tops) const {
  if (impossible(tops)) return false;
  return sets_.size() <= 1 || choice(tops).has_value();
}

std::optional<std::vector<ThreadId>> standing_threads(const Network& network, const Configuration& configuration,
                                                      const QueryStep& step) {
  std::vector<ThreadId> live;
  std::vector<StackSymbol> tops;
  for (ThreadId thread : configuration.threads.keys()) {
    if (configuration.threads[thread].ended()) continue;
    live.push_back(thread);
    tops.push_back(configuration.threads[thread].head().top);
  }
  const auto choice = Positions{network, step}.choice(tops);
  if (!choice) return std::nullopt;
  std::vector<ThreadId> threads;
  for (std::size_t top : *choice) threads.push_back(live[top]);
  return threads;
}

}  // namespace lockwood::dpn
