#include "tests/oracle/wide_model.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/semantics/small_step.hpp"
#include "tests/oracle/dpn/random_network.hpp"

namespace lockwood::oracle {

using dpn::Action;
using dpn::ControlState;
using dpn::Lock;
using dpn::Network;
using dpn::RuleKind;
using dpn::StackSymbol;

namespace {

// What an action tells of its rule.
enum class ActionsTell { Thread, Procedure, Kind, Rule, Nothing };

class Programmer {
 public:
  Programmer(std::uint64_t seed, const WideSizes& sizes) : random_{seed}, sizes_{sizes} {
    assert(sizes.threads > 1 && sizes.locks > 0 && sizes.points > 2);
    // Threads are told apart most often: that is what separates the phases of one thread from those of another.
    constexpr ActionsTell choices[]{ActionsTell::Thread,    ActionsTell::Thread, ActionsTell::Thread,
                                    ActionsTell::Procedure, ActionsTell::Kind,   ActionsTell::Rule,
                                    ActionsTell::Nothing};
    tell_ = choices[random_.below(std::size(choices))];
    sizes_.points = 3 + std::min(random_.below(sizes.points - 2), random_.below(sizes.points - 2));  // mostly few
    lock_count_ = 1 + random_.below(random_.percent(60) ? std::min<std::size_t>(2, sizes.locks) : sizes.locks);
    control_ = builder_.control("p");
    other_ = random_.percent(15) ? builder_.control("q") : control_;
  }

  Network network() {
    const std::size_t threads = 2 + random_.below(sizes_.threads - 1);
    for (std::size_t i = random_.below(sizes_.procedures + 1); i > 0; --i)
      procedures_.push_back({point("f"), random_.percent(70) ? std::optional{random_.below(threads)} : std::nullopt});
    StackSymbol at = point("m");
    builder_.initial({control_, at});
    std::vector<StackSymbol> starts;
    begin_body(0, std::nullopt);
    for (std::size_t i = 1; i < threads; ++i) {
      if (random_.percent(25)) at = statement(at, 2);
      starts.push_back(point("t"));
      const StackSymbol next = point("m");
      add(at, dpn::Spawn{{control_, next}, {control_, starts.back()}});
      at = next;
    }
    begin_body(0, std::nullopt);
    end_thread(block(at, 3));
    for (std::size_t i = 0; i < starts.size(); ++i) {
      begin_body(i + 1, std::nullopt);
      end_thread(block(starts[i], 3));
    }
    for (std::size_t i = 0; i < procedures_.size(); ++i) {
      begin_body(procedures_[i].owner, i);
      leave(block(procedures_[i].entry, 2));
    }
    return finished();
  }

 private:
  // The rules are added in any order, for what looks at rules one after the other.
  Network finished() {
    if (random_.percent(70))
      for (std::size_t i = written_.size(); i > 1; --i) std::swap(written_[i - 1], written_[random_.below(i)]);
    for (const dpn::Rule& rule : written_) builder_.add(rule);
    return std::move(builder_).build();
  }

  struct Procedure {
    StackSymbol entry;
    std::optional<std::size_t> owner;  // the thread that calls it; any thread if there is none
  };

  // Program points are rationed, so that each body gets some and brute force can finish.
  void begin_body(std::optional<std::size_t> thread, std::optional<std::size_t> procedure) {
    thread_ = thread;
    procedure_ = procedure;
    budget_ = points_ + sizes_.points;
  }

  StackSymbol point(const std::string& prefix) { return builder_.stack(prefix + std::to_string(points_++)); }
  StackSymbol point() { return point(procedure_ ? "f" : thread_ == 0U ? "m" : "t"); }
  Lock any_lock() { return builder_.lock("x" + std::to_string(random_.below(lock_count_))); }

