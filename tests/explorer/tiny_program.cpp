#include "tests/explorer/tiny_program.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "base/ids/random.hpp"

namespace lockwood::explorer::tiny {
namespace {

const char* name_of(Op op) {
  switch (op) {
    case Op::Read: return "read";
    case Op::Write: return "write";
    case Op::Set: return "set";
    case Op::Add: return "add";
    case Op::JumpIf: return "jump if 0";
    case Op::Jump: return "jump";
    case Op::Enter: return "enter";
    case Op::Exit: return "exit";
    case Op::Wait: return "wait";
    case Op::Notify: return "notify";
    case Op::NotifyAll: return "notify all";
    case Op::Start: return "start";
    case Op::Join: return "join";
    case Op::Choose: return "choose";
    case Op::Assert: return "assert not";
  }
  return "";
}

void go(const Program& program, State& state, std::size_t thread, std::size_t pc) {
  ThreadState& moved = state.threads[thread];
  moved.pc = pc;
  moved.status = pc == program.threads[thread].size() ? Status::Ended : Status::Running;
  if (moved.status == Status::Ended) moved.registers = {0, 0};  // nobody reads them any more
}

bool is_access(const Instruction& instruction) { return instruction.op == Op::Read || instruction.op == Op::Write; }

// What a thread is before, as far as races and deadlocks are concerned.
Action action_of(const Program& program, const State& state, std::size_t thread) {
  const ThreadState& at = state.threads[thread];
  const Instruction& instruction = program.threads[thread][at.pc];
  ActionKind kind = ActionKind::Pause;
  if (instruction.op == Op::Read) kind = ActionKind::Read;
  if (instruction.op == Op::Write) kind = ActionKind::Write;
  if (instruction.op == Op::Enter) kind = ActionKind::Acquire;
  if (instruction.op == Op::Wait) kind = ActionKind::Reacquire;
  if (instruction.op == Op::Join) kind = ActionKind::Join;
  return {kind, static_cast<std::uint32_t>(instruction.object), site_of(thread, at.pc)};
}

void observe_races(const Program& program, const State& state, std::set<ObservationKey>& found) {
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    for (std::size_t j = i + 1; j < state.threads.size(); ++j) {
      if (state.threads[i].status != Status::Running || state.threads[j].status != Status::Running) continue;
      const Instruction& a = program.threads[i][state.threads[i].pc];
      const Instruction& b = program.threads[j][state.threads[j].pc];
      if (is_access(a) && is_access(b) && a.object == b.object && (a.op == Op::Write || b.op == Op::Write))
        found.insert(
            key_of(Race{{ThreadId{i}, action_of(program, state, i)}, {ThreadId{j}, action_of(program, state, j)}}));
    }
  }
}

// Every cycle of blocked threads, found from each of its members: a walk of as many steps as there are threads comes
// back.
void observe_cycles(const Program& program, const State& state, std::set<ObservationKey>& found) {
  for (std::size_t start = 0; start < state.threads.size(); ++start) {
    Deadlock deadlock{.threads = {}, .is_cycle = true};
    std::size_t current = start;
    for (std::size_t step = 0; step < state.threads.size(); ++step) {
      const auto next = blocker(program, state, current);
      if (!next) break;
      deadlock.threads.push_back({ThreadId{current}, action_of(program, state, current)});
      current = *next;
      if (current == start) {
        found.insert(key_of(deadlock));
        break;
      }
    }
  }
}

void observe(const Program& program, const State& state, bool is_final, std::set<ObservationKey>& found) {
  observe_races(program, state, found);
  observe_cycles(program, state, found);
  bool asserted = false;
  Deadlock blocked;
  for (std::size_t i = 0; i < state.threads.size(); ++i) {
    const ThreadState& thread = state.threads[i];
    const bool failed = thread.status == Status::Asserted || thread.status == Status::Threw;
    if (failed)
      found.insert(key_of(ThreadFailure{{ThreadId{i}, {ActionKind::Pause, 0, site_of(i, thread.pc)}},
                                        thread.status == Status::Asserted ? Failure::Assertion : Failure::Exception}));
    asserted = asserted || thread.status == Status::Asserted;
    if (!failed && thread.status != Status::Absent && thread.status != Status::Ended)
      blocked.threads.push_back({ThreadId{i}, action_of(program, state, i)});
  }
  if (is_final && !asserted && !blocked.threads.empty()) found.insert(key_of(blocked));
}

}  // namespace

std::string to_text(const Program& program) {
  std::string text;
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    text += "thread " + std::to_string(thread) + "\n";
    for (std::size_t pc = 0; pc < program.threads[thread].size(); ++pc) {
      const auto& [op, object, a, b] = program.threads[thread][pc];
      text += "  " + std::to_string(pc) + ": " + name_of(op) + " object " + std::to_string(object) + " a " +
              std::to_string(a) + " b " + std::to_string(b) + "\n";
    }
  }
  return text;
}

