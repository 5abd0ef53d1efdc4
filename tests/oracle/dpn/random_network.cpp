#include "tests/oracle/dpn/random_network.hpp"

#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {
namespace {

class Generator {
 public:
  Generator(const Choose& choose, const RandomNetworkSizes& sizes) : choose_{choose} {
    fill(controls_, between(1, sizes.controls), [&](const std::string& n) { return builder_.control("p" + n); });
    fill(stacks_, between(4, sizes.stacks), [&](const std::string& n) { return builder_.stack("g" + n); });
    fill(actions_, between(1, sizes.actions), [&](const std::string& n) { return builder_.action("a" + n); });
    fill(locks_, between(0, sizes.locks), [&](const std::string& n) { return builder_.lock("x" + n); });
    rules_ = between(6, sizes.rules);
    fill(groups_, sizes.groups, [&](const std::string& n) { return builder_.group("h" + n); });
  }

  Network network() {
    const Head start{controls_[0], stacks_[0]};
    builder_.initial(start);
    reached_.push_back(start);
    for (std::size_t i = 0; i < rules_; ++i) {
      const Head from = choose_(8) == 0 ? any_head() : any_of(reached_);
      builder_.add({from, any_of(actions_), effect()});
    }
    return std::move(builder_).build();
  }

 private:
  template <class T, class Make>
  static void fill(std::vector<T>& symbols, std::size_t count, Make make) {
    for (std::size_t i = 0; i < count; ++i) symbols.push_back(make(std::to_string(i)));
  }
  std::size_t between(std::size_t least, std::size_t most) {
    return most <= least ? most : least + choose_(most - least + 1);
  }
  template <class T>
  T any_of(const std::vector<T>& values) {
    return values[choose_(values.size())];
  }
  Head any_head() { return {any_of(controls_), any_of(stacks_)}; }
  // A place to go, which later rules may start from.
  Head target() {
    const Head head = any_head();
    reached_.push_back(head);
    return head;
  }

  Effect effect() {
    if (!groups_.empty() && choose_(6) == 0) {
      const Head to = target();
      if (choose_(4) == 0) return Forget{to, {any_of(groups_)}};
      return Join{to, some_groups()};
    }
    const std::size_t kind = choose_(10);
    if (kind < 2) return Base{target()};
    if (kind < 4) return Return{any_of(controls_)};
    if (kind < 6) {
      const Head parent = target();
      const Head child = target();
      return Spawn{parent, child, memberships()};
    }
    const Head callee = target();
    const StackSymbol return_point = target().top;
    if (kind < 7 || locks_.empty()) return Call{callee, return_point, opening()};
    return Monitor{callee, return_point, any_of(locks_), opening()};
  }

  std::vector<Membership> memberships() {
    std::vector<Membership> found;
    for (const Group group : groups_)
      if (choose_(3) > 0) found.push_back({group, choose_(3) == 0, choose_(3) == 0});
    return found;
  }
  std::vector<Group> some_groups() {
    std::vector<Group> found{any_of(groups_)};
    if (choose_(4) == 0) found.push_back(any_of(groups_));
    return found;
  }
  std::vector<Group> opening() { return !groups_.empty() && choose_(4) == 0 ? some_groups() : std::vector<Group>{}; }

  const Choose& choose_;
  NetworkBuilder builder_;
  std::vector<ControlState> controls_;
  std::vector<StackSymbol> stacks_;
  std::vector<Action> actions_;
  std::vector<Lock> locks_;
  std::vector<Group> groups_;
  std::vector<Head> reached_;
  std::size_t rules_;
};

std::vector<StackSymbol> set_by(const Choose& choose, const Network& network) {
  std::vector<StackSymbol> set;
  for (std::size_t i = 0; i <= choose(2); ++i) set.emplace_back(choose(network.stack_symbols().size()));
  return set;
}

// Draws from the random numbers.
auto by(Random& random) {
  return [&random](std::size_t bound) { return random.below(bound); };
}

}  // namespace

Network network_by(const Choose& choose, const RandomNetworkSizes& sizes) { return Generator{choose, sizes}.network(); }

Query query_by(const Choose& choose, const Network& network) {
  Query query;
  query.form = QueryForm::Iterate;
  if (choose(5) == 0) query.semantics = Semantics::LockInsensitive;
  const std::size_t steps = 1 + choose(3);
  for (std::size_t i = 0; i < steps; ++i) {
    QueryStep step;
    const std::size_t positions = 1 + choose(choose(2) == 0 ? 1 : 3);
    for (std::size_t j = 0; j < positions; ++j) step.positions.push_back(set_by(choose, network));
    if (choose(3) == 0) step.avoiding.emplace_back(choose(network.actions().size()));
    if (choose(3) == 0) step.requiring.emplace_back(choose(network.actions().size()));
    query.steps.push_back(std::move(step));
  }
  return query;
}

Network random_network(std::uint64_t seed, const RandomNetworkSizes& sizes) {
  Random random{seed};
  return network_by(by(random), sizes);
}

Query random_query(const Network& network, std::uint64_t seed) {
  Random random{seed ^ 0x51ED270B};
  return query_by(by(random), network);
}

}  // namespace lockwood::dpn