  Action action_of(const dpn::Effect& effect) {
    switch (tell_) {
      case ActionsTell::Thread: return builder_.action(thread_ ? "t" + std::to_string(*thread_) : "shared");
      case ActionsTell::Procedure:
        return builder_.action(procedure_ ? "f" + std::to_string(*procedure_)
                                          : "t" + std::to_string(thread_.value_or(0)));
      case ActionsTell::Kind: {
        constexpr const char* names[]{"step", "call", "return", "spawn", "sync"};
        return builder_.action(names[effect.index()]);
      }
      case ActionsTell::Rule: return builder_.action("r" + std::to_string(written_.size()));
      case ActionsTell::Nothing: break;
    }
    return builder_.action("a" + std::to_string(random_.below(3)));
  }
  // For both control states: whatever a return has set, the thread goes on.
  void add(StackSymbol from, const dpn::Effect& effect) {
    const Action action = action_of(effect);
    written_.push_back({{control_, from}, action, effect});
    if (other_ != control_) written_.push_back({{other_, from}, action, effect});
  }
  void leave(StackSymbol at) {
    add(at, dpn::Return{control_});
    if (other_ != control_ && random_.percent(50)) add(at, dpn::Return{other_});
  }
  void end_thread(StackSymbol at) {
    if (random_.percent(40)) leave(at);
  }

  StackSymbol block(StackSymbol at, std::size_t nesting) {
    for (std::size_t i = 1 + random_.below(3); i > 0 && points_ < budget_; --i) at = statement(at, nesting);
    return at;
  }

  // A procedure that the body may call: of its own thread or shared, and, unless recursion is wanted, with a larger
  // number.
  std::optional<StackSymbol> callee() {
    const bool recursive = random_.percent(6);
    std::vector<StackSymbol> entries;
    for (std::size_t i = procedure_ && !recursive ? *procedure_ + 1 : 0; i < procedures_.size(); ++i)
      if (!procedures_[i].owner || procedures_[i].owner == thread_) entries.push_back(procedures_[i].entry);
    if (entries.empty()) return std::nullopt;
    return entries[random_.below(entries.size())];
  }

  StackSymbol statement(StackSymbol at, std::size_t nesting) {
    const StackSymbol next = point();
    const std::size_t kind = nesting == 0 ? random_.below(26) : random_.below(100);
    const auto called = callee();
    if (kind < 10 || (kind < 26 && !called)) {
      add(at, dpn::Base{{control_, next}});
    } else if (kind < 18) {
      add(at, dpn::Call{{control_, *called}, next});
    } else if (kind < 26) {
      add(at, dpn::Monitor{{control_, *called}, next, any_lock()});
    } else if (kind < 32) {  // if
      const StackSymbol then = point();
      add(at, dpn::Base{{control_, then}});
      add(at, dpn::Base{{control_, next}});
      add(block(then, nesting - 1), dpn::Base{{control_, next}});
    } else if (kind < 39) {  // a spawn inside whatever is held
      const StackSymbol start = point();
      add(at, dpn::Spawn{{control_, next}, {control_, start}});
      end_thread(block(start, nesting - 1));
    } else if (kind < 42) {  // a loop
      add(at, dpn::Base{{control_, next}});
      add(next, dpn::Base{{control_, at}});
    } else if (kind < 64) {  // a call of what stands here
      const StackSymbol body = point();
      add(at, dpn::Call{{control_, body}, next});
      leave(block(body, nesting - 1));
    } else {
      const StackSymbol body = point();
      add(at, dpn::Monitor{{control_, body}, next, any_lock()});
      leave(block(body, nesting - 1));
    }
    return next;
  }

  Random random_;
  WideSizes sizes_;
  dpn::NetworkBuilder builder_;
  ActionsTell tell_;
  std::size_t lock_count_;
  ControlState control_{0};
  ControlState other_{0};
  std::vector<Procedure> procedures_;
  std::optional<std::size_t> thread_;     // of the body that is being written, if it is of one thread
  std::optional<std::size_t> procedure_;  // the procedure that is being written, if it is one
  std::size_t points_ = 0;
  std::vector<dpn::Rule> written_;
  std::size_t budget_ = 0;
};

// Follows an execution, and asks for where it comes by.
class Questioner {
 public:
  Questioner(const Network& network, std::uint64_t seed)
      : network_{network}, random_{seed ^ 0xD1CEULL}, configuration_{initial_configuration(network)} {}

