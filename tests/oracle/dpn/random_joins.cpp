#include "tests/oracle/dpn/random_joins.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/semantics/small_step.hpp"

namespace lockwood::dpn {
namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomJoinsSizes& sizes) : random_{seed}, sizes_{sizes} {
    control_ = builder_.control("p");
    const std::size_t bodies = 2 + random_.below(sizes.bodies - 1);
    for (std::size_t i = 0; i < bodies; ++i) {
      begins_.push_back(builder_.stack("b" + std::to_string(i)));
      actions_.push_back(builder_.action("a" + std::to_string(i)));
    }
    const std::size_t locks = random_.percent(10) ? 0 : 1 + random_.below(sizes.locks);
    for (std::size_t i = 0; i < locks; ++i) locks_.push_back(builder_.lock("x" + std::to_string(i)));
    const std::size_t groups = 1 + random_.below(sizes.groups);
    for (std::size_t i = 0; i < groups; ++i) groups_.push_back(builder_.group("h" + std::to_string(i)));
    offspring_ = random_.percent(30);
    own_actions_ = random_.percent(60);
  }

  Network network() && {
    builder_.initial({control_, begins_[0]});
    for (body_ = 0; body_ < begins_.size(); ++body_) {
      const StackSymbol end = sequence(begins_[body_], 0, body_ == 0 ? 2 : 1);
      if (body_ > 0 || random_.percent(50)) add(end, Return{control_});
    }
    return std::move(builder_).build();
  }

 private:
  StackSymbol fresh() { return builder_.stack("s" + std::to_string(points_++)); }
  Head head(StackSymbol top) const { return {control_, top}; }
  // Actions tell bodies apart, or all rules.
  void add(StackSymbol from, Effect effect) {
    const Action action = own_actions_ ? builder_.action("r" + std::to_string(rules_++)) : actions_[body_];
    builder_.add({head(from), action, std::move(effect)});
  }
  template <class T>
  T any_of(const std::vector<T>& values) {
    return values[random_.below(values.size())];
  }
  std::vector<Group> some_groups() {
    std::vector<Group> some{any_of(groups_)};
    if (random_.percent(20)) some.push_back(any_of(groups_));
    return some;
  }
  // A body to call or start, if there is one.
  std::optional<StackSymbol> other_body() {
    if (sizes_.recursive && random_.percent(25)) return any_of(begins_);
    if (body_ + 1 == begins_.size()) return std::nullopt;
    return begins_[body_ + 1 + random_.below(begins_.size() - body_ - 1)];
  }
  std::vector<Membership> memberships() {
    std::vector<Membership> result;
    for (Group group : groups_)
      if (random_.percent(70)) result.push_back({group, offspring_ && random_.percent(60), random_.percent(35)});
    return result;
  }

  // Writes items from there on; where they end.
  StackSymbol sequence(StackSymbol from, std::size_t depth, std::size_t least) {
    const std::size_t items = least + random_.below(sizes_.items);
    for (std::size_t i = 0; i < items; ++i) from = item(from, depth);
    return from;
  }

  StackSymbol item(StackSymbol from, std::size_t depth) {
    const StackSymbol next = fresh();
    if (!locks_.empty() && depth < 2 && random_.percent(sizes_.held_joins)) return held_join(from, next, depth);
    const std::size_t kind = random_.below(100);
    const auto other = other_body();
    if (kind < 36 && !locks_.empty() && depth < 3) {
      const StackSymbol body = fresh();
      const bool opens = random_.percent(8);
      add(from, Monitor{head(body), next, any_of(locks_), opens ? some_groups() : std::vector<Group>{}});
      add(sequence(body, depth + 1, 0), Return{control_});
    } else if (kind < 62 && other) {
      add(from, Spawn{head(next), head(*other), memberships()});
    } else if (kind < 80) {
      add(from, Join{head(next), some_groups()});
    } else if (kind < 83) {
      add(from, Forget{head(next), some_groups()});
    } else if (kind < 92 && other) {
      add(from, Call{head(*other), next, random_.percent(50) ? some_groups() : std::vector<Group>{}});
    } else if (kind < 96) {
      add(from, Base{head(next)});
      add(from, Base{head(item(from, depth))});  // a branch that goes on elsewhere
    } else {
      add(from, Base{head(next)});
    }
    return next;
  }

  // x { …; start of a thread; …; join of it; … }, where the thread mostly takes x.
  StackSymbol held_join(StackSymbol from, StackSymbol next, std::size_t depth) {
    const StackSymbol body = fresh();
    const StackSymbol child = fresh();
    const StackSymbol started = fresh();
    const StackSymbol joined = fresh();
    const Lock lock = any_of(locks_);
    const Group group = any_of(groups_);
    add(from, Monitor{head(body), next, lock, {}});
    const bool member = random_.percent(90);
    add(random_.percent(30) ? item(body, depth + 1) : body,
        Spawn{head(started), head(child),
              member ? std::vector<Membership>{{group, false, random_.percent(30)}} : std::vector<Membership>{}});
    add(random_.percent(20) ? item(started, depth + 1) : started, Join{head(joined), {group}});
    add(joined, Return{control_});
    const StackSymbol inside = fresh();
    const StackSymbol end = fresh();
    const StackSymbol before = random_.percent(30) ? item(child, depth + 1) : child;
    add(before, Monitor{head(inside), end, random_.percent(75) ? lock : any_of(locks_), {}});
    add(inside, Return{control_});
    add(end, Return{control_});
    return next;
  }

  Random random_;
  RandomJoinsSizes sizes_;
  NetworkBuilder builder_;
  ControlState control_{0};
  std::vector<StackSymbol> begins_;  // of bodies
  std::vector<Action> actions_;      // of bodies
  std::vector<Lock> locks_;
  std::vector<Group> groups_;
  bool offspring_ = false;
  bool own_actions_ = false;
  std::size_t rules_ = 0;
  std::size_t body_ = 0;
  std::size_t points_ = 0;
};

