#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "explorer/properties/observation.hpp"

// Small concurrent programs, and what they mean: threads with two registers, shared variables, reentrant monitors, wait
// and notify, starts and joins, branches on values. The definition that the explorer is compared with: slow and
// obvious.
namespace lockwood::explorer::tiny {

enum class Op {
  Read,    // register a := variable object
  Write,   // variable object := register a
  Set,     // register a := b
  Add,     // register a := (register a + b) mod 3
  JumpIf,  // to b if register a is 0
  Jump,    // to b
  Enter,   // monitor object
  Exit,
  Wait,
  Notify,
  NotifyAll,
  Start,   // thread object; fails if it was started before
  Join,    // thread object; goes on if it was not started
  Choose,  // register a := 0, …, b - 1
  Assert   // register a is not b
};

struct Instruction {
  Op op;
  std::size_t object = 0;
  std::size_t a = 0;
  std::size_t b = 0;
};

struct Program {
  std::size_t variables = 0;
  std::size_t monitors = 0;
  std::vector<std::vector<Instruction>> threads;  // the first one runs, the others must be started
};
[[nodiscard]] std::string to_text(const Program& program);

enum class Status { Absent, Running, Waiting, Notified, Asserted, Threw, Ended };

struct ThreadState {
  Status status = Status::Absent;
  std::size_t pc = 0;
  std::vector<std::size_t> registers{0, 0};
  std::size_t saved = 0;  // how often a waiting thread held the monitor
  friend auto operator<=>(const ThreadState&, const ThreadState&) = default;
};

struct MonitorState {
  std::size_t owner = 0;  // of a monitor that is held
  std::size_t count = 0;
  friend auto operator<=>(const MonitorState&, const MonitorState&) = default;
};

struct State {
  std::vector<std::size_t> variables;
  std::vector<MonitorState> monitors;
  std::vector<ThreadState> threads;
  friend auto operator<=>(const State&, const State&) = default;
};

[[nodiscard]] State initial_state(const Program& program);
// All that one instruction of this thread can lead to; empty if it cannot move.
[[nodiscard]] std::vector<State> successors(const Program& program, const State& state, std::size_t thread);
// Whether other threads cannot notice the instruction that comes next.
[[nodiscard]] bool is_invisible(const Program& program, const State& state, std::size_t thread);
// The thread without which a running or notified thread cannot move, if it cannot.
[[nodiscard]] std::optional<std::size_t> blocker(const Program& program, const State& state, std::size_t thread);
[[nodiscard]] Site site_of(std::size_t thread, std::size_t pc);

// Everything there is to know, by visiting all states instruction by instruction.
struct Truth {
  std::size_t states = 0;
  bool complete = true;  // else there are more states than allowed
  std::set<State> finals;
  std::set<ObservationKey> observations;
};
[[nodiscard]] Truth brute_force(const Program& program, std::size_t max_states);

struct Shape {
  std::size_t threads = 3;       // at most
  std::size_t instructions = 6;  // of a thread, about
  std::size_t variables = 2;
  std::size_t monitors = 2;
};
[[nodiscard]] Program random_program(std::uint64_t seed, const Shape& shape = {});

}  // namespace lockwood::explorer::tiny
