#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "explorer/machine/machine.hpp"
#include "frontend/program/interpreter/sites.hpp"
#include "frontend/program/interpreter/state_name.hpp"
#include "frontend/program/interpreter/thread_components.hpp"
#include "frontend/program/interpreter/thread_words.hpp"
#include "frontend/program/interpreter/trailed_memory.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::program {

// The class of a procedure's name: one bit of 64.
[[nodiscard]] std::uint64_t class_of(const std::string& procedure);

struct MachineLimits {
  std::size_t frames = 1000;  // of a thread
  std::size_t threads = 64;   // that are started on a run: what a search does at a state is quadratic in them
  std::size_t invisible_instructions = 50'000;  // in one go
};

// A program as a machine of the explorer: the exact semantics of interpreter.hpp, made to be searched.
//
// Visible are reads and writes of shared variables, the first enter and the last leave of a monitor, wait and notify,
// spawn, choices, and waiting for the end of a thread: a join of several threads, or the end of a finish region, waits
// for one after the other, in the order in which they were started, and for the offspring of a thread behind it. A
// thread is named by who spawned it and how many that thread had spawned before.
//
// Locals that are dead do not count: states that differ only in them are one. Threads that have ended are all the same.
class ProgramMachine final : public explorer::Machine {
 public:
  // The program must outlive the machine.
  explicit ProgramMachine(const Program& program, const MachineLimits& limits = {});

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const Sites& sites() const { return sites_; }

  [[nodiscard]] std::span<const explorer::ThreadView> threads() const override { return views_; }
  std::optional<explorer::Bound> step(explorer::Step step) override;
  [[nodiscard]] std::size_t mark() const override { return memory_.mark(); }
  void undo(std::size_t mark) override;
  [[nodiscard]] std::span<const std::uint32_t> components() override;
  void restore(std::span<const std::uint32_t> components) override;
  [[nodiscard]] std::string name(explorer::ThreadId thread) const override;

  // What there is to see of the current state.
  [[nodiscard]] Integer value(Variable variable) const { return memory_.get(0, variable.index()); }
  [[nodiscard]] std::optional<explorer::ThreadId> owner(Lock lock) const;
  [[nodiscard]] std::size_t frame_count(explorer::ThreadId thread) const;
  // Where the thread's procedures are, innermost first: a caller is at its call.
  [[nodiscard]] std::vector<explorer::Site> stack(explorer::ThreadId thread) const;
  template <class Visit>
  void for_each_frame(explorer::ThreadId thread, Visit visit) const;
  // Names of procedures that have been executed since the last restore(), as a set of 64 classes of names.
  [[nodiscard]] std::uint64_t executed() const { return executed_; }
  // Those that are on the stacks of threads.
  [[nodiscard]] std::uint64_t on_stacks() const;
  // A name of the state that machines for other versions of the program understand: equal for equal states, as long as
  // variables and locks are the same and the procedures on the stacks are. By hashing: different states have different
  // ones, unless 128 bits happen to be equal.
  [[nodiscard]] StateName state_name();
  // The live threads for which the thread waits, if it is before a join or the end of a finish region.
  [[nodiscard]] std::vector<explorer::ThreadId> awaited(explorer::ThreadId thread) const;
  // The value of a local of the innermost frame.
  [[nodiscard]] Integer local(explorer::ThreadId thread, Local local) const;

 private:
  using Status = ThreadWords::Status;
  using Space = TrailedMemory::Space;
  struct Interpreting;

  [[nodiscard]] static Space space_of(explorer::ThreadId thread) { return 2 * thread.index() + 1; }
  [[nodiscard]] static Space members_space(explorer::ThreadId thread) { return 2 * thread.index() + 2; }
  [[nodiscard]] Integer word(explorer::ThreadId thread, std::size_t index) const {
    return memory_.get(space_of(thread), index);
  }
  void set_word(explorer::ThreadId thread, std::size_t index, Integer value);
  void set_global(std::size_t index, Integer value);
  void set_status(explorer::ThreadId thread, Status status);
  [[nodiscard]] bool exists(explorer::ThreadId thread) const { return !memory_.words(space_of(thread)).empty(); }
  [[nodiscard]] Status status(explorer::ThreadId thread) const {
    return exists(thread) ? static_cast<Status>(word(thread, ThreadWords::status)) : Status::Absent;
  }
  [[nodiscard]] std::size_t base(explorer::ThreadId thread) const {
    return static_cast<std::size_t>(word(thread, ThreadWords::base));
  }
  [[nodiscard]] explorer::Site site(explorer::ThreadId thread) const {
    return explorer::Site{static_cast<std::size_t>(word(thread, base(thread) + FrameWords::site))};
  }
  [[nodiscard]] const Node& node(explorer::Site site) const { return *nodes_[site.index()]; }
  [[nodiscard]] std::span<const Integer> locals(explorer::ThreadId thread) const;

