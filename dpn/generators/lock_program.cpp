#include "dpn/generators/lock_program.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/semantics/small_step.hpp"

namespace lockwood::dpn {
namespace {

class Programmer {
 public:
  Programmer(std::uint64_t seed, const LockProgramSizes& sizes) : random_{seed}, sizes_{sizes} {
    lock_count_ = std::min(sizes.locks, 1 + random_.below(sizes.locks + 1));
    control_ = builder_.control("p");
    other_ = random_.below(4) == 0 ? builder_.control("q") : control_;
    for (const char* name : {"a", "b", "c"}) actions_.push_back(builder_.action(name));
  }

  Network network() {
    const std::size_t threads = std::min(sizes_.threads, 2 + random_.below(sizes_.threads));
    StackSymbol at = point();
    builder_.initial({control_, at});
    shared_ = point();
    std::vector<StackSymbol> starts;
    for (std::size_t i = 1; i < threads; ++i) {
      starts.push_back(point());
      const StackSymbol next = point();
      builder_.add({{control_, at}, any_action(), Spawn{{control_, next}, {control_, starts.back()}}});
      at = next;
      if (random_.below(4) == 0) at = statement(at, 2);
    }
    with_budget([&] { block(at, sizes_.nesting); });
    for (StackSymbol start : starts) with_budget([&] { end_thread(block(start, sizes_.nesting)); });
    with_budget([&] { leave(block(shared_, 1)); });
    return std::move(builder_).build();
  }

 private:
  StackSymbol point() { return builder_.stack("n" + std::to_string(points_++)); }
  Action any_action() { return actions_[random_.below(actions_.size())]; }
  Lock any_lock() { return builder_.lock("x" + std::to_string(random_.below(lock_count_))); }

  // Program points are rationed, so that each thread gets some and exploration can finish.
  template <class F>
  void with_budget(F f) {
    budget_ = points_ + 8;
    f();
  }

  void end_thread(StackSymbol at) {
    if (random_.below(3) == 0) leave(at);
  }
  // Returns, with either control state; what follows understands both.
  void leave(StackSymbol at) {
    for_both([&](ControlState from) {
      builder_.add({{from, at}, any_action(), Return{control_}});
      if (other_ != control_ && random_.below(2) == 0) builder_.add({{from, at}, any_action(), Return{other_}});
    });
  }
  template <class F>
  void for_both(F f) {
    f(control_);
    if (other_ != control_) f(other_);
  }

  StackSymbol block(StackSymbol at, std::size_t nesting) {
    const std::size_t statements = 1 + random_.below(sizes_.statements);
    for (std::size_t i = 0; i < statements && points_ < budget_; ++i) at = statement(at, nesting);
    return at;
  }

  StackSymbol statement(StackSymbol at, std::size_t nesting) {
    const StackSymbol next = point();
    const std::size_t kind = nesting == 0 ? random_.below(2) : random_.below(12);
    if (kind == 0) {
      for_both([&](ControlState p) { builder_.add({{p, at}, any_action(), Base{{control_, next}}}); });
    } else if (kind == 1) {
      for_both([&](ControlState p) { builder_.add({{p, at}, any_action(), Call{{control_, shared_}, next}}); });
    } else if (kind == 2) {  // if
      const StackSymbol then = point();
      for_both([&](ControlState p) {
        builder_.add({{p, at}, any_action(), Base{{control_, then}}});
        builder_.add({{p, at}, any_action(), Base{{control_, next}}});
      });
      const StackSymbol end = block(then, nesting - 1);
      for_both([&](ControlState p) { builder_.add({{p, end}, any_action(), Base{{control_, next}}}); });
    } else if (kind == 3) {  // a spawn inside whatever is held
      const StackSymbol start = point();
      for_both([&](ControlState p) {
        builder_.add({{p, at}, any_action(), Spawn{{control_, next}, {control_, start}}});
      });
      end_thread(block(start, nesting - 1));
    } else {
      const StackSymbol body = point();
      const Lock lock = any_lock();
      for_both([&](ControlState p) { builder_.add({{p, at}, any_action(), Monitor{{control_, body}, next, lock}}); });
      leave(block(body, nesting - 1));
    }
    return next;
  }

