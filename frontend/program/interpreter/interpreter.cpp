#include "frontend/program/interpreter/interpreter.hpp"

#include <algorithm>
#include <cassert>
#include <set>

namespace lockwood::program {
namespace {

// One instruction of one thread, in all ways it can go.
class Execution {
 public:
  Execution(const Program& program, const State& state, std::size_t thread)
      : program_{program}, state_{state}, thread_{thread}, joins_{has_joins(program)} {}

  std::vector<Transition> run() && {
    const ThreadState& thread = state_.threads[thread_];
    if (thread.status == ThreadStatus::Notified) take_again();
    if (thread.status != ThreadStatus::Running) return std::move(found_);
    std::visit(*this, node().instruction);
    return std::move(found_);
  }

  void operator()(const Skip& skip) { go(skip.next); }
  void operator()(const Read& read) { set(read.target, state_.shared[read.variable.index()], read.next); }
  void operator()(const Write& write) {
    Transition& transition = go(write.next);
    transition.state.shared[write.variable.index()] = value(write.value);
  }
  void operator()(const Assign& assign) {
    if (const auto result = evaluate(assign.value, locals()))
      set(assign.target, *result, assign.next);
    else
      go(*assign.on_failure);
  }
  void operator()(const Branch& branch) { go(value(branch.condition) != 0 ? branch.if_true : branch.if_false); }
  void operator()(const Choose& choose) {
    for (Point target : choose.targets) go(target);
  }
  void operator()(const Call& call) {
    Activation callee = activation(call.procedure, call.arguments);
    Transition& transition = copy();
    mine(transition).stack.push_back(std::move(callee));  // the caller is at its call until then
  }
  void operator()(const Spawn& spawn) {
    Activation first = activation(spawn.procedure, spawn.arguments);
    Transition& transition = go(spawn.next);
    ThreadState child;
    child.held.resize(program_.locks.size());
    child.stack.push_back(std::move(first));
    const auto number = static_cast<std::uint32_t>(state_.threads.size());
    Activation& here = mine(transition).stack.back();
    for (const Membership& membership : spawn.memberships) {
      if (membership.replace) here.groups[membership.group.index()].clear();
      here.groups[membership.group.index()].push_back({number, membership.all});
    }
    if (std::vector<GroupMember>* started = innermost_finish(mine(transition))) started->push_back({number, true});
    if (joins_) child.parent = static_cast<std::uint32_t>(thread_);
    transition.state.threads.push_back(std::move(child));
  }
  // Ended threads are no matter any more, so groups are emptied.
  void operator()(const Join& join) {
    for (Group group : join.groups)
      if (!have_ended(top().groups[group.index()])) return;
    Transition& transition = go(join.next);
    for (Group group : join.groups) mine(transition).stack.back().groups[group.index()].clear();
  }
  void operator()(const Forget& forget) {
    Transition& transition = go(forget.next);
    for (Group group : forget.groups) mine(transition).stack.back().groups[group.index()].clear();
  }
  void operator()(const Enter& enter) {
    const MonitorRegion& region = procedure().regions[enter.region];
    if (region.lock && is_taken(*region.lock)) return;
    Transition& transition = go(region.body);
    if (region.lock)
      ++mine(transition).held[region.lock->index()];
    else
      mine(transition).stack.back().finishes.emplace_back();
  }
  void operator()(const Leave& leave) {
    const MonitorRegion& region = procedure().regions[*node().region];
    if (!region.lock && !have_ended(top().finishes.back())) return;
    Transition& transition = go(region.exits[leave.exit]);
    if (region.lock)
      --mine(transition).held[region.lock->index()];
    else
      mine(transition).stack.back().finishes.pop_back();
  }
  void operator()(const Wait& wait) {
    Transition& transition = copy();
    ThreadState& thread = mine(transition);
    thread.status = ThreadStatus::Waiting;
    thread.given_up = thread.held[wait.lock.index()];
    thread.held[wait.lock.index()] = 0;
  }
  void operator()(const Notify& notify) {
    bool woke = false;
    for (std::size_t other = 0; other < state_.threads.size(); ++other) {
      if (!waits_for(state_.threads[other], notify.lock)) continue;
      if (woke && notify.all) {
        found_.back().state.threads[other].status = ThreadStatus::Notified;
        continue;
      }
      Transition& transition = go(notify.next);
      transition.state.threads[other].status = ThreadStatus::Notified;
      woke = true;
    }
    if (!woke) go(notify.next);
  }
  void operator()(const Print& print) {
    std::vector<Integer> values;
    for (const Expression& each : print.values) values.push_back(value(each));
    go(print.next).output = std::move(values);
  }
  void operator()(const Assert& assertion) {
    if (value(assertion.condition) != 0)
      go(assertion.next);
    else
      mine(copy()).status = ThreadStatus::Failed;
  }
  void operator()(const Return& ret) {
    const Integer result = ret.value ? value(*ret.value) : 0;
    Transition& transition = copy();
    ThreadState& thread = mine(transition);
    thread.stack.pop_back();
    if (thread.stack.empty()) {
      thread.status = ThreadStatus::Ended;
      return;
    }
    Activation& caller = thread.stack.back();
    const Call& call = call_of(caller);
    if (call.result) caller.locals[call.result->index()] = result;
    caller.point = call.next;
  }
  void operator()(const Raise&) {
    Transition& transition = copy();
    ThreadState& thread = mine(transition);
    if (thread.stack.size() == 1) {
      thread.status = ThreadStatus::Uncaught;
      return;
    }
    thread.stack.pop_back();
    thread.stack.back().point = call_of(thread.stack.back()).on_throw;
  }