  dpn::Query query() {
    dpn::Query query{.form = dpn::QueryForm::Iterate};
    if (random_.percent(5)) query.semantics = dpn::Semantics::LockInsensitive;
    const std::size_t draw = random_.below(100);
    if (draw < 42) {
      ask_about_kept_lock(query);
    } else if (draw < 58) {
      ask_about_shared_lock(query);
    } else if (draw < 66) {
      ask_about_regions_at_the_cut(query);
    } else {
      ask_about_anything(query);
    }
    for (dpn::QueryStep& step : query.steps)
      if (step.requiring.empty() && random_.percent(4)) step.requiring = {any_action()};
    assert(!query.steps.empty());
    return query;
  }

 private:
  static constexpr std::size_t attempts = 24;  // to find an execution that makes a good question

  // One to three steps that follow an execution. From the false step on, locks or avoided actions are not respected,
  // and the question may be unreachable.
  void ask_about_anything(dpn::Query& query) {
    const std::size_t draw = random_.below(100);
    const std::size_t steps = draw < 45 ? 1 : draw < 80 ? 2 : 3;
    const std::size_t false_step = random_.percent(55) ? random_.below(steps) : steps;
    const bool without_locks = random_.percent(55);
    for (std::size_t i = 0; i < steps; ++i)
      add_step(query, without_locks && i >= false_step, !without_locks && i >= false_step);
  }
  void add_step(dpn::Query& query, bool without_locks, bool without_avoiding) {
    dpn::QueryStep step;
    step.avoiding = avoided_actions();
    run(step.avoiding, without_locks, without_avoiding, [] { return false; });
    add_positions(step, 1 + random_.below(3));
    if (random_.percent(15)) step.requiring = required_actions();
    query.steps.push_back(std::move(step));
  }

  // A thread takes a lock in the first phase, and is not allowed to move on in the second, in which another thread
  // passes by as if the lock were free. The first phase says where both are: otherwise the other one could pass by
  // before.
  void ask_about_kept_lock(dpn::Query& query) {
    dpn::QueryStep first;
    dpn::QueryStep second;
    for (std::size_t i = 0; i < attempts; ++i) {
      start_again();
      run({}, false, false, [&] { return action_of_holder().has_value(); });
      first = {};
      add_positions(first, random_.percent(90) ? 3 : 1);
      second = {};
      if (const auto action = action_of_holder()) second.avoiding = {*action};
      const bool passed = pass_by(second.avoiding);
      add_positions(second, 1 + random_.below(2));
      if (passed) break;
    }
    query.steps = {first, second};
    if (random_.percent(20)) add_step(query, true, false);
  }

  // Two threads take one lock, at the same time.
  void ask_about_shared_lock(dpn::Query& query) {
    dpn::QueryStep step;
    for (std::size_t i = 0; i < attempts; ++i) {
      start_again();
      step = {};
      if (random_.percent(30)) step.avoiding = avoided_actions();
      run(step.avoiding, true, false, [&] { return !sharing_threads().empty(); });
      for (dpn::ThreadId thread : sharing_threads())
        step.positions.push_back({configuration_.threads[thread].head().top});
      if (!step.positions.empty()) break;
    }
    if (step.positions.empty()) add_positions(step, 2);
    query.steps = {step};
    if (random_.percent(30)) add_step(query, true, false);
  }

  // As if locks were free, two threads enter regions of one lock in the first phase, in which they may not do what they
  // do inside; they leave the regions in the second phase, in which nobody may do what only entries are. What is asked
  // for happens elsewhere, so that nothing but the phases keeps the regions open.
  void ask_about_regions_at_the_cut(dpn::Query& query) {
    for (std::size_t i = 0; i < attempts; ++i) {
      start_again();
      run({}, true, false, [&] { return !sharing_threads().empty(); });
      const auto sharing = sharing_threads();
      const auto bystander = thread_besides(sharing);
      if (sharing.empty() || !bystander) continue;
      const std::vector<Action> before = done_;
      dpn::QueryStep first;
      first.positions = {{configuration_.threads[*bystander].head().top}};
      run({}, true, false, [&] { return std::ranges::none_of(sharing, [&](auto t) { return holds_any(t); }); });
      for (Action action : done_)
        if (!contains(before, action)) first.avoiding.push_back(action);
      std::ranges::sort(first.avoiding);
      first.avoiding.erase(std::unique(first.avoiding.begin(), first.avoiding.end()), first.avoiding.end());
      dpn::QueryStep second;
      for (Action action : network_.actions().keys())
        if (enters_monitor(action) && !contains(done_, action)) second.avoiding.push_back(action);
      for (dpn::ThreadId thread : sharing)
        if (!configuration_.threads[thread].ended())
          second.positions.push_back({configuration_.threads[thread].head().top});
      if (second.positions.empty()) continue;
      query.steps = {first, second};
      if (!first.avoiding.empty() && !second.avoiding.empty()) return;
    }
    if (query.steps.empty()) ask_about_kept_lock(query);
  }