Site site_of(std::size_t thread, std::size_t pc) { return Site{thread * 1000 + pc}; }

State initial_state(const Program& program) {
  State state{.variables = std::vector<std::size_t>(program.variables),
              .monitors = std::vector<MonitorState>(program.monitors),
              .threads = std::vector<ThreadState>(program.threads.size())};
  go(program, state, 0, 0);
  return state;
}

std::optional<std::size_t> blocker(const Program& program, const State& state, std::size_t thread) {
  const ThreadState& self = state.threads[thread];
  if (self.status != Status::Running && self.status != Status::Notified) return std::nullopt;
  const Instruction& instruction = program.threads[thread][self.pc];
  if (instruction.op == Op::Enter || self.status == Status::Notified) {
    const MonitorState& monitor = state.monitors[instruction.object];
    if (monitor.count > 0 && monitor.owner != thread) return monitor.owner;
  }
  if (instruction.op == Op::Join) {
    const Status joined = state.threads[instruction.object].status;
    if (joined != Status::Absent && joined != Status::Ended) return instruction.object;
  }
  return std::nullopt;
}

bool is_invisible(const Program& program, const State& state, std::size_t thread) {
  const ThreadState& self = state.threads[thread];
  if (self.status != Status::Running) return false;
  const Instruction& instruction = program.threads[thread][self.pc];
  switch (instruction.op) {
    case Op::Set:
    case Op::Add:
    case Op::JumpIf:
    case Op::Jump:
    case Op::Assert: return true;
    case Op::Enter: {
      const MonitorState& monitor = state.monitors[instruction.object];
      return monitor.count > 0 && monitor.owner == thread;
    }
    case Op::Exit: return state.monitors[instruction.object].count > 1;
    default: return false;
  }
}

std::vector<State> successors(const Program& program, const State& state, std::size_t thread) {
  const ThreadState& self = state.threads[thread];
  if ((self.status != Status::Running && self.status != Status::Notified) || blocker(program, state, thread)) return {};
  const auto& [op, object, a, b] = program.threads[thread][self.pc];
  State next = state;
  if (self.status == Status::Notified) {
    next.monitors[object] = {thread, self.saved};
    next.threads[thread].saved = 0;
    go(program, next, thread, self.pc + 1);
    return {next};
  }
  go(program, next, thread, self.pc + 1);
  std::size_t& target = next.threads[thread].registers[a];
  const bool ended = next.threads[thread].status == Status::Ended;
  switch (op) {
    case Op::Read:
      if (!ended) target = state.variables[object];
      break;
    case Op::Write: next.variables[object] = self.registers[a]; break;
    case Op::Set:
      if (!ended) target = b;
      break;
    case Op::Add:
      if (!ended) target = (self.registers[a] + b) % 3;
      break;
    case Op::JumpIf:
      if (self.registers[a] == 0) go(program, next, thread, b);
      break;
    case Op::Jump: go(program, next, thread, b); break;
    case Op::Enter: next.monitors[object] = {thread, state.monitors[object].count + 1}; break;
    case Op::Exit: {
      const std::size_t count = state.monitors[object].count - 1;
      next.monitors[object] = count == 0 ? MonitorState{} : MonitorState{thread, count};
      break;
    }
    case Op::Wait: {
      MonitorState& monitor = next.monitors[object];
      ThreadState& waiting = next.threads[thread] = self;
      waiting.status = Status::Waiting;
      if (monitor.count > 0 && monitor.owner == thread) {
        waiting.saved = monitor.count;
        monitor = {};
      }
      break;
    }
    case Op::Notify:
    case Op::NotifyAll: {
      std::vector<State> results;
      State all = next;
      for (std::size_t other = 0; other < state.threads.size(); ++other) {
        if (state.threads[other].status != Status::Waiting) continue;
        if (program.threads[other][state.threads[other].pc].object != object) continue;
        State one = next;
        for (State* each : {&one, &all}) {
          if (state.threads[other].saved > 0)
            each->threads[other].status = Status::Notified;
          else
            go(program, *each, other, state.threads[other].pc + 1);
        }
        results.push_back(std::move(one));
      }
      if (results.empty() || op == Op::NotifyAll) return {all};
      return results;
    }
    case Op::Start:
      if (state.threads[object].status != Status::Absent) {
        next.threads[thread] = self;
        next.threads[thread].status = Status::Threw;
      } else {
        go(program, next, object, 0);
      }
      break;
    case Op::Join: break;
    case Op::Choose: {
      std::vector<State> results;
      for (std::size_t value = 0; value < b; ++value) {
        if (!ended) next.threads[thread].registers[a] = value;
        results.push_back(next);
      }
      return results;
    }
    case Op::Assert:
      if (self.registers[a] == b) {
        next.threads[thread] = self;
        next.threads[thread].status = Status::Asserted;
      }
      break;
  }
  return {next};
}