 private:
  [[nodiscard]] const Activation& top() const { return state_.threads[thread_].stack.back(); }
  [[nodiscard]] const Procedure& procedure() const { return program_.procedures[top().procedure]; }
  [[nodiscard]] const Node& node() const { return procedure().points[top().point]; }
  [[nodiscard]] std::span<const Integer> locals() const { return top().locals; }
  [[nodiscard]] Integer value(const Expression& expression) const { return *evaluate(expression, locals()); }
  [[nodiscard]] const Call& call_of(const Activation& caller) const {
    return std::get<Call>(program_.procedures[caller.procedure].points[caller.point].instruction);
  }

  [[nodiscard]] Activation activation(ProcedureId id, const std::vector<Expression>& arguments) const {
    const Procedure& callee = program_.procedures[id];
    Activation made{id, callee.entry, std::vector<Integer>(callee.locals.size())};
    made.groups.resize(callee.groups.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) made.locals[i] = value(arguments[i]);
    return made;
  }

  // What a join takes for ended.
  [[nodiscard]] static bool has_ended(const ThreadState& thread) {
    return thread.status == ThreadStatus::Ended || thread.status == ThreadStatus::Uncaught;
  }
  // Of all finish regions that the thread is in.
  static std::vector<GroupMember>* innermost_finish(ThreadState& thread) {
    for (std::size_t i = thread.stack.size(); i-- > 0;)
      if (!thread.stack[i].finishes.empty()) return &thread.stack[i].finishes.back();
    return nullptr;
  }
  [[nodiscard]] bool have_ended(const std::vector<GroupMember>& members) const {
    const auto awaited = [&](std::uint32_t thread) {
      for (std::optional<std::uint32_t> each = thread; each; each = state_.threads[*each].parent)
        for (const GroupMember& member : members)
          if (*each == member.thread && (*each == thread || member.all)) return true;
      return false;
    };
    for (std::uint32_t thread = 0; thread < state_.threads.size(); ++thread)
      if (!has_ended(state_.threads[thread]) && awaited(thread)) return false;
    return true;
  }

  // Whether another thread holds the lock.
  [[nodiscard]] bool is_taken(Lock lock) const {
    for (std::size_t other = 0; other < state_.threads.size(); ++other)
      if (other != thread_ && state_.threads[other].held[lock.index()] > 0) return true;
    return false;
  }
  [[nodiscard]] bool waits_for(const ThreadState& thread, Lock lock) const {
    return thread.status == ThreadStatus::Waiting && wait_of(thread).lock == lock;
  }
  [[nodiscard]] const Wait& wait_of(const ThreadState& thread) const {
    const Activation& at = thread.stack.back();
    return std::get<Wait>(program_.procedures[at.procedure].points[at.point].instruction);
  }
  void take_again() {
    const Wait& wait = wait_of(state_.threads[thread_]);
    if (state_.threads[thread_].given_up > 0 && is_taken(wait.lock)) return;
    Transition& transition = go(wait.next);
    ThreadState& thread = mine(transition);
    thread.status = ThreadStatus::Running;
    thread.held[wait.lock.index()] = thread.given_up;
    thread.given_up = 0;
  }

