#include "solver/analyses/location_paths.hpp"

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <cassert>
#include <unordered_map>
#include <utility>

#include "solver/engine/witness.hpp"

namespace lockwood::solver {

using dpn::StackSymbol;

namespace {

// Marks a fact as one about the thread that is looked for: no fact of the run is comparable with it.
constexpr std::uint64_t looked_for = std::uint64_t{1} << 32U;

// From each context to those that make use of its facts.
Digraph flow_of(const Engine& engine) {
  std::vector<Edge> edges;
  for (ContextId context : engine.contexts().keys())
    for (ContextId user : engine.users_of(context))
      edges.push_back({static_cast<std::uint32_t>(context.index()), static_cast<std::uint32_t>(user.index())});
  return Digraph{engine.contexts().size(), edges};
}

}  // namespace

LocationPaths::LocationPaths(const LocationQuestion& question, Engine& engine, StopToken stop)
    : engine_{engine},
      locks_{engine.domain()},
      stop_{stop},
      targets_{question.targets()},
      target_of_(question.network.actions().size(), 0),
      of_context_(engine.contexts().size()),
      frames_at_(question.network.stack_symbols().size()),
      waiting_(engine.contexts().size()),
      components_{strongly_connected_components(flow_of(engine))} {
  for (std::size_t i = 0; question.distinguished && i < targets_; ++i) target_of_[question.told()[i]] = i;
  for (ContextId id : engine.contexts().keys()) {
    const Context& context = engine.contexts()[id];
    if (context.phase == engine.last_phase() && !context.whole_thread) frames_at_[context.head.top].push_back(id);
  }
}

LocationPaths::Found LocationPaths::search(const TargetsOfSymbols& asked, std::size_t max_stages) {
  const std::vector<std::vector<StageId>> starts = starts_of(asked.symbols);
  std::priority_queue<Waiting<StageId>> pending;
  const auto wait = [&](StageId id) { pending.push({component(stages_[id].fact.context), age_++, id}); };
  for (const auto& of_symbol : starts) std::ranges::for_each(of_symbol, wait);
  bool complete = true;
  while (!pending.empty() && stages_.size() <= max_stages) {
    stop_.check();
    const StageId id = pending.top().what;
    pending.pop();
    if (replaceable(id)) {
      complete = false;
      continue;
    }
    const StageId first_new{stages_.size()};
    (void)following(id);
    for (StageId created = first_new; created.index() < stages_.size(); created = StageId{created.index() + 1})
      wait(created);
  }
  complete = complete && pending.empty();
  mark_leading();

  Found found;
  for (std::size_t i = 0; i < asked.symbols.size(); ++i) {
    Targets coming = 0;
    Targets open = 0;
    for (StageId start : starts[i]) coming |= marks(start).leading;
    const Targets left = complete || starts[i].empty() ? 0 : asked.targets[i] & ~coming;
    for (std::size_t number = 0; number < targets_; ++number) {
      if ((left & target(number)) == 0) continue;
      const std::optional<bool> comes = go_up(starts[i], target(number), max_stages);
      if (!comes) open |= target(number);
      if (comes.value_or(false)) coming |= target(number);
    }
    found.coming.add(asked.symbols[i], coming & asked.targets[i]);
    found.open.add(asked.symbols[i], open);
  }
  return found;
}

void LocationPaths::carry(const std::vector<StackSymbol>& symbols) {
  arrived_ = SymbolBits(symbols.size());
  for (Stage& stage : stages_) {
    stage.symbols = SymbolBits(symbols.size());
    stage.fresh = false;
  }
  const std::vector<std::vector<StageId>> starts = starts_of(symbols);
  for (std::size_t i = 0; i < symbols.size(); ++i)
    for (StageId start : starts[i]) {
      SymbolBits one(symbols.size());
      one.set(i);
      add(start, std::move(one));
    }
  while (!queue_.empty()) {
    const ContextId context = queue_.top().what;
    queue_.pop();
    waiting_[context] = false;
    pass_on(context);
  }
}

// Where a thread that is looked for is at each symbol.
std::vector<std::vector<LocationPaths::StageId>> LocationPaths::starts_of(const std::vector<StackSymbol>& symbols) {
  std::vector<std::vector<StageId>> starts(symbols.size());
  const Derivation leaf{Derivation::Step::Stand, {}, {}, {}};
  for (std::size_t i = 0; i < symbols.size(); ++i)
    for (ContextId id : frames_at_[symbols[i]])
      starts[i].push_back(stage_of({id, Outcome::standing(), {.collected = looked_for}, LockDomain::empty, 0, leaf}));
  return starts;
}

// A shortest one. A stage keeps the derivation by which it was first met, which need not be the step from the stage
// before: so the steps are derived once more.
LocationPaths::Way LocationPaths::way_up(StackSymbol symbol, Targets one) {
  std::unordered_map<std::size_t, std::optional<StageId>> before;  // where a stage was come to from, by its number
  std::vector<StageId> met;
  const auto meet = [&](StageId id, std::optional<StageId> from) {
    if ((marks(id).leading & one) != 0 && before.try_emplace(id.index(), from).second) met.push_back(id);
  };
  const std::vector<std::vector<StageId>> starts = starts_of({symbol});
  for (StageId start : starts.front()) meet(start, {});
  std::size_t next = 0;
  while (!accepting(stages_[met.at(next)].fact)) {
    const StageId id = met[next++];
    for (StageId each : following(id)) meet(each, id);
  }
  std::vector<StageId> stages;  // from the root down
  for (std::optional<StageId> each = met[next]; each; each = before.at(each->index())) stages.push_back(*each);
  std::ranges::reverse(stages);
  Way way{stages_[stages.front()].fact};
  for (std::size_t i = 1; i < stages.size(); ++i) {
    const std::vector<Fact> steps = engine_.consequences(stages_[stages[i - 1]].fact);
    const auto step = std::ranges::find_if(steps, [&](const Fact& fact) { return stage_of(fact) == stages[i]; });
    assert(step != steps.end());
    way.push_back(*step);
  }
  return way;
}

dpn::ExecutionTree LocationPaths::tree(StackSymbol symbol, Targets one, NodeBudget room) {
  const Way way = way_up(symbol, one);
  const FactId looked_for_fact{engine_.facts().size()};
  struct Wanted {
    FactId fact;
    std::size_t below;  // if it is about the thread that is looked for: the steps below it
  };
  struct Choice {
    Node node;
    boost::container::static_vector<Wanted, 2> children;
  };
  return derived_tree(engine_.grammar(), Wanted{looked_for_fact, way.size() - 1}, room, [&](const Wanted& wanted) {
    const Fact& fact = wanted.fact == looked_for_fact ? way[wanted.below] : engine_.facts()[wanted.fact];
    Choice choice{{fact.derivation.step, fact.context, fact.derivation.rule}, {}};
    for (const auto& child : {fact.derivation.left, fact.derivation.right}) {
      assert(child != looked_for_fact || (wanted.fact == looked_for_fact && wanted.below > 0));
      if (child) choice.children.push_back({*child, wanted.below - (*child == looked_for_fact ? 1 : 0)});
    }
    return choice;
  });
}

// The targets that a tree with this observation may be about.
Targets LocationPaths::targets_of(const Observation& observation) const {
  if (const auto told = engine_.algebra().told(observation)) return target(target_of_[*told]);
  return static_cast<Targets>(-1) >> (64 - targets_);
}

bool LocationPaths::accepting(const Fact& fact) const {
  return fact.context == engine_.root() && fact.observation.goals == engine_.algebra().all_goals();
}

LocationPaths::StageId LocationPaths::stage_of(const Fact& fact) {
  std::vector<Stages>& groups = of_context_[fact.context];
  auto group = std::ranges::find_if(
      groups, [&](const Stages& each) { return each.outcome == fact.outcome && each.observation == fact.observation; });
  if (group == groups.end()) group = groups.insert(group, Stages{fact.outcome, fact.observation, {}});
  const auto known = std::ranges::find(group->stages, fact.locks, &std::pair<StructureId, StageId>::first);
  if (known != group->stages.end()) return known->second;
  const StageId created = stages_.push_back({fact, SymbolBits(arrived_.size()), false, {}});
  group->stages.emplace_back(fact.locks, created);
  return created;
}

// Where a way leads on.
const std::vector<LocationPaths::StageId>& LocationPaths::following(StageId id) {
  if (!stages_[id].following) {
    std::vector<StageId> following;
    for (const Fact& fact : engine_.consequences(stages_[id].fact)) following.push_back(stage_of(fact));
    stages_[id].following = std::move(following);
  }
  return *stages_[id].following;
}

// The targets for which trees of these stages can stand for those of the fact, if they take no more locks: all of its
// targets, or that of the action which was done in them but not yet in those of the fact.
Targets LocationPaths::covered(const Stages& by, const Fact& fact) const {
  if (by.outcome != fact.outcome) return 0;
  if (dominates(by.observation, fact.observation)) return targets_of(fact.observation);
  const bool done_already = !engine_.algebra().told(fact.observation) && engine_.algebra().told(by.observation);
  return done_already && (fact.observation.goals & ~by.observation.goals) == 0 ? targets_of(by.observation) : 0;
}

bool LocationPaths::replaceable(StageId id) const {
  const Fact& fact = stages_[id].fact;
  Targets needed = targets_of(fact.observation);
  for (const Stages& by : of_context_[fact.context]) {
    const Targets some = covered(by, fact);
    if ((some & needed) == 0) continue;
    if (std::ranges::any_of(by.stages, [&](const auto& other) {
          return other.second != id && locks_.subsumes(other.first, fact.locks);
        }))
      needed &= ~some;
    if (needed == 0) return true;
  }
  return false;
}

LocationPaths::Marks& LocationPaths::marks(StageId id) {
  while (marks_.size() < stages_.size()) {
    const Fact& fact = stages_[StageId{marks_.size()}].fact;
    const Targets possible = targets_of(fact.observation);
    marks_.push_back({.leading = accepting(fact) ? possible : 0, .unsatisfiable = ~possible});
  }
  return marks_[id];
}

void LocationPaths::mark_leading() {
  std::vector<Edge> edges;
  std::vector<StageId> pending;
  for (StageId id : stages_.keys()) {
    if (marks(id).leading != 0) pending.push_back(id);
    if (stages_[id].following)
      for (StageId next : *stages_[id].following)
        edges.push_back({static_cast<std::uint32_t>(next.index()), static_cast<std::uint32_t>(id.index())});
  }
  const Digraph backward{stages_.size(), edges};
  while (!pending.empty()) {
    const StageId id = pending.back();
    pending.pop_back();
    for (std::uint32_t number : backward.successors(id.index())) {
      Targets& before = marks_[StageId{number}].leading;
      if ((marks_[id].leading & ~before) == 0) continue;
      before |= marks_[id].leading;
      pending.emplace_back(number);
    }
  }
}

// The more, the fewer locks the structure has.
std::uint32_t LocationPaths::few_first(StructureId id) const {
  std::size_t locks = 0;
  for (const auto& phase : locks_.structure(id).phases)
    locks += phase.held.size() + phase.acquired.size() + phase.used.size();
  return static_cast<std::uint32_t>(-1) - static_cast<std::uint32_t>(locks);
}

// Whether some way from there leads to the root; nothing if there were too many stages to tell.
std::optional<bool> LocationPaths::go_up(const std::vector<StageId>& starts, Targets one, std::size_t max_stages) {
  std::unordered_map<std::size_t, std::optional<StageId>> before;  // where a stage was come to from, by its number
  std::priority_queue<Waiting<StageId>> pending;
  const auto meet = [&](StageId id, std::optional<StageId> from) {
    if ((marks(id).unsatisfiable & one) != 0 || !before.try_emplace(id.index(), from).second) return;
    pending.push({few_first(stages_[id].fact.locks), age_++, id});
  };
  for (StageId start : starts) meet(start, {});
  while (!pending.empty()) {
    stop_.check();
    if (stages_.size() > max_stages) return std::nullopt;
    const StageId id = pending.top().what;
    pending.pop();
    const std::vector<StageId> next = following(id);
    if (std::ranges::any_of(next, [&](StageId each) { return (marks(each).leading & one) != 0; })) {
      for (std::optional<StageId> each = id; each; each = before.at(each->index())) marks(*each).leading |= one;
      return true;
    }
    for (StageId each : next) meet(each, id);
  }
  for (const auto& [number, from] : before) marks(StageId{number}).unsatisfiable |= one;
  return false;
}

void LocationPaths::pass_on(ContextId context) {
  stop_.check();
  std::vector<StageId> fresh;
  for (const Stages& group : of_context_[context])
    for (const auto& [locks, id] : group.stages)
      if (std::exchange(stages_[id].fresh, false)) fresh.push_back(id);
  for (StageId id : fresh)
    for (StageId next : following(id)) add(next, SymbolBits{stages_[id].symbols});
}

// Symbols that another stage of the same outcome has, at the cost of no more locks, need not go this way.
void LocationPaths::add(StageId id, SymbolBits symbols) {
  const Fact& fact = stages_[id].fact;
  for (const Stages& by : of_context_[fact.context]) {
    if (by.outcome != fact.outcome || !dominates(by.observation, fact.observation)) continue;
    for (const auto& [locks, other] : by.stages)
      if (locks_.subsumes(locks, fact.locks)) symbols -= stages_[other].symbols;
  }
  if (symbols.none()) return;
  stages_[id].symbols |= symbols;
  stages_[id].fresh = true;
  if (accepting(fact)) arrived_ |= symbols;
  if (waiting_[fact.context]) return;
  waiting_[fact.context] = true;
  queue_.push({component(fact.context), age_++, fact.context});
}

}  // namespace lockwood::solver
