#include "dpn/lock_program.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "dpn/network_builder.hpp"
#include "dpn/small_step.hpp"

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

}  // namespace

Network lock_program(std::uint64_t seed, const LockProgramSizes& sizes) { return Programmer{seed, sizes}.network(); }

Query lock_query(const Network& network, std::uint64_t seed) {
  Random random{seed ^ 0xC0FFEE};
  Query query{.form = QueryForm::Iterate};
  Configuration configuration = initial_configuration(network);
  const std::size_t steps = 1 + random.below(3);
  for (std::size_t i = 0; i < steps; ++i) {
    QueryStep& step = query.steps.emplace_back();
    std::vector<bool> used(network.actions().size(), false);
    const std::size_t length = (i == 0 ? 4 : 1) + random.below(12);
    for (std::size_t j = 0; j < length; ++j) {
      const auto moves = enabled_moves(network, configuration, Semantics::LockInsensitive);
      if (moves.empty()) break;
      const Move move = moves[random.below(moves.size())];
      used[network.rule(move.rule).action.index()] = true;
      apply(network, configuration, move);
    }
    std::vector<const Thread*> standing;
    for (const Thread& thread : configuration.threads)
      if (!thread.ended()) standing.push_back(&thread);
    std::ranges::stable_sort(standing, std::greater{}, [](const Thread* thread) { return held_locks(*thread).size(); });
    const std::size_t positions = std::min(standing.size(), 1 + random.below(3));
    for (std::size_t j = 0; j < positions; ++j) step.positions.push_back({standing[j]->head().top});
    for (Action action : network.actions().keys()) {
      if (!used[action.index()] && random.below(3) == 0) step.avoiding.push_back(action);
      if (used[action.index()] && random.below(6) == 0) step.requiring.push_back(action);
    }
  }
  return query;
}

}  // namespace lockwood::dpn
