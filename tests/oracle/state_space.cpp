#include "tests/oracle/state_space.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <stdexcept>

namespace lockwood::oracle {

using dpn::Network;
using dpn::StackSymbol;
using problem::Phase;
using problem::Problem;
using problem::StandGoal;

namespace {

using Word = std::uint16_t;
using LockBits = std::uint64_t;

[[maybe_unused]] constexpr std::size_t max_locks = 64;
[[maybe_unused]] constexpr std::size_t max_required = 16;

LockBits bit(dpn::Lock lock) {
  assert(lock.index() < max_locks);
  return LockBits{1} << lock.index();
}

// One thread: a control state and a stack, the top last. A frame keeps the lock that its call has taken until the frame
// is popped; the steps that replace its symbol do not change the lock.
struct Frame {
  StackSymbol symbol;
  std::optional<dpn::Lock> lock;
  friend auto operator<=>(const Frame&, const Frame&) = default;
};
struct Thread {
  dpn::ControlState control;
  std::vector<Frame> stack;
  [[nodiscard]] LockBits held() const {
    LockBits locks = 0;
    for (const Frame& frame : stack)
      if (frame.lock) locks |= bit(*frame.lock);
    return locks;
  }
  [[nodiscard]] bool at(dpn::Head head) const {
    return !stack.empty() && control == head.control && stack.back().symbol == head.top;
  }
  friend auto operator<=>(const Thread&, const Thread&) = default;
};

Thread thread_at(dpn::Head head) { return {head.control, {{head.top, std::nullopt}}}; }

// The rule applied to a thread at its head: how the thread goes on, and the thread that it starts, if any.
struct Applied {
  Thread thread;
  std::optional<Thread> started = {};
};
Applied applied(const dpn::Rule& rule, Thread thread) {
  assert(thread.at(rule.from));
  const auto go_to = [&](dpn::Head head) {
    thread.control = head.control;
    thread.stack.back().symbol = head.top;
  };
  const auto enter = [&](dpn::Head callee, StackSymbol return_point, std::optional<dpn::Lock> lock) {
    thread.stack.back().symbol = return_point;
    thread.stack.push_back({callee.top, lock});
    thread.control = callee.control;
  };
  std::optional<Thread> started;
  switch (rule.kind()) {
    case dpn::RuleKind::Base: go_to(std::get<dpn::Base>(rule.effect).to); break;
    case dpn::RuleKind::Call: {
      const auto& call = std::get<dpn::Call>(rule.effect);
      enter(call.callee, call.return_point, std::nullopt);
      break;
    }
    case dpn::RuleKind::Return:
      thread.control = std::get<dpn::Return>(rule.effect).to;
      thread.stack.pop_back();
      break;
    case dpn::RuleKind::Spawn: {
      const auto& spawn = std::get<dpn::Spawn>(rule.effect);
      go_to(spawn.parent);
      started = thread_at(spawn.child);
      break;
    }
    case dpn::RuleKind::Monitor: {
      const auto& monitor = std::get<dpn::Monitor>(rule.effect);
      enter(monitor.callee, monitor.return_point, monitor.lock);
      break;
    }
    case dpn::RuleKind::Join:
    case dpn::RuleKind::Forget: throw std::logic_error{"this state space knows no groups of threads"};
  }
  return {std::move(thread), std::move(started)};
}

// The lock that the rule takes if a thread with these locks uses it: none if the thread has the lock already.
LockBits taken(const dpn::Rule& rule, LockBits held) {
  const auto* monitor = std::get_if<dpn::Monitor>(&rule.effect);
  return monitor == nullptr ? 0 : bit(monitor->lock) & ~held;
}

bool meets(const Network& network, const Thread& thread, const StandGoal& goal) {
  if (thread.stack.empty()) return false;
  if (goal.tops && std::ranges::find(*goal.tops, thread.stack.back().symbol) == goal.tops->end()) return false;
  if (goal.holding && (thread.held() & bit(*goal.holding)) == 0) return false;
  if (!goal.wanting) return true;
  if ((thread.held() & bit(*goal.wanting)) != 0) return false;
  return std::ranges::any_of(network.rules(), [&](const dpn::Rule& rule) {
    const auto* monitor = std::get_if<dpn::Monitor>(&rule.effect);
    return monitor != nullptr && monitor->lock == *goal.wanting && thread.at(rule.from);
  });
}

// Threads that are different from each other meet the goals from `goal` on: tries all choices.
// `meets_goal[i]` are the goals that thread i meets, as bits; `used` the threads that are taken.
bool assignable(std::span<const std::uint32_t> meets_goal, std::size_t goal, std::size_t goals, std::uint64_t used) {
  if (goal == goals) return true;
  for (std::size_t i = 0; i < meets_goal.size(); ++i)
    if (((used >> i) & 1U) == 0 && ((meets_goal[i] >> goal) & 1U) != 0 &&
        assignable(meets_goal, goal + 1, goals, used | std::uint64_t{1} << i))
      return true;
  return false;
}

// States as sequences of words, each kept once, numbered in the order of their discovery: a hash table of numbers over
// one buffer. Invariant: the table is at most half full; a slot has 1 + the number of a state, or 0.
class StateSet {
 public:
  StateSet() : slots_(1U << 10U) {}
  [[nodiscard]] std::size_t size() const { return ends_.size() - 1; }
  [[nodiscard]] std::span<const Word> operator[](std::size_t number) const {
    assert(number < size());
    return std::span{words_}.subspan(ends_[number], ends_[number + 1] - ends_[number]);
  }
  // False if it was there.
  bool insert(std::span<const Word> state) {
    if (2 * (size() + 1) > slots_.size()) rehash();
    std::uint32_t& slot = slot_of(state);
    if (slot != 0) return false;
    words_.insert(words_.end(), state.begin(), state.end());
    ends_.push_back(words_.size());
    slot = static_cast<std::uint32_t>(size());
    return true;
  }

