#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dpn/semantics/thread_space.hpp"

namespace lockwood::dpn {

// A live thread counts as a member of a group of another one, its owner: because it was started as one, or by a thread
// that is a member with `all`. Ended threads are nobody's members, so a group without live members can be joined.
struct Tie {
  std::uint32_t owner;  // index among the live threads
  std::uint32_t frame;  // of the owner, from 1: the one that opened the group
  Group group;
  bool all;  // threads that the member starts become members, too
  [[nodiscard]] bool is_to(std::size_t thread, std::size_t opened_by, Group name) const {
    return owner == thread && frame == opened_by && group == name;
  }
  friend auto operator<=>(const Tie&, const Tie&) = default;
};

// The live threads of a configuration. Without groups it is canonical: the sorted multiset of their states. With groups
// it is nearly so: threads are sorted by their states and by whose members they and theirs are, and threads that look
// the same from there keep their order. So some equal configurations may be told apart, never different ones confused.
struct LiveThreads {
  std::vector<ThreadState> states;     // ascending, if there are no groups
  std::vector<std::vector<Tie>> ties;  // of each thread, ascending; no list at all if the network uses no groups
  friend bool operator==(const LiveThreads&, const LiveThreads&) = default;

  // The threads as words and back.
  void append_to(std::vector<std::uint32_t>& words) const;
  void read(std::span<const std::uint32_t> words, bool with_ties);
};

// Where the threads of a configuration were before a step: their indices, none for one that was started.
using Origins = std::vector<std::optional<std::size_t>>;

// Whether the step by the mover is a join that a live member keeps waiting.
[[nodiscard]] bool waits_for_member(const ThreadSpace& space, const Rule& rule, const LiveThreads& threads,
                                    std::size_t mover);

// The configuration after a step that is not too deep, in a network that uses groups.
void get_successor_with_groups(const ThreadSpace& space, const Rule& rule, const LiveThreads& threads,
                               std::size_t mover, const ThreadStep& step, LiveThreads& successor, Origins& origins);

}  // namespace lockwood::dpn