  // Variables and monitors come before threads. A monitor is one word, 0 if free.
  [[nodiscard]] std::size_t globals() const { return program_.variables.size() + program_.locks.size(); }
  [[nodiscard]] std::size_t lock_index(Lock lock) const { return program_.variables.size() + lock.index(); }
  // Threads that a thread may wait for, as MemberWords has them.
  struct MemberRecord {
    Integer frame;
    Integer slot;
    Integer member;
    [[nodiscard]] explorer::ThreadId thread() const { return explorer::ThreadId{static_cast<std::size_t>(member / 2)}; }
    [[nodiscard]] bool all() const { return member % 2 == 1; }
    friend bool operator==(const MemberRecord&, const MemberRecord&) = default;
  };
  [[nodiscard]] std::vector<MemberRecord> records(explorer::ThreadId thread) const;
  void set_records(explorer::ThreadId thread, const std::vector<MemberRecord>& records);
  // The first one for whose end the thread waits where it stands, by its position.
  [[nodiscard]] std::optional<std::size_t> first_awaited(explorer::ThreadId thread,
                                                         const std::vector<MemberRecord>& records) const;
  // For good: what is waited for.
  [[nodiscard]] bool is_over(explorer::ThreadId thread) const {
    return status(thread) == Status::Ended || status(thread) == Status::Uncaught;
  }

  [[nodiscard]] std::size_t times_held(explorer::ThreadId thread, Lock lock) const;
  void set_held(explorer::ThreadId thread, Lock lock, std::size_t times);

  [[nodiscard]] explorer::ThreadId child(explorer::ThreadId parent, std::size_t number);
  [[nodiscard]] bool is_invisible(explorer::ThreadId thread) const;
  std::optional<explorer::Bound> run_invisible(explorer::ThreadId thread);
  void wake(explorer::ThreadId thread, const Wait& wait);
  void touch(Space space, std::uint32_t index);
  void update_component(std::size_t index);
  void refresh();
  void describe(explorer::ThreadId thread);
  [[nodiscard]] explorer::Action action_of(explorer::ThreadId thread);

  const Program& program_;
  MachineLimits limits_;
  Sites sites_;
  std::vector<const Node*> nodes_;  // by site
  TrailedMemory memory_;            // space 0: variables, monitors; then for each thread its words, and its members
  std::map<std::pair<std::uint32_t, std::uint32_t>, explorer::ThreadId> children_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parents_;  // by thread: of whom, which one

  std::vector<explorer::ThreadView> views_;
  std::vector<std::uint8_t> view_changed_;       // by thread
  std::vector<std::uint8_t> component_changed_;  // by thread
  std::vector<std::uint32_t> components_;
  ThreadComponents thread_components_;
  std::unordered_map<Integer, std::uint32_t> large_numbers_;
  std::vector<Integer> large_values_;
  std::size_t instructions_ = 0;              // of the current step
  std::vector<std::uint64_t> class_of_site_;  // by site: of the name of its procedure, one bit
  std::uint64_t executed_ = 0;
  std::vector<StateName> thread_names_;  // by thread, as far as they were needed
};

template <class Visit>
void ProgramMachine::for_each_frame(explorer::ThreadId thread, Visit visit) const {
  const auto words = memory_.words(space_of(thread));
  if (words.empty()) return;
  auto base = static_cast<std::size_t>(words[ThreadWords::base]);
  for (Integer frame = words[ThreadWords::frames]; frame > 0; --frame) {
    visit(explorer::Site{static_cast<std::size_t>(words[base + FrameWords::site])});
    base = static_cast<std::size_t>(words[base + FrameWords::below]);
  }
}

}  // namespace lockwood::program