 private:
  [[nodiscard]] std::uint32_t& slot_of(std::span<const Word> state) {
    std::uint64_t hash = state.size();
    for (const Word word : state) hash = (hash ^ word) * 0x9FB21C651E98DF25ULL;
    std::size_t at = (hash ^ (hash >> 29U)) % slots_.size();
    while (slots_[at] != 0 && !std::ranges::equal((*this)[slots_[at] - 1], state)) at = (at + 1) % slots_.size();
    return slots_[at];
  }
  void rehash() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t number = 0; number < size(); ++number)
      slot_of((*this)[number]) = static_cast<std::uint32_t>(number + 1);
  }

  std::vector<Word> words_;
  std::vector<std::size_t> ends_{0};
  std::vector<std::uint32_t> slots_;
};

// The states of single threads, numbered, with their moves: computed once each, however many states they are part of.
class ThreadStates {
 public:
  struct Move {
    dpn::Action action;
    LockBits takes;            // at most one lock
    std::optional<Word> next;  // none if the thread has ended
    std::optional<Word> started;
    bool outside = false;  // leads to a stack that is too deep, or to too many thread states
  };
  ThreadStates(const Network& network, const Problem& problem, const Bounds& bounds)
      : network_{network}, problem_{problem}, bounds_{bounds} {}

  [[nodiscard]] std::optional<Word> number_of(const Thread& thread) {
    const auto found = numbers_.find(thread);
    if (found != numbers_.end()) return found->second;
    if (rows_.size() > std::numeric_limits<Word>::max()) return std::nullopt;
    const auto number = static_cast<Word>(rows_.size());
    Row row{.thread = thread, .held = thread.held()};
    for (const Phase& phase : problem_.phases) {
      std::uint32_t goals = 0;
      for (std::size_t i = 0; i < phase.standing.size(); ++i)
        if (meets(network_, thread, phase.standing[i])) goals |= 1U << i;
      row.goals.push_back(goals);
    }
    rows_.push_back(std::move(row));
    numbers_.emplace(thread, number);
    return number;
  }
  [[nodiscard]] LockBits held(Word number) const { return rows_[number].held; }
  [[nodiscard]] std::uint32_t goals(Word number, std::size_t phase) const { return rows_[number].goals[phase]; }
  [[nodiscard]] StackSymbol top(Word number) const { return rows_[number].thread.stack.back().symbol; }
  [[nodiscard]] const std::vector<Move>& moves(Word number) {
    if (!rows_[number].moves) {
      auto found = find_moves(rows_[number].thread);
      rows_[number].moves = std::move(found);
    }
    return *rows_[number].moves;
  }

 private:
  struct Row {
    Thread thread;
    LockBits held;
    std::vector<std::uint32_t> goals = {};  // by phase
    std::optional<std::vector<Move>> moves = {};
  };

