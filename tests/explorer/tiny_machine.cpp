#include "tests/explorer/tiny_machine.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace lockwood::explorer::tiny {
namespace {

Action action_at(const Program& program, const State& state, std::size_t thread) {
  const ThreadState& self = state.threads[thread];
  const Site site = site_of(thread, self.pc);
  if (self.pc == program.threads[thread].size()) return {ActionKind::Pause, 0, site};
  const Instruction& instruction = program.threads[thread][self.pc];
  const auto object = static_cast<std::uint32_t>(instruction.object);
  const auto is_held = [&] {
    const MonitorState& monitor = state.monitors[instruction.object];
    return monitor.count > 0 && monitor.owner == thread;
  };
  if (self.status == Status::Waiting || self.status == Status::Notified) return {ActionKind::Reacquire, object, site};
  if (self.status == Status::Asserted || self.status == Status::Threw) return {ActionKind::Pause, 0, site};
  switch (instruction.op) {
    case Op::Read: return {ActionKind::Read, object, site};
    case Op::Write: return {ActionKind::Write, object, site};
    case Op::Enter: return {ActionKind::Acquire, object, site};
    case Op::Exit: return {ActionKind::Release, object, site};
    case Op::Wait: return {is_held() ? ActionKind::Wait : ActionKind::UnheldWait, object, site};
    case Op::Notify: return {is_held() ? ActionKind::Notify : ActionKind::UnheldNotify, object, site};
    case Op::NotifyAll: return {is_held() ? ActionKind::NotifyAll : ActionKind::UnheldNotifyAll, object, site};
    case Op::Start: return {ActionKind::Start, object, site};
    case Op::Join: return {ActionKind::Join, object, site};
    case Op::Choose: return {ActionKind::Choice, 0, site};
    default: throw std::logic_error{"a thread is before an invisible instruction"};
  }
}

template <class Value>
std::uint32_t number_of(const Value& value, std::map<Value, std::uint32_t>& numbers, std::vector<Value>& values) {
  const auto [place, is_new] = numbers.try_emplace(value, static_cast<std::uint32_t>(values.size() + 1));
  if (is_new) values.push_back(value);
  return place->second;
}

}  // namespace

void stabilise(const Program& program, State& state) {
  for (std::size_t thread = 0; thread < state.threads.size(); ++thread)
    while (is_invisible(program, state, thread)) state = successors(program, state, thread).front();
}

TinyMachine::TinyMachine(const Program& program) : program_{program}, state_{initial_state(program)} {
  stabilise(program, state_);
  refresh();
}

void TinyMachine::refresh() {
  views_.clear();
  for (std::size_t thread = 0; thread < state_.threads.size(); ++thread) views_.push_back(view_of(thread));
}

ThreadView TinyMachine::view_of(std::size_t thread) const {
  ThreadView view;
  const Status status = state_.threads[thread].status;
  if (status == Status::Absent) return view;
  view.status = ThreadStatus::Ended;
  if (status == Status::Ended) return view;
  view.next = action_at(program_, state_, thread);
  view.status = ThreadStatus::Waiting;
  if (status == Status::Waiting) return view;
  view.status = ThreadStatus::Failed;
  view.failure = status == Status::Asserted ? Failure::Assertion : Failure::Exception;
  if (status == Status::Asserted || status == Status::Threw) return view;
  view.status = ThreadStatus::Standing;
  if (const auto other = blocker(program_, state_, thread)) {
    view.blocked_on = ThreadId{*other};
    return view;
  }
  view.enabled = true;
  view.outcomes = static_cast<std::uint32_t>(successors(program_, state_, thread).size());
  return view;
}

std::optional<Bound> TinyMachine::step(Step step) {
  trail_.push_back(state_);
  state_ = successors(program_, state_, step.thread.index()).at(step.outcome);
  stabilise(program_, state_);
  refresh();
  check_views(*this);
  return std::nullopt;
}

void TinyMachine::undo(std::size_t mark) {
  assert(mark <= trail_.size());
  if (mark == trail_.size()) return;
  state_ = trail_[mark];
  trail_.resize(mark);
  refresh();
}

