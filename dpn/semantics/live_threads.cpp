#include "dpn/semantics/live_threads.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

namespace lockwood::dpn {
namespace {

std::uint32_t word(std::size_t number) { return static_cast<std::uint32_t>(number); }

// Nobody is a member any more of what this thread calls by the name.
void empty(const ThreadSpace& space, LiveThreads& threads, ThreadState before, std::size_t owner, Group group) {
  const std::size_t frame = space.frame_opening(before, group);
  for (std::vector<Tie>& ties : threads.ties)
    std::erase_if(ties, [&](const Tie& tie) { return tie.is_to(owner, frame, group); });
}

// The thread started by the mover, whose state before was this, as a member of what it is to be a member of.
std::vector<Tie> ties_of_child(const ThreadSpace& space, const Spawn& spawn, ThreadState before, std::size_t mover,
                               const std::vector<Tie>& parent) {
  std::vector<Tie> ties;
  for (const Tie& tie : parent)
    if (tie.all) ties.push_back(tie);
  for (const Membership& membership : spawn.memberships)
    ties.push_back(
        {word(mover), word(space.frame_opening(before, membership.group)), membership.group, membership.all});
  std::ranges::sort(ties);
  return ties;
}

// Numbers threads by what they are, as far as refinement tells: their states, then again and again the ranks of their
// owners and members.
std::vector<std::uint32_t> ranks_of(const LiveThreads& threads) {
  const std::size_t count = threads.states.size();
  std::vector<std::vector<std::uint32_t>> looks(count);
  std::vector<std::uint32_t> ranks(count, 0);
  for (std::size_t i = 0; i < count; ++i) looks[i] = {word(threads.states[i].index())};
  std::size_t classes = 0;
  while (true) {
    std::vector<std::vector<std::uint32_t>> different = looks;
    std::ranges::sort(different);
    different.erase(std::unique(different.begin(), different.end()), different.end());
    for (std::size_t i = 0; i < count; ++i)
      ranks[i] = word(static_cast<std::size_t>(std::ranges::lower_bound(different, looks[i]) - different.begin()));
    if (different.size() == classes) return ranks;  // ranks are refined, so the same number means the same classes
    classes = different.size();

    std::vector<std::vector<std::array<std::uint32_t, 4>>> seen(count);
    for (std::size_t i = 0; i < count; ++i)
      for (const Tie& tie : threads.ties[i]) {
        const std::uint32_t name = 2 * word(tie.group.index()) + (tie.all ? 1 : 0);
        seen[i].push_back({0, ranks[tie.owner], tie.frame, name});
        seen[tie.owner].push_back({1, ranks[i], tie.frame, name});
      }
    for (std::size_t i = 0; i < count; ++i) {
      std::ranges::sort(seen[i]);
      looks[i] = {ranks[i]};
      for (const auto& words : seen[i]) looks[i].insert(looks[i].end(), words.begin(), words.end());
    }
  }
}

// Puts the threads in the order of their ranks.
void sort_threads(LiveThreads& threads, Origins& origins) {
  const std::vector<std::uint32_t> ranks = ranks_of(threads);
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ranks[i]; });
  std::vector<std::uint32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = word(i);

  LiveThreads sorted;
  Origins sorted_origins;
  for (const std::size_t i : order) {
    sorted.states.push_back(threads.states[i]);
    for (Tie& tie : threads.ties[i]) tie.owner = place[tie.owner];
    std::ranges::sort(threads.ties[i]);
    sorted.ties.push_back(std::move(threads.ties[i]));
    sorted_origins.push_back(origins[i]);
  }
  threads = std::move(sorted);
  origins = std::move(sorted_origins);
}

}  // namespace

void LiveThreads::append_to(std::vector<std::uint32_t>& words) const {
  for (const ThreadState state : states) words.push_back(word(state.index()));
  for (const std::vector<Tie>& list : ties) {
    words.push_back(word(list.size()));
    for (const Tie& tie : list)
      words.insert(words.end(), {tie.owner, tie.frame, 2 * word(tie.group.index()) + (tie.all ? 1 : 0)});
  }
  if (!ties.empty()) words.push_back(word(states.size()));
}

void LiveThreads::read(std::span<const std::uint32_t> words, bool with_ties) {
  states.clear();
  ties.clear();
  if (!with_ties) {
    for (const std::uint32_t each : words) states.emplace_back(each);
    return;
  }
  const std::size_t count =
      words.empty() ? 0 : words.back();  // at the end, since that of no thread at all has no words
  for (const std::uint32_t each : words.first(count)) states.emplace_back(each);
  std::size_t at = count;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Tie>& list = ties.emplace_back();
    for (std::size_t left = words[at++]; left > 0; --left, at += 3)
      list.push_back({words[at], words[at + 1], Group{words[at + 2] / 2}, words[at + 2] % 2 == 1});
  }
  assert(words.empty() || at + 1 == words.size());
}

bool waits_for_member(const ThreadSpace& space, const Rule& rule, const LiveThreads& threads, std::size_t mover) {
  const auto* join = std::get_if<Join>(&rule.effect);
  if (join == nullptr) return false;
  return std::ranges::any_of(join->groups, [&](Group group) {
    const std::size_t frame = space.frame_opening(threads.states[mover], group);
    return std::ranges::any_of(threads.ties, [&](const std::vector<Tie>& ties) {
      return std::ranges::any_of(ties, [&](const Tie& tie) { return tie.is_to(mover, frame, group); });
    });
  });
}

void get_successor_with_groups(const ThreadSpace& space, const Rule& rule, const LiveThreads& threads,
                               std::size_t mover, const ThreadStep& step, LiveThreads& successor, Origins& origins) {
  assert(threads.ties.size() == threads.states.size());
  successor = threads;
  origins.clear();
  for (std::size_t i = 0; i < threads.states.size(); ++i) origins.emplace_back(i);
  const ThreadState before = threads.states[mover];
  if (const auto* forget = std::get_if<Forget>(&rule.effect))
    for (const Group group : forget->groups) empty(space, successor, before, mover, group);
  if (rule.kind() == RuleKind::Return)
    for (std::vector<Tie>& ties : successor.ties)
      std::erase_if(ties, [&](const Tie& tie) { return tie.owner == mover && tie.frame == space.depth(before); });
  if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) {
    for (const Membership& membership : spawn->memberships)
      if (membership.replace) empty(space, successor, before, mover, membership.group);
    successor.states.push_back(*step.spawned);
    successor.ties.push_back(ties_of_child(space, *spawn, before, mover, successor.ties[mover]));
    origins.emplace_back(std::nullopt);
  }
  if (step.to) {
    successor.states[mover] = *step.to;
  } else {
    const auto place = static_cast<std::ptrdiff_t>(mover);
    successor.states.erase(successor.states.begin() + place);
    successor.ties.erase(successor.ties.begin() + place);
    origins.erase(origins.begin() + place);
    for (std::vector<Tie>& ties : successor.ties)
      for (Tie& tie : ties) {
        assert(tie.owner != mover && "the groups of a thread vanish with its frames");
        if (tie.owner > mover) --tie.owner;
      }
  }
  sort_threads(successor, origins);
}

}  // namespace lockwood::dpn