  Random random_;
  LockProgramSizes sizes_;
  NetworkBuilder builder_;
  std::size_t lock_count_;
  ControlState control_{0};
  ControlState other_{0};
  StackSymbol shared_{0};  // the entry of the shared procedure
  std::vector<Action> actions_;
  std::size_t points_ = 0;
  std::size_t budget_ = 0;
};

// A run, step by step, and the query that it answers, if locks do not matter.
class Questioner {
 public:
  Questioner(const Network& network, std::uint64_t seed)
      : network_{network}, random_{seed ^ 0xC0FFEE}, configuration_{initial_configuration(network)} {}

  // Half of the queries are careful: their first step respects locks and ends with locks held by several threads, and
  // the others are about threads that have given them back since. Release graphs hardly ever matter otherwise.
  Query query() {
    Query query{.form = QueryForm::Iterate};
    const bool careful = random_.below(2) == 0;
    const std::size_t steps = (careful ? 2 : 1) + random_.below(careful ? 2 : 3);
    for (std::size_t i = 0; i < steps; ++i) {
      const IdVector<ThreadId, std::size_t> before = holdings();
      used_.assign(network_.actions().size(), false);
      if (careful && i == 0) {
        for (std::size_t moves = 8 + random_.below(12); moves > 0 && holders() < 2 + random_.below(2); --moves)
          move(Semantics::LockSensitive);
      } else {
        const std::size_t least = careful ? 3 : i == 0 ? 4 : 1;
        for (std::size_t moves = least + random_.below(careful ? 18 : 12); moves > 0; --moves)
          move(Semantics::LockInsensitive);
      }
      query.steps.push_back(step(careful && i > 0, before));
    }
    return query;
  }

 private:
  [[nodiscard]] IdVector<ThreadId, std::size_t> holdings() const {
    IdVector<ThreadId, std::size_t> counts;
    for (const Thread& thread : configuration_.threads) counts.push_back(held_locks(thread).size());
    return counts;
  }
  [[nodiscard]] std::size_t holders() const {
    const auto counts = holdings();
    return static_cast<std::size_t>(std::ranges::count_if(counts, [](std::size_t count) { return count > 0; }));
  }

  void move(Semantics semantics) {
    const auto moves = enabled_moves(network_, configuration_, semantics);
    if (moves.empty()) return;
    const Move chosen = moves[random_.below(moves.size())];
    used_[network_.rule(chosen.rule).action.index()] = true;
    apply(network_, configuration_, chosen);
  }

  // Where threads stand now: those with the most locks, or with the most given back.
  QueryStep step(bool given_back, const IdVector<ThreadId, std::size_t>& before) {
    const auto now = holdings();
    std::vector<ThreadId> standing;
    for (ThreadId thread : configuration_.threads.keys())
      if (!configuration_.threads[thread].ended()) standing.push_back(thread);
    std::ranges::stable_sort(standing, std::greater{}, [&](ThreadId thread) {
      if (!given_back) return now[thread];
      return before.contains(thread) ? before[thread] - std::min(before[thread], now[thread]) : 0;
    });
    QueryStep step;
    const std::size_t positions = std::min(standing.size(), 1 + random_.below(3));
    for (std::size_t i = 0; i < positions; ++i)
      step.positions.push_back({configuration_.threads[standing[i]].head().top});
    for (Action action : network_.actions().keys()) {
      if (!used_[action.index()] && random_.below(3) == 0) step.avoiding.push_back(action);
      if (used_[action.index()] && random_.below(6) == 0) step.requiring.push_back(action);
    }
    return step;
  }

  const Network& network_;
  Random random_;
  Configuration configuration_;
  std::vector<bool> used_;  // by action, in this step
};

}  // namespace

Network lock_program(std::uint64_t seed, const LockProgramSizes& sizes) { return Programmer{seed, sizes}.network(); }

Query lock_query(const Network& network, std::uint64_t seed) { return Questioner{network, seed}.query(); }

}  // namespace lockwood::dpn