  static bool contains(const std::vector<Action>& actions, Action action) {
    return std::ranges::find(actions, action) != actions.end();
  }
  [[nodiscard]] bool holds_any(dpn::ThreadId thread) const {
    return !configuration_.threads[thread].ended() && !held_locks(configuration_.threads[thread]).empty();
  }
  [[nodiscard]] bool enters_monitor(Action action) const {
    return std::ranges::any_of(network_.rules(), [&](const dpn::Rule& rule) {
      return rule.action == action && rule.kind() == dpn::RuleKind::Monitor;
    });
  }
  // One that lives and holds no lock.
  [[nodiscard]] std::optional<dpn::ThreadId> thread_besides(const std::vector<dpn::ThreadId>& others) const {
    for (dpn::ThreadId thread : configuration_.threads.keys())
      if (std::ranges::find(others, thread) == others.end() && !configuration_.threads[thread].ended() &&
          !holds_any(thread))
        return thread;
    return std::nullopt;
  }

  void start_again() {
    configuration_ = initial_configuration(network_);
    last_.clear();
  }

  [[nodiscard]] bool holds(dpn::ThreadId thread, Lock lock) const {
    const auto held = held_locks(configuration_.threads[thread]);
    return std::ranges::find(held, lock) != held.end();
  }
  // Two threads that have the same lock, if there are such.
  [[nodiscard]] std::vector<dpn::ThreadId> sharing_threads() const {
    for (dpn::ThreadId one : configuration_.threads.keys())
      for (dpn::ThreadId other : configuration_.threads.keys())
        for (Lock lock : network_.locks().keys())
          if (one < other && holds(one, lock) && holds(other, lock)) return {one, other};
    return {};
  }

  Action any_action() { return Action{random_.below(network_.actions().size())}; }
  StackSymbol any_symbol() { return StackSymbol{random_.below(network_.stack_symbols().size())}; }

  std::vector<Action> avoided_actions() {
    const std::size_t draw = random_.below(100);
    if (draw < 30) return {};
    if (draw < 55) return {any_action()};
    const Action only = any_action();
    std::vector<Action> avoided;
    for (Action action : network_.actions().keys())
      if (draw < 75 ? action != only : random_.percent(40)) avoided.push_back(action);
    return avoided;
  }

  // What a thread with a lock did last, if there is such a thread.
  std::optional<Action> action_of_holder() {
    std::vector<Action> actions;
    for (dpn::ThreadId thread : configuration_.threads.keys())
      if (last_.contains(thread) && last_[thread] && !held_locks(configuration_.threads[thread]).empty())
        actions.push_back(*last_[thread]);
    if (actions.empty()) return std::nullopt;
    return actions[random_.below(actions.size())];
  }

  // One thread without a lock goes on, whoever has the locks that it takes, until it has left what it has entered. True
  // if it has taken the lock of another.
  bool pass_by(const std::vector<Action>& avoiding) {
    done_.clear();
    movers_.clear();
    auto moves = moves_without(avoiding, dpn::Semantics::LockInsensitive);
    std::erase_if(moves, [&](dpn::Move move) { return !held_locks(configuration_.threads[move.thread]).empty(); });
    if (moves.empty()) return false;
    bool passed = false;
    const dpn::ThreadId thread = moves[random_.below(moves.size())].thread;
    const std::size_t depth = configuration_.threads[thread].stack.size();
    for (std::size_t i = 0; i < 12; ++i) {
      moves = moves_without(avoiding, dpn::Semantics::LockInsensitive);
      std::erase_if(moves, [&](dpn::Move move) { return move.thread != thread; });
      if (moves.empty()) return false;
      make(moves[random_.below(moves.size())]);
      passed = passed || !sharing_threads().empty();
      if (configuration_.threads[thread].stack.size() <= depth && i > random_.below(3)) return passed;
    }
    return false;
  }

