#include "dpn/generators/join_program.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/model/without_joins.hpp"

namespace lockwood::dpn {
namespace {

class Programmer {
 public:
  Programmer(std::uint64_t seed, const JoinProgramSizes& sizes) : random_{seed}, sizes_{sizes} {
    control_ = builder_.control("0");
    for (const char* name : {"a", "b", "c"}) actions_.push_back(builder_.action(name));
    for (std::size_t i = 0; i < 1 + random_.below(sizes.groups); ++i)
      groups_.push_back(builder_.group("h" + std::to_string(i)));
  }

  Network network() {
    const std::size_t lines = 2 + random_.below(std::max<std::size_t>(sizes_.threads, 2) - 1);
    for (std::size_t i = 0; i < lines; ++i) starts_.push_back(point());
    shared_ = point();
    builder_.initial({control_, starts_.front()});
    for (line_ = 0; line_ < lines; ++line_) {
      budget_ = points_ + 9;
      StackSymbol at = starts_[line_];
      if (line_ + 1 < lines) at = spawn(at);  // whatever else happens, there is somebody to wait for
      at = block(at, sizes_.nesting);
      if (line_ + 1 < lines && random_.below(2) == 0) at = join(at);
      leave(at);
    }
    // The shared procedure starts threads of the last line only, which start none: else there would be no bound.
    line_ = lines - 2;
    in_shared_ = true;
    budget_ = points_ + 6;
    leave(block(shared_, 1));
    return std::move(builder_).build();
  }

 private:
  StackSymbol point() { return builder_.stack("n" + std::to_string(points_++)); }
  Action any_action() { return actions_[random_.below(actions_.size())]; }
  Group any_group() { return groups_[random_.below(groups_.size())]; }
  void add(StackSymbol from, Effect effect) { builder_.add({{control_, from}, any_action(), std::move(effect)}); }
  void leave(StackSymbol at) { add(at, Return{control_}); }
  std::vector<Group> opening() {
    return random_.below(4) == 0 ? std::vector<Group>{any_group()} : std::vector<Group>{};
  }

  StackSymbol block(StackSymbol at, std::size_t nesting) {
    const std::size_t statements = 1 + random_.below(sizes_.statements);
    for (std::size_t i = 0; i < statements && points_ < budget_; ++i) at = statement(at, nesting);
    return at;
  }

  // Of a later line, so that the number of threads is bounded.
  StackSymbol spawn(StackSymbol at) {
    const StackSymbol next = point();
    const std::size_t later = starts_.size() - line_ - 1;
    const StackSymbol child = in_shared_ ? starts_.back() : starts_[line_ + 1 + random_.below(later)];
    Spawn spawn{{control_, next}, {control_, child}};
    for (const Group group : groups_)
      if (random_.below(4) > 0) spawn.memberships.push_back({group, random_.below(3) == 0, random_.below(4) == 0});
    add(at, std::move(spawn));
    return next;
  }
  StackSymbol join(StackSymbol at) {
    const StackSymbol next = point();
    std::vector<Group> groups{any_group()};
    if (random_.below(5) == 0) groups.push_back(any_group());
    add(at, Join{{control_, next}, std::move(groups)});
    return next;
  }

  StackSymbol statement(StackSymbol at, std::size_t nesting) {
    const std::size_t kind = random_.below(nesting == 0 ? 6 : 11);
    if (kind <= 1 && line_ + 1 < starts_.size()) return spawn(at);
    if (kind == 2 || kind == 3) return join(at);
    const StackSymbol next = point();
    if (kind == 4) {
      if (random_.below(3) == 0)
        add(at, Forget{{control_, next}, {any_group()}});
      else
        add(at, Base{{control_, next}});
    } else if (kind <= 6 && (!in_shared_ || sizes_.recursion)) {
      if (in_shared_) add(at, Base{{control_, next}});  // the recursion may end
      add(at, Call{{control_, shared_}, next, opening()});
    } else if (kind == 7) {  // if
      const StackSymbol then = point();
      add(at, Base{{control_, then}});
      add(at, Base{{control_, next}});
      add(block(then, nesting - 1), Base{{control_, next}});
    } else {
      const StackSymbol body = point();
      const Lock lock = builder_.lock("x" + std::to_string(random_.below(std::max<std::size_t>(sizes_.locks, 1))));
      add(at, Monitor{{control_, body}, next, lock, opening()});
      leave(nesting == 0 ? body : block(body, nesting - 1));
    }
    return next;
  }

  Random random_;
  JoinProgramSizes sizes_;
  NetworkBuilder builder_;
  ControlState control_{0};
  StackSymbol shared_{0};  // the entry of the shared procedure
  std::vector<Action> actions_;
  std::vector<Group> groups_;
  std::vector<StackSymbol> starts_;  // of the lines
  std::size_t line_ = 0;             // that is being written
  bool in_shared_ = false;
  std::size_t points_ = 0;
  std::size_t budget_ = 0;
};

}  // namespace

Network join_program(std::uint64_t seed, const JoinProgramSizes& sizes) { return Programmer{seed, sizes}.network(); }

Query join_query(const Network& network, std::uint64_t seed) {
  return lock_query(seed % 4 == 0 ? network : without_joins(network), seed);
}

}  // namespace lockwood::dpn