  // By value: new thread states move the rows.
  [[nodiscard]] std::vector<Move> find_moves(Thread thread) {
    std::vector<Move> moves;
    for (const dpn::Rule& rule : network_.rules()) {
      if (!thread.at(rule.from)) continue;
      const auto [after, started] = applied(rule, thread);
      Move move{.action = rule.action, .takes = taken(rule, thread.held()), .next = {}, .started = {}};
      if (after.stack.size() > bounds_.depth) {
        move.outside = true;
      } else if (!after.stack.empty()) {
        move.next = number_of(after);
        move.outside = !move.next;
      }
      if (started) {
        move.started = number_of(*started);
        move.outside = move.outside || !move.started;
      }
      moves.push_back(move);
    }
    return moves;
  }

  const Network& network_;
  const Problem& problem_;
  const Bounds& bounds_;
  std::vector<Row> rows_;
  std::map<Thread, Word> numbers_;
};

// Breadth-first search. A state is: the phase, the required sets of the phase from which an action was done, as bits,
// and the states of the live threads, ascending. Threads that have ended and names of threads do not change what can
// happen.
class Search {
 public:
  Search(const Network& network, const Problem& problem, const Bounds& bounds)
      : problem_{problem}, bounds_{bounds}, threads_{network, problem, bounds} {
    assert(network.locks().size() <= max_locks);
    for (const Phase& phase : problem.phases) {
      assert(phase.observers.empty() && phase.fired.size() <= max_required && phase.standing.size() <= 32);
      auto& avoided = avoided_.emplace_back(network.actions().size());
      for (dpn::Action action : phase.avoiding) avoided[action] = true;
      auto& required = required_.emplace_back(network.actions().size());
      for (std::size_t i = 0; i < phase.fired.size(); ++i)
        for (dpn::Action action : phase.fired[i]) required[action] = static_cast<Word>(required[action] | 1U << i);
    }
    const std::array start{Word{0}, Word{0}, *threads_.number_of(thread_at(network.initial()))};
    states_.insert(start);
  }

  // Calls visit(threads) with every state; with the first that ends the last phase, it ends.
  template <class Visit>
  Outcome run(Visit visit) {
    for (std::size_t number = 0; number < states_.size(); ++number) {
      state_.assign(states_[number].begin(), states_[number].end());
      visit(std::span<const Word>{state_}.subspan(2));
      if (phase_can_end()) {
        if (phase() + 1U == problem_.phases.size()) return {dpn::Verdict::Reachable, states_.size()};
        next_ = state_;
        next_[0] = static_cast<Word>(phase() + 1);
        next_[1] = 0;
        discover();
      }
      expand();
    }
    return {complete_ ? dpn::Verdict::Unreachable : dpn::Verdict::Unknown, states_.size()};
  }
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] StackSymbol top(Word thread) const { return threads_.top(thread); }

 private:
  [[nodiscard]] Word phase() const { return state_[0]; }

  void discover() {
    if (states_.size() < bounds_.states) {
      states_.insert(next_);
    } else {
      complete_ = false;
    }
  }

  [[nodiscard]] bool phase_can_end() {
    const Phase& phase_now = problem_.phases[phase()];
    if (state_[1] != (1U << phase_now.fired.size()) - 1) return false;
    goals_.clear();
    for (std::size_t i = 2; i < state_.size(); ++i) goals_.push_back(threads_.goals(state_[i], phase()));
    return assignable(goals_, 0, phase_now.standing.size(), 0);
  }

  // A fresh lock is not among those of its thread, so whoever has it is another thread.
  void expand() {
    LockBits held = 0;
    if (problem_.semantics == dpn::Semantics::LockSensitive)
      for (std::size_t i = 2; i < state_.size(); ++i) held |= threads_.held(state_[i]);
    for (std::size_t i = 2; i < state_.size(); ++i) {
      if (i > 2 && state_[i] == state_[i - 1]) continue;
      for (const ThreadStates::Move& move : threads_.moves(state_[i])) {
        if (avoided_[phase()][move.action] || (move.takes & held) != 0) continue;
        if (move.outside || (move.started && state_.size() - 2 >= bounds_.threads)) {
          complete_ = false;
          continue;
        }
        next_ = state_;
        next_[1] = static_cast<Word>(next_[1] | required_[phase()][move.action]);
        if (move.next) {
          next_[i] = *move.next;
        } else {
          next_.erase(next_.begin() + static_cast<std::ptrdiff_t>(i));
        }
        if (move.started) next_.push_back(*move.started);
        std::sort(next_.begin() + 2, next_.end());
        discover();
      }
    }
  }

  const Problem& problem_;
  const Bounds& bounds_;
  ThreadStates threads_;
  std::vector<IdVector<dpn::Action, bool>> avoided_;   // by phase
  std::vector<IdVector<dpn::Action, Word>> required_;  // by phase: the sets that the action is in, as bits
  StateSet states_;
  bool complete_ = true;
  std::vector<Word> state_;
  std::vector<Word> next_;
  std::vector<std::uint32_t> goals_;
};

}  // namespace