  [[nodiscard]] std::vector<dpn::Move> moves_without(const std::vector<Action>& avoiding,
                                                     dpn::Semantics semantics) const {
    auto moves = enabled_moves(network_, configuration_, semantics);
    std::erase_if(moves, [&](dpn::Move move) {
      return std::ranges::find(avoiding, network_.rule(move.rule).action) != avoiding.end();
    });
    return moves;
  }

  void make(dpn::Move move) {
    done_.push_back(network_.rule(move.rule).action);
    movers_.insert(move.thread);
    apply(network_, configuration_, move);
    last_.resize(configuration_.threads.size());
    last_[move.thread] = done_.back();
  }

  // Until that is enough.
  template <class Enough>
  void run(const std::vector<Action>& avoiding, bool without_locks, bool without_avoiding, const Enough& enough) {
    done_.clear();
    movers_.clear();
    const auto semantics = without_locks ? dpn::Semantics::LockInsensitive : dpn::Semantics::LockSensitive;
    for (std::size_t left = 2 + random_.below(14); left > 0; --left) {
      const auto moves = moves_without(without_avoiding ? std::vector<Action>{} : avoiding, semantics);
      if (moves.empty()) return;
      make(moves[random_.below(moves.size())]);
      if (enough()) return;
    }
  }

  // Of so many threads if there are, preferably those that have moved, and those with locks.
  void add_positions(dpn::QueryStep& step, std::size_t most) {
    std::vector<std::pair<std::size_t, StackSymbol>> standing;
    for (dpn::ThreadId id : configuration_.threads.keys()) {
      const dpn::Thread& thread = configuration_.threads[id];
      if (thread.ended()) continue;
      const std::size_t locks = held_locks(thread).size();
      standing.emplace_back(2 * locks + 2 * movers_.count(id) + random_.below(4), thread.head().top);
    }
    std::ranges::stable_sort(standing, std::greater{}, [](const auto& entry) { return entry.first; });
    const std::size_t count = std::min(standing.size(), most);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<StackSymbol> set{random_.percent(6) ? any_symbol() : standing[i].second};
      if (random_.percent(8)) set.push_back(any_symbol());
      std::ranges::sort(set);
      set.erase(std::unique(set.begin(), set.end()), set.end());
      step.positions.push_back(std::move(set));
    }
    if (step.positions.empty()) step.positions.push_back({any_symbol()});
  }

  std::vector<Action> required_actions() {
    std::vector<Action> required{done_.empty() || random_.percent(20) ? any_action()
                                                                      : done_[random_.below(done_.size())]};
    if (random_.percent(30)) required.push_back(any_action());
    std::ranges::sort(required);
    required.erase(std::unique(required.begin(), required.end()), required.end());
    return required;
  }

  const Network& network_;
  Random random_;
  dpn::Configuration configuration_;
  std::vector<Action> done_;                                  // in this step
  std::set<dpn::ThreadId> movers_;                            // the same
  IdVector<dpn::ThreadId, std::optional<Action>> last_ = {};  // of each thread that has moved
};

}  // namespace

Network wide_network(std::uint64_t seed, const WideSizes& sizes) {
  if (seed % 8 == 7) return dpn::random_network(seed, {.locks = sizes.locks});
  return Programmer{seed, sizes}.network();
}

dpn::Query wide_query(const Network& network, std::uint64_t seed) { return Questioner{network, seed}.query(); }

problem::Problem with_lock_goals(const Network& network, problem::Problem problem, std::uint64_t seed) {
  Random random{seed ^ 0x10C5ULL};
  const auto any_lock = [&] { return Lock{random.below(network.locks().size())}; };
  for (problem::Phase& phase : problem.phases) {
    for (problem::StandGoal& goal : phase.standing) {
      if (network.locks().size() == 0) break;
      if (random.percent(30)) goal.holding = any_lock();
      if (random.percent(30)) goal.wanting = any_lock();
      if ((goal.holding || goal.wanting) && random.percent(60)) goal.tops.reset();
    }
    if (random.percent(30)) phase.fired.push_back({Action{random.below(network.actions().size())}});
  }
  return problem;
}

}  // namespace lockwood::oracle