// The same network with joins that do not wait.
Network hasty(const Network& network) {
  std::set<Rule> different;
  IdVector<RuleId, Rule> steps;
  for (Rule rule : network.rules()) {
    if (const auto to = step_of(rule)) rule.effect = Base{*to};
    if (different.insert(rule).second) steps.push_back(rule);
  }
  return network.with_rules(std::move(steps));
}

}  // namespace

Network random_joins(std::uint64_t seed, const RandomJoinsSizes& sizes) { return Generator{seed, sizes}.network(); }

Query random_joins_query(const Network& network, std::uint64_t seed) {
  Random random{seed ^ 0x3C6EF372};
  const Network walked = random.percent(70) ? hasty(network) : network;
  const Semantics semantics = random.percent(80) ? Semantics::LockInsensitive : Semantics::LockSensitive;
  Query query;
  query.form = QueryForm::Iterate;
  if (random.percent(5)) query.semantics = Semantics::LockInsensitive;
  Configuration configuration = initial_configuration(walked);
  const std::size_t steps = 1 + random.below(3);
  for (std::size_t i = 0; i < steps; ++i) {
    IdVector<Action, bool> used(network.actions().size(), false);
    for (std::size_t moves = 1 + random.below(9); moves > 0; --moves) {
      const std::vector<Move> enabled = enabled_moves(walked, configuration, semantics);
      if (enabled.empty()) break;
      const Move move = enabled[random.below(enabled.size())];
      used[walked.rule(move.rule).action] = true;
      apply(walked, configuration, move);
    }
    QueryStep step;
    for (const Thread& thread : configuration.threads)
      if (!thread.ended() && step.positions.size() < 3 && random.percent(50))
        step.positions.push_back({thread.head().top});
    if (step.positions.empty()) step.positions.push_back({StackSymbol{random.below(network.stack_symbols().size())}});
    const std::size_t avoided = random.percent(70) ? 100 : 40;  // in a hundred actions that were not used
    for (Action action : network.actions().keys())
      if (!used[action] && random.percent(avoided)) step.avoiding.push_back(action);
    query.steps.push_back(std::move(step));
  }
  return query;
}

Query behind_join_query(const Network& network, std::uint64_t seed) {
  Random random{seed ^ 0x51ED2701};
  std::vector<RuleId> joins;
  for (RuleId rule : network.rules().keys())
    if (network.rule(rule).kind() == RuleKind::Join) joins.push_back(rule);
  if (joins.empty()) return random_joins_query(network, seed);
  const Rule& rule = network.rule(joins[random.below(joins.size())]);
  const auto& join = std::get<Join>(rule.effect);
  // Some steps behind the start of a member, or before the join.
  StackSymbol earlier = rule.from.top;
  if (random.percent(90))
    for (const Rule& other : network.rules())
      if (const auto* spawn = std::get_if<Spawn>(&other.effect))
        for (const Membership& membership : spawn->memberships)
          if (membership.group == join.groups.front() && random.percent(60)) earlier = spawn->child.top;
  for (std::size_t steps = random.below(3); steps > 0; --steps) {
    const auto rules = network.rules_at(earlier);
    if (rules.empty()) break;
    const Rule& next = network.rule(rules[random.below(rules.size())]);
    if (const auto to = step_of(next)) earlier = to->top;
    if (const auto entry = entry_of(next)) earlier = entry->callee.top;
    if (const auto* spawn = std::get_if<Spawn>(&next.effect)) earlier = spawn->parent.top;
  }
  const auto step = [](StackSymbol top) { return QueryStep{.positions = {{top}}, .avoiding = {}, .requiring = {}}; };
  Query query{.form = QueryForm::Iterate, .steps = {}, .expected = {}, .at = {}};
  if (random.percent(45)) query.steps.push_back(step(earlier));
  query.steps.push_back(step(join.to.top));
  if (query.steps.size() == 1 && random.percent(75)) query.steps.back().positions.push_back({earlier});
  if (query.steps.size() > 1 && random.percent(70))
    for (Action action : network.actions().keys())
      if (action != rule.action && random.percent(70)) query.steps.back().avoiding.push_back(action);
  return query;
}

}  // namespace lockwood::dpn