std::span<const std::uint32_t> TinyMachine::components() {
  components_.clear();
  for (std::size_t value : state_.variables) components_.push_back(static_cast<std::uint32_t>(value));
  for (const MonitorState& monitor : state_.monitors)
    components_.push_back(number_of(monitor, monitor_numbers_, monitors_));
  for (const ThreadState& thread : state_.threads) components_.push_back(number_of(thread, thread_numbers_, threads_));
  return components_;
}

void TinyMachine::restore(std::span<const std::uint32_t> components) {
  std::size_t next = 0;
  for (std::size_t& value : state_.variables) value = components[next++];
  for (MonitorState& monitor : state_.monitors) monitor = monitors_.at(components[next++] - 1);
  for (ThreadState& thread : state_.threads) thread = threads_.at(components[next++] - 1);
  trail_.clear();
  refresh();
}

ControlOracle::ControlOracle(const Program& program) {
  using enum ActionKind;
  for (const auto& code : program.threads) futures_.emplace_back(code.size() + 1);
  const auto add = [](Actions& to, const Actions& from) {
    const std::size_t before = to.size();
    to.insert(from.begin(), from.end());
    return to.size() != before;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
      for (std::size_t pc = program.threads[thread].size(); pc-- > 0;) {
        const auto& [op, object, a, b] = program.threads[thread][pc];
        const auto number = static_cast<std::uint32_t>(object);
        Actions own;
        if (op == Op::Read) own = {{Read, number}};
        if (op == Op::Write) own = {{Write, number}};
        if (op == Op::Enter) own = {{Acquire, number}};
        if (op == Op::Exit) own = {{Release, number}};
        if (op == Op::Wait) own = {{Wait, number}, {UnheldWait, number}, {Reacquire, number}};
        if (op == Op::Notify) own = {{Notify, number}, {UnheldNotify, number}};
        if (op == Op::NotifyAll) own = {{NotifyAll, number}, {UnheldNotifyAll, number}};
        if (op == Op::Join) own = {{Join, number}};
        if (op == Op::Start) {
          own = futures_[object][0];
          own.emplace(Start, number);
        }
        changed = add(futures_[thread][pc], own) || changed;
        if (op != Op::Jump) changed = add(futures_[thread][pc], futures_[thread][pc + 1]) || changed;
        if (op == Op::Jump || op == Op::JumpIf) changed = add(futures_[thread][pc], futures_[thread][b]) || changed;
      }
    }
  }
}

bool ControlOracle::cannot_reach(const Machine& machine, const Question& question) {
  const State& state = dynamic_cast<const TinyMachine&>(machine).state();
  const Actions& future = futures_[question.thread.index()][state.threads[question.thread.index()].pc];
  return std::ranges::none_of(future, [&](const auto& action) {
    return question.conflict.kinds.contains(action.first) && question.conflict.object == action.second;
  });
}

bool ExactOracle::cannot_reach(const Machine& machine, const Question& question) {
  const auto& tiny = dynamic_cast<const TinyMachine&>(machine);
  const Program& program = tiny.program();
  const State& from = tiny.state();
  std::vector<bool> frozen;
  for (std::size_t i = 0; i < from.threads.size(); ++i) frozen.push_back(question.frozen.contains(ThreadId{i}));
  const auto [place, is_new] = known_.try_emplace({from, frozen});
  Standing& standing = place->second;
  if (is_new) {
    std::set<State> seen{from};
    std::vector<State> worklist{from};
    while (!worklist.empty()) {
      const State state = std::move(worklist.back());
      worklist.pop_back();
      for (std::size_t thread = 0; thread < state.threads.size(); ++thread) {
        if (frozen[thread]) continue;
        const Status status = state.threads[thread].status;
        if (status == Status::Running || status == Status::Notified)
          standing.emplace(thread, action_at(program, state, thread));
        for (State& next : successors(program, state, thread)) {
          stabilise(program, next);
          if (seen.insert(next).second) worklist.push_back(std::move(next));
        }
      }
    }
  }
  // A thread that is not there yet may be one that this thread starts.
  return std::ranges::none_of(standing, [&](const auto& each) {
    const auto& [thread, action] = each;
    return (thread == question.thread.index() || from.threads[thread].status == Status::Absent) &&
           question.conflict.kinds.contains(action.kind) && question.conflict.object == action.object;
  });
}

}  // namespace lockwood::explorer::tiny
