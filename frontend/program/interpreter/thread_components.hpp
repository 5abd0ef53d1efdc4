#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids/sequence_table.hpp"
#include "frontend/program/interpreter/sites.hpp"
#include "frontend/program/interpreter/state_name.hpp"
#include "frontend/program/interpreter/thread_words.hpp"

namespace lockwood::program {

// Numbers for states of threads: equal numbers mean that the threads go on alike. Locals that are dead do not count,
// nor what a thread did before it ended or failed; but how many threads it has started counts if somebody may wait for
// its offspring. An absent thread is 0.
class ThreadComponents {
 public:
  // Both must outlive this.
  ThreadComponents(const Program& program, const Sites& sites);

  [[nodiscard]] std::uint32_t number_of(std::span<const Integer> words, std::span<const Integer> members);
  // The words of a thread with this number; dead locals are 0.
  void restore(std::uint32_t number, std::vector<Integer>& words, std::vector<Integer>& members) const;
  // What other versions of the program call it, which may number sites otherwise. Threads that it may wait for are
  // known by their names.
  [[nodiscard]] StateName name_of(std::uint32_t number, std::span<const StateName> names_of_threads);

 private:
  [[nodiscard]] std::span<const Local> live(explorer::Site site, bool is_innermost) const {
    return is_innermost ? live_[site.index()] : live_after_call_[site.index()];
  }

  const Program& program_;
  const Sites& sites_;
  bool offspring_;  // somebody waits for the offspring of threads
  // By site: locals whose values count when a thread stands there, and when it is in a call that stands there.
  std::vector<std::vector<Local>> live_;
  std::vector<std::vector<Local>> live_after_call_;
  SequenceTable<std::uint32_t> table_;  // of threads that have neither ended nor are absent
  std::vector<std::uint32_t> encoded_;
  std::vector<StateName> names_;           // by number, as far as they were needed
  std::vector<StateName> names_of_sites_;  // by site: of its procedure and point
};

}  // namespace lockwood::program
