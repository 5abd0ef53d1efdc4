#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/ids/random.hpp"
#include "frontend/program/ir/program.hpp"

// The exact semantics of programs: what each instruction does to real values, locks and threads. Small and obvious
// rather than fast: it is what models are compared with, and what programs are run with.
namespace lockwood::program {

// A thread that can be waited for; with `all`, so can all threads that it started, at any depth.
struct GroupMember {
  std::uint32_t thread;
  bool all = false;
  friend auto operator<=>(const GroupMember&, const GroupMember&) = default;
};

// A procedure under way. Regions are not frames of their own here: locks are counted by thread.
struct Activation {
  ProcedureId procedure;
  Point point;
  std::vector<Integer> locals;
  std::vector<std::vector<GroupMember>> groups = {};  // by group
  // By finish region that is not left, innermost last: the threads started inside.
  std::vector<std::vector<GroupMember>> finishes = {};
  friend auto operator<=>(const Activation&, const Activation&) = default;
};

enum class ThreadStatus {
  Running,
  Waiting,   // to be notified
  Notified,  // to take the lock again
  Failed,    // an assertion did not hold
  Uncaught,  // an exception left its procedure
  Ended
};

struct ThreadState {
  ThreadStatus status = ThreadStatus::Running;
  std::vector<Activation> stack;    // innermost last; as they were in the end if it failed, empty if it has ended
  std::vector<std::uint32_t> held;  // by lock: how often
  std::uint32_t given_up = 0;       // how often a waiting thread held its lock
  std::optional<std::uint32_t> parent = {};  // who started it; none if nobody did or nobody waits for threads
  friend auto operator<=>(const ThreadState&, const ThreadState&) = default;
};

struct State {
  std::vector<Integer> shared;  // by variable
  std::vector<ThreadState> threads;
  friend auto operator<=>(const State&, const State&) = default;
};

[[nodiscard]] State initial_state(const Program& program);

// What one thread can do next: nothing if it has ended or must wait for a lock or notification, several things if its
// instruction is a choice. `output` is what it prints.
struct Transition {
  State state;
  std::optional<std::vector<Integer>> output;
};
[[nodiscard]] std::vector<Transition> transitions(const Program& program, const State& state, std::size_t thread);

// Where a thread stands; none if it has ended, or waits to be notified or to have its lock again.
struct Standing {
  ProcedureId procedure;
  Point point;
  friend auto operator<=>(const Standing&, const Standing&) = default;
};
[[nodiscard]] std::optional<Standing> standing(const ThreadState& thread);

struct ExplorationLimits {
  std::size_t states = 100'000;
  std::size_t threads = 8;
  std::size_t stack_depth = 32;
};

// All states, by breadth-first search. Threads that have ended are forgotten, and threads have no names: states differ
// only as multisets of threads. But in a program with joins threads are in the order of their creation, and stay.
struct StateSpace {
  std::vector<State> states;
  bool complete = true;  // else a limit was met
};
[[nodiscard]] StateSpace reachable_states(const Program& program, const ExplorationLimits& limits = {});

// One run by a random schedule.
struct RandomRun {
  State last;
  std::vector<std::vector<Integer>> output;
  std::size_t steps = 0;
  bool ended = false;  // no thread could do anything any more; else the limit was met
};
[[nodiscard]] RandomRun random_run(const Program& program, Random& random, std::size_t max_steps);

}  // namespace lockwood::program
