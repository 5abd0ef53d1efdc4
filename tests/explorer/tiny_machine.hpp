#pragma once

#include <map>
#include <vector>

#include "explorer/machine/machine.hpp"
#include "explorer/reduction/oracle.hpp"
#include "tests/explorer/tiny_program.hpp"

namespace lockwood::explorer::tiny {

// A tiny program as a machine. The program must outlive it.
class TinyMachine final : public Machine {
 public:
  explicit TinyMachine(const Program& program);

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Program& program() const { return program_; }

  [[nodiscard]] std::span<const ThreadView> threads() const override { return views_; }
  std::optional<Bound> step(Step step) override;
  [[nodiscard]] std::size_t mark() const override { return trail_.size(); }
  void undo(std::size_t mark) override;
  [[nodiscard]] std::span<const std::uint32_t> components() override;
  void restore(std::span<const std::uint32_t> components) override;
  [[nodiscard]] std::string name(ThreadId thread) const override { return "t" + std::to_string(thread.index()); }

 private:
  void refresh();
  [[nodiscard]] ThreadView view_of(std::size_t thread) const;

  const Program& program_;
  State state_;
  std::vector<State> trail_;
  std::vector<ThreadView> views_;
  std::vector<std::uint32_t> components_;
  // Numbers of values, from 1.
  std::map<MonitorState, std::uint32_t> monitor_numbers_;
  std::map<ThreadState, std::uint32_t> thread_numbers_;
  std::vector<MonitorState> monitors_;
  std::vector<ThreadState> threads_;
};

// Invisible instructions of all threads run at once.
void stabilise(const Program& program, State& state);

// Knows where control can get to, whatever the values and locks are.
class ControlOracle final : public Oracle {
 public:
  explicit ControlOracle(const Program& program);
  [[nodiscard]] bool cannot_reach(const Machine& machine, const Question& question) override;

 private:
  using Actions = std::set<std::pair<ActionKind, std::uint32_t>>;
  std::vector<std::vector<Actions>> futures_;  // by thread and instruction
};

// Knows everything: it visits all states that can be reached while the frozen threads stand still.
class ExactOracle final : public Oracle {
 public:
  [[nodiscard]] bool cannot_reach(const Machine& machine, const Question& question) override;

 private:
  using Standing = std::set<std::pair<std::size_t, Action>>;  // which threads can be before which actions
  std::map<std::pair<State, std::vector<bool>>, Standing> known_;
};

}  // namespace lockwood::explorer::tiny