  Transition& copy() {
    found_.push_back({state_, std::nullopt});
    return found_.back();
  }
  ThreadState& mine(Transition& transition) const { return transition.state.threads[thread_]; }
  Transition& go(Point next) {
    Transition& transition = copy();
    mine(transition).stack.back().point = next;
    return transition;
  }
  void set(Local target, Integer result, Point next) {
    const bool truth = procedure().locals[target].type == Type::Bool;
    mine(go(next)).stack.back().locals[target.index()] = truth && result != 0 ? 1 : result;
  }

  const Program& program_;
  const State& state_;
  std::size_t thread_;
  bool joins_;
  std::vector<Transition> found_;
};

// The same state, whatever its threads are called.
State canonical(State state, bool joins) {
  if (joins) return state;
  std::erase_if(state.threads, [](const ThreadState& thread) { return thread.status == ThreadStatus::Ended; });
  std::ranges::sort(state.threads);
  return state;
}

bool within(const State& state, const ExplorationLimits& limits) {
  const auto ended = std::ranges::count(state.threads, ThreadStatus::Ended, &ThreadState::status);
  const std::size_t live = state.threads.size() - static_cast<std::size_t>(ended);
  return live <= limits.threads && std::ranges::all_of(state.threads, [&](const ThreadState& thread) {
           return thread.stack.size() <= limits.stack_depth;
         });
}

}  // namespace

State initial_state(const Program& program) {
  State state;
  for (const VariableInfo& variable : program.variables) state.shared.push_back(variable.initial);
  const Procedure& main = program.procedures[program.main];
  ThreadState thread;
  thread.held.resize(program.locks.size());
  thread.stack.push_back({program.main, main.entry, std::vector<Integer>(main.locals.size())});
  thread.stack.back().groups.resize(main.groups.size());
  state.threads.push_back(std::move(thread));
  return state;
}

std::vector<Transition> transitions(const Program& program, const State& state, std::size_t thread) {
  return Execution{program, state, thread}.run();
}

std::optional<Standing> standing(const ThreadState& thread) {
  if (thread.status != ThreadStatus::Running) return std::nullopt;
  return Standing{thread.stack.back().procedure, thread.stack.back().point};
}

StateSpace reachable_states(const Program& program, const ExplorationLimits& limits) {
  StateSpace space;
  std::set<State> seen;
  const auto visit = [&](State state) {
    if (!within(state, limits) || space.states.size() >= limits.states) {
      space.complete = false;
    } else if (seen.insert(state).second) {
      space.states.push_back(std::move(state));
    }
  };
  const bool joins = has_joins(program);
  visit(canonical(initial_state(program), joins));
  // NOLINTNEXTLINE(modernize-loop-convert): they become more meanwhile
  for (std::size_t next = 0; next < space.states.size(); ++next) {
    const State state = space.states[next];
    for (std::size_t thread = 0; thread < state.threads.size(); ++thread)
      for (Transition& transition : transitions(program, state, thread))
        visit(canonical(std::move(transition.state), joins));
  }
  return space;
}

RandomRun random_run(const Program& program, Random& random, std::size_t max_steps) {
  RandomRun run{.last = initial_state(program), .output = {}, .steps = 0, .ended = false};
  while (run.steps < max_steps) {
    std::vector<std::vector<Transition>> moves;
    for (std::size_t thread = 0; thread < run.last.threads.size(); ++thread) {
      auto possible = transitions(program, run.last, thread);
      if (!possible.empty()) moves.push_back(std::move(possible));
    }
    if (moves.empty()) {
      run.ended = true;
      return run;
    }
    std::vector<Transition>& chosen = moves[random.below(moves.size())];
    Transition& taken = chosen[random.below(chosen.size())];
    if (taken.output) run.output.push_back(std::move(*taken.output));
    run.last = std::move(taken.state);
    ++run.steps;
  }
  return run;
}

}  // namespace lockwood::program