Truth brute_force(const Program& program, std::size_t max_states) {
  Truth truth;
  std::set<State> seen;
  std::deque<const State*> worklist;
  const auto visit = [&](State state) {
    const auto [place, is_new] = seen.insert(std::move(state));
    if (is_new) worklist.push_back(&*place);
  };
  visit(initial_state(program));
  while (!worklist.empty()) {
    const State& state = *worklist.front();
    worklist.pop_front();
    if (seen.size() > max_states) {
      truth.complete = false;
      break;
    }
    bool is_final = true;
    for (std::size_t thread = 0; thread < state.threads.size(); ++thread)
      for (State& next : successors(program, state, thread)) {
        is_final = false;
        visit(std::move(next));
      }
    observe(program, state, is_final, truth.observations);
    if (is_final) truth.finals.insert(state);
  }
  truth.states = seen.size();
  return truth;
}

namespace {

// Writes the code of one thread: statements, nested regions, conditions, loops.
class Writer {
 public:
  Writer(Random& random, const Shape& shape, std::size_t threads) : random_{random}, shape_{shape}, threads_{threads} {}

  std::vector<Instruction> run() && {
    const std::size_t length = 1 + random_.below(shape_.instructions);
    while (code_.size() < length) statement(0);
    return std::move(code_);
  }

 private:
  void add(Op op, std::size_t object = 0, std::size_t a = 0, std::size_t b = 0) { code_.push_back({op, object, a, b}); }
  std::size_t reg() { return random_.below(2); }
  std::size_t variable() { return random_.below(shape_.variables); }
  std::size_t monitor() {
    // Mostly a monitor that is held: otherwise nobody would wait properly.
    if (!held_.empty() && random_.percent(75)) return held_[random_.below(held_.size())];
    return random_.below(shape_.monitors);
  }

  void statement(std::size_t depth) {
    const std::size_t kind = random_.below(100);
    if (kind < 18) return add(Op::Read, variable(), reg());
    if (kind < 36) {
      if (random_.percent(60)) add(Op::Set, 0, 0, random_.below(3));
      return add(Op::Write, variable(), 0);
    }
    if (kind < 41) return add(Op::Add, 0, reg(), 1 + random_.below(2));
    if (kind < 60 && depth < 3) return region(depth);
    if (kind < 68 && (!held_.empty() || random_.percent(25))) return add(Op::Wait, monitor());
    if (kind < 78 && (!held_.empty() || random_.percent(40)))
      return add(random_.percent(50) ? Op::Notify : Op::NotifyAll, monitor());
    if (kind < 81) return add(Op::Join, random_.below(threads_));
    if (kind < 83) return add(Op::Start, random_.below(threads_));
    if (kind < 86) return add(Op::Choose, 0, reg(), 2);
    if (kind < 90) return add(Op::Assert, 0, reg(), random_.below(3));
    if (kind < 97 && depth < 3) return condition(depth);
    if (depth < 3) loop(depth);
  }

  void region(std::size_t depth) {
    const std::size_t monitor = random_.below(shape_.monitors);
    add(Op::Enter, monitor);
    held_.push_back(monitor);
    for (std::size_t i = random_.below(4); i-- > 0;) statement(depth + 1);
    held_.pop_back();
    add(Op::Exit, monitor);
  }

  void condition(std::size_t depth) {
    const std::size_t tested = reg();
    add(Op::Read, variable(), tested);
    const std::size_t jump = code_.size();
    add(Op::JumpIf, 0, tested);
    for (std::size_t i = 1 + random_.below(2); i-- > 0;) statement(depth + 1);
    code_[jump].b = code_.size();
  }

  // While a variable is 0.
  void loop(std::size_t depth) {
    const std::size_t begin = code_.size();
    const std::size_t tested = reg();
    if (random_.percent(50)) statement(depth + 1);
    add(Op::Read, variable(), tested);
    add(Op::JumpIf, 0, tested, begin);
  }

  Random& random_;
  const Shape& shape_;
  std::size_t threads_;
  std::vector<Instruction> code_;
  std::vector<std::size_t> held_;
};

}  // namespace

Program random_program(std::uint64_t seed, const Shape& shape) {
  Random random{seed};
  Program program{.variables = shape.variables, .monitors = shape.monitors, .threads = {}};
  const std::size_t threads = 2 + random.below(shape.threads - 1);
  for (std::size_t thread = 0; thread < threads; ++thread) {
    std::vector<Instruction> code = Writer{random, shape, threads}.run();
    if (thread == 0) {
      // The first thread starts the others, with few exceptions: they may start each other.
      std::vector<Instruction> starts;
      for (std::size_t other = 1; other < threads; ++other)
        if (random.percent(90)) starts.push_back({Op::Start, other, 0, 0});
      for (Instruction& instruction : code)
        if (instruction.op == Op::JumpIf || instruction.op == Op::Jump) instruction.b += starts.size();
      code.insert(code.begin(), starts.begin(), starts.end());
    }
    program.threads.push_back(std::move(code));
  }
  return program;
}

}  // namespace lockwood::explorer::tiny