Outcome decide(const Network& network, const Problem& problem, const Bounds& bounds) {
  assert(!problem.collect && !problem.phases.empty());
  return Search{network, problem, bounds}.run([](std::span<const Word>) {});
}

Pairs parallel_pairs(const Network& network, dpn::Semantics semantics, const Bounds& bounds) {
  // Nobody meets an empty set, so the search visits everything.
  const Problem everything{.semantics = semantics,
                           .phases = {Phase{.standing = {StandGoal{.tops = std::vector<StackSymbol>{}}}}}};
  Search search{network, everything, bounds};
  std::set<std::pair<StackSymbol, StackSymbol>> pairs;
  (void)search.run([&](std::span<const Word> threads) {
    for (std::size_t i = 0; i < threads.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) pairs.insert(std::minmax(search.top(threads[i]), search.top(threads[j])));
  });
  return {{pairs.begin(), pairs.end()}, search.complete()};
}

std::optional<std::string> replay_error(const Network& network, const Problem& problem, const dpn::Schedule& schedule) {
  if (schedule.cuts.size() + 1 != problem.phases.size()) return "the schedule has another number of phases";
  std::vector<Thread> threads{thread_at(network.initial())};
  std::size_t move = 0;
  for (std::size_t i = 0; i < problem.phases.size(); ++i) {
    const Phase& phase = problem.phases[i];
    const std::size_t end = i < schedule.cuts.size() ? schedule.cuts[i] : schedule.moves.size();
    if (end < move || end > schedule.moves.size()) return "the phases are not in order";
    std::set<dpn::Action> done;
    for (; move < end; ++move) {
      const auto [mover, id] = schedule.moves[move];
      const std::string which = "move " + std::to_string(move + 1);
      if (mover.index() >= threads.size()) return which + " is by a thread that is not there";
      const dpn::Rule& rule = network.rule(id);
      if (!threads[mover.index()].at(rule.from)) return which + " uses a rule of another place";
      const LockBits takes = taken(rule, threads[mover.index()].held());
      if (problem.semantics == dpn::Semantics::LockSensitive)
        for (std::size_t other = 0; other < threads.size(); ++other)
          if (other != mover.index() && (threads[other].held() & takes) != 0)
            return which + " takes a lock of another thread";
      auto [after, started] = applied(rule, threads[mover.index()]);
      threads[mover.index()] = std::move(after);
      if (started) threads.push_back(*std::move(started));
      done.insert(rule.action);
    }
    for (dpn::Action action : phase.avoiding)
      if (done.contains(action)) return "phase " + std::to_string(i + 1) + " does an avoided action";
    for (const auto& required : phase.fired)
      if (std::ranges::none_of(required, [&](dpn::Action action) { return done.contains(action); }))
        return "phase " + std::to_string(i + 1) + " lacks a required action";
    std::vector<std::uint32_t> goals;
    for (const Thread& thread : threads) {
      std::uint32_t met = 0;
      for (std::size_t goal = 0; goal < phase.standing.size(); ++goal)
        if (meets(network, thread, phase.standing[goal])) met |= 1U << goal;
      // More threads alike than there are goals are of no use, so few threads are left to choose from.
      if (met != 0 && std::ranges::count(goals, met) < std::ssize(phase.standing)) goals.push_back(met);
    }
    assert(goals.size() <= 64);
    if (!assignable(goals, 0, phase.standing.size(), 0))
      return "at the end of phase " + std::to_string(i + 1) + " the goals are not met";
  }
  return std::nullopt;
}

}  // namespace lockwood::oracle
