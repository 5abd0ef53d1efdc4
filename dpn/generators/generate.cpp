#include "dpn/generators/generate.hpp"

#include <algorithm>
#include <array>

#include "base/ids/random.hpp"
#include "base/text/suggestion.hpp"
#include "dpn/formats/symbol_order.hpp"
#include "dpn/generators/generate_application.hpp"
#include "dpn/generators/generate_joins.hpp"
#include "dpn/generators/generate_mutual.hpp"
#include "dpn/generators/generate_program.hpp"
#include "dpn/generators/join_program.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/generators/random_query.hpp"
#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {
namespace {

// The values of all parameters of a family, and who may stop it.
class Values {
 public:
  Values(const Family& family, std::span<const ParameterValue> given, StopToken stop) : family_{family}, stop_{stop} {
    for (const Parameter& parameter : family.parameters) values_.push_back(parameter.initial);
    std::vector<bool> seen(values_.size());
    for (const auto& [name, value] : given) {
      const auto found = std::ranges::find(family.parameters, name, &Parameter::name);
      if (found == family.parameters.end()) refuse("unknown parameter '" + name + "'", hint_for(name));
      const auto index = static_cast<std::size_t>(found - family.parameters.begin());
      if (seen[index]) refuse("parameter '" + name + "' is given twice");
      if (value < found->minimum || value > found->maximum)
        refuse("parameter '" + name + "' is between " + std::to_string(found->minimum) + " and " +
               std::to_string(found->maximum) + ", not " + std::to_string(value));
      seen[index] = true;
      values_[index] = value;
    }
  }

  [[nodiscard]] std::size_t operator[](std::string_view name) const {
    const auto found = std::ranges::find(family_.parameters, name, &Parameter::name);
    return static_cast<std::size_t>(values_[static_cast<std::size_t>(found - family_.parameters.begin())]);
  }

  [[nodiscard]] StopToken stop() const { return stop_; }

  [[noreturn]] void refuse(std::string message, std::string hint = {}) const {
    throw InputError{{Diagnostic{.message = std::string{family_.name} + ": " + message, .hint = std::move(hint)}}};
  }

 private:
  [[nodiscard]] std::string hint_for(std::string_view name) const {
    std::vector<std::string_view> names;
    for (const Parameter& parameter : family_.parameters) names.push_back(parameter.name);
    return suggestion_hint(name, names);
  }

  const Family& family_;
  StopToken stop_;
  std::vector<std::int64_t> values_;
};

// Builds a model without control states from names.
class Sketch {
 public:
  explicit Sketch(StopToken stop) : stop_{stop} { builder_.listen_to(stop); }

  [[nodiscard]] StackSymbol at(std::string_view name) { return builder_.stack(name); }
  void initial(std::string_view name) { builder_.initial(head(name)); }
  void label(std::string_view name, std::string text) { builder_.label(at(name), std::move(text)); }
  void step(std::string_view from, std::string_view action, std::string_view to) { add(from, action, Base{head(to)}); }
  void leave(std::string_view from, std::string_view action) { add(from, action, Return{control_}); }
  void call(std::string_view from, std::string_view action, std::string_view callee, std::string_view back) {
    add(from, action, Call{head(callee), at(back)});
  }
  void sync(std::string_view from, std::string_view action, std::string_view lock, std::string_view body,
            std::string_view back) {
    add(from, action, Monitor{head(body), at(back), builder_.lock(lock)});
  }
  void spawn(std::string_view from, std::string_view action, std::string_view to, std::string_view child) {
    add(from, action, Spawn{head(to), head(child)});
  }

  using Set = std::vector<std::string>;
  using Step = std::vector<Set>;
  // Can threads of their own stand in the sets of each step, one step after the other?
  void ask(const std::vector<Step>& steps, std::optional<Verdict> expected,
           Semantics semantics = Semantics::LockSensitive) {
    Query query{.semantics = semantics, .expected = expected};
    for (const Step& sets : steps) {
      QueryStep step;
      for (const Set& set : sets) {
        std::vector<StackSymbol> symbols;
        for (const std::string& name : set) symbols.push_back(at(name));
        step.positions.push_back(std::move(symbols));
      }
      query.steps.push_back(std::move(step));
    }
    const std::size_t sets = query.steps.size() == 1 ? query.steps[0].positions.size() : 0;
    query.form = sets == 1 ? QueryForm::Reach : sets == 2 ? QueryForm::Conflict : QueryForm::Iterate;
    queries_.push_back(std::move(query));
  }
  void reach(const std::string& name) { ask({{{name}}}, Verdict::Reachable); }

  [[nodiscard]] ModelFile model() {
    return in_order_of_appearance({std::move(builder_).build(), std::move(queries_), {}}, stop_);
  }

 private:
  [[nodiscard]] Head head(std::string_view name) { return {control_, at(name)}; }
  void add(std::string_view from, std::string_view action, const Effect& effect) {
    builder_.add({head(from), builder_.action(action), effect});
  }

  StopToken stop_;
  NetworkBuilder builder_;
  ControlState control_ = builder_.control("0");
  std::vector<Query> queries_;
};

std::string numbered(std::string_view name, std::size_t number) { return std::string{name} + std::to_string(number); }
Verdict reachable_if(bool condition) { return condition ? Verdict::Reachable : Verdict::Unreachable; }

// n philosophers around a table with n forks; each takes the fork to the left, then that to the right, eats, and puts
// both back. Ordered: the last one begins with the other fork, and there is no deadlock.
ModelFile philosophers(const Values& values) {
  const std::size_t n = values["n"];
  const bool ordered = values["ordered"] != 0;
  Sketch sketch{values.stop()};
  sketch.initial("start1");
  for (std::size_t i = 1; i <= n; ++i) {
    sketch.spawn(numbered("start", i), "start", numbered("start", i + 1), numbered("think", i));
    sketch.label(numbered("start", i), numbered("start philosopher ", i));
  }
  sketch.label(numbered("start", n + 1), "all have started");
  Sketch::Step all_first;
  Sketch::Set eating;
  for (std::size_t i = 1; i <= n; ++i) {
    const std::string think = numbered("think", i);
    const std::string first = numbered("first", i);
    const std::string eat = numbered("eat", i);
    const std::string back = numbered("back", i);
    const bool swapped = ordered && i == n;
    const std::string left = numbered("fork", i);
    const std::string right = numbered("fork", i % n + 1);
    sketch.sync(think, "take", swapped ? right : left, first, think);
    sketch.sync(first, "take", swapped ? left : right, eat, back);
    sketch.leave(eat, "put");
    sketch.leave(back, "put");
    all_first.push_back({first});
    eating.push_back(eat);
    sketch.label(think, numbered("philosopher ", i) + " thinks");
    sketch.label(first, numbered("philosopher ", i) + " has one fork");
    sketch.label(eat, numbered("philosopher ", i) + " eats");
    sketch.label(back, numbered("philosopher ", i) + " has put one fork back");
  }
  sketch.reach(eating.back());
  // All have their first fork: the deadlock, in which nobody ever eats.
  sketch.ask({all_first}, reachable_if(!ordered));
  sketch.ask({all_first}, Verdict::Reachable, Semantics::LockInsensitive);
  sketch.ask({all_first, {eating}}, Verdict::Unreachable);
  // All have their first fork and the first one has both.
  Sketch::Step first_eats = all_first;
  first_eats[0] = {eating[0]};
  sketch.ask({first_eats}, Verdict::Unreachable);
  // All but the last one have their first fork, and then the one before it eats.
  Sketch::Step all_but_last{all_first.begin(), all_first.end() - 1};
  sketch.ask({all_but_last, {{eating[n - 2]}}}, Verdict::Reachable);
  // Neighbours do not eat at the same time, others may.
  sketch.ask({{{eating[0]}, {eating[1]}}}, Verdict::Unreachable);
  sketch.ask({{{eating[0]}, {eating[1]}}}, Verdict::Reachable, Semantics::LockInsensitive);
  if (n >= 4) sketch.ask({{{eating[0]}, {eating[2]}}}, Verdict::Reachable);
  return sketch.model();
}

// n threads and n locks in a ring: thread i takes the locks i, i + 1, … one inside the other, once.
ModelFile cycle_of_locks(const Values& values) {
  const std::size_t n = values["n"];
  const std::size_t depth = values["depth"];
  Sketch sketch{values.stop()};
  sketch.initial("start1");
  for (std::size_t i = 1; i <= n; ++i)
    sketch.spawn(numbered("start", i), "start", numbered("start", i + 1), "t" + std::to_string(i) + "_0");
  Sketch::Step all_first;
  Sketch::Set second;
  for (std::size_t i = 1; i <= n; ++i) {
    const std::string thread = "t" + std::to_string(i);
    for (std::size_t taken = 0; taken < depth; ++taken)
      sketch.sync(thread + '_' + std::to_string(taken), "take", numbered("lock", (i - 1 + taken) % n + 1),
                  thread + '_' + std::to_string(taken + 1), thread + "_back" + std::to_string(taken));
    sketch.leave(thread + '_' + std::to_string(depth), "release");
    for (std::size_t left = depth - 1; left > 0; --left)
      sketch.leave(thread + "_back" + std::to_string(left), "release");
    all_first.push_back({thread + "_1"});
    second.push_back(thread + "_2");
  }
  sketch.reach("t1_back0");
  sketch.ask({all_first}, Verdict::Reachable);
  sketch.ask({all_first, {second}}, Verdict::Unreachable);
  sketch.ask({{{"t1_2"}, {"t2_1"}}}, Verdict::Unreachable);
  sketch.ask({{{"t1_2"}, {"t2_1"}}}, Verdict::Reachable, Semantics::LockInsensitive);
  sketch.ask({{{"t1_back0"}, {"t2_back0"}}}, Verdict::Reachable);
  return sketch.model();
}

// A pool of workers: each takes a job from a queue that is guarded by a lock, and then works with one of the resources,
// each of which has its own lock. Without a number of workers, main starts them for ever.
ModelFile workers(const Values& values) {
  const std::size_t count = values["workers"];
  const std::size_t resources = values["locks"];
  const std::size_t steps = values["steps"];
  Sketch sketch{values.stop()};
  sketch.initial("start1");
  if (count == 0) sketch.spawn("start1", "start", "start1", "idle");
  for (std::size_t i = 1; i <= count; ++i)
    sketch.spawn(numbered("start", i), "start", numbered("start", i + 1), "idle");
  sketch.sync("idle", "get", "queue", "pick", "ready");
  sketch.leave("pick", "picked");
  const auto work = [](std::size_t resource, std::size_t step) {
    return "work" + std::to_string(resource) + '_' + std::to_string(step);
  };
  for (std::size_t i = 1; i <= resources; ++i) {
    sketch.sync("ready", numbered("use", i), numbered("resource", i), work(i, 1), "idle");
    for (std::size_t j = 1; j < steps; ++j) sketch.step(work(i, j), "work", work(i, j + 1));
    sketch.leave(work(i, steps), "done");
  }
  const Verdict if_two = reachable_if(count != 1);
  sketch.reach(work(resources, steps));
  sketch.ask({{{"pick"}, {"pick"}}}, Verdict::Unreachable);
  sketch.ask({{{"pick"}, {"pick"}}}, if_two, Semantics::LockInsensitive);
  sketch.ask({{{"pick"}, {work(1, 1)}}}, if_two);
  sketch.ask({{{work(1, 1)}, {work(1, steps)}}}, Verdict::Unreachable);
  if (resources > 1) sketch.ask({{{work(1, 1)}, {work(2, 1)}}}, if_two);
  return sketch.model();
}

// Two threads go down the same chain of n calls; the last procedure takes a lock.
ModelFile chain(const Values& values) {
  const std::size_t n = values["n"];
  Sketch sketch{values.stop()};
  sketch.initial("main1");
  sketch.spawn("main1", "start", "main2", "thread1");
  sketch.call("main2", "call", "call1", "main3");
  sketch.call("thread1", "call", "call1", "thread2");
  for (std::size_t i = 1; i <= n; ++i) {
    if (i < n) sketch.call(numbered("call", i), "call", numbered("call", i + 1), numbered("back", i));
    if (i == n) sketch.sync(numbered("call", i), "sync", "lock", "inside", numbered("back", i));
    sketch.leave(numbered("back", i), "return");
  }
  sketch.leave("inside", "leave");
  sketch.reach("inside");
  sketch.ask({{{"inside"}, {"inside"}}}, Verdict::Unreachable);
  sketch.ask({{{"inside"}, {"inside"}}}, Verdict::Reachable, Semantics::LockInsensitive);
  sketch.ask({{{"inside"}, {numbered("back", n)}}}, Verdict::Reachable);
  sketch.ask({{{"main3"}, {"thread2"}}}, Verdict::Reachable);
  sketch.ask({{{"inside"}}, {{"call1"}, {"thread2"}}}, Verdict::Reachable);
  return sketch.model();
}

// n procedures in a circle, each of which calls the next one or not, with or without its lock, in two threads.
ModelFile recursive(const Values& values) {
  const std::size_t n = values["n"];
  const std::size_t locks = values["locks"];
  Sketch sketch{values.stop()};
  sketch.initial("main1");
  sketch.spawn("main1", "start", "main2", "thread1");
  sketch.call("main2", "call", "f1", "main3");
  sketch.call("thread1", "call", "f1", "thread2");
  for (std::size_t i = 1; i <= n; ++i) {
    const std::string f = numbered("f", i);
    const std::string next = numbered("f", i % n + 1);
    const std::string end = numbered("end", i);
    const std::string inside = numbered("inside", i);
    sketch.call(f, "recurse", next, end);
    sketch.sync(f, "sync", numbered("lock", (i - 1) % locks + 1), inside, end);
    sketch.step(f, "stop", end);
    sketch.leave(end, "return");
    sketch.call(inside, "recurse", next, numbered("out", i));
    sketch.step(inside, "stop", numbered("out", i));
    sketch.leave(numbered("out", i), "leave");
  }
  sketch.reach("main3");
  sketch.ask({{{"inside1"}, {"inside1"}}}, Verdict::Unreachable);
  sketch.ask({{{"inside1"}, {"inside1"}}}, Verdict::Reachable, Semantics::LockInsensitive);
  if (n > locks) sketch.ask({{{"inside1"}, {numbered("inside", locks + 1)}}}, Verdict::Unreachable);
  if (n > 1 && locks > 1) sketch.ask({{{"inside1"}, {"inside2"}}}, Verdict::Reachable);
  sketch.ask({{{"out1"}}, {{"main3"}, {"thread2"}}}, Verdict::Reachable);
  return sketch.model();
}

ModelFile program(const Values& values) {
  const ProgramShape shape{.procedures = values["procedures"],
                           .rules = values["rules"],
                           .locks = values["locks"],
                           .nesting = values["nesting"],
                           .spawns = values["spawns"],
                           .variables = values["variables"],
                           .seed = values["seed"]};
  if (shape.rules < 8 * shape.procedures) values.refuse("there must be at least 8 rules for each procedure");
  if (shape.spawns > shape.rules / 8) values.refuse("there must be at least 8 rules for each spawn");
  return generate_program(shape, values.stop());
}

ModelFile application(const Values& values) {
  const ApplicationShape shape{.rules = values["rules"],
                               .locks = values["locks"],
                               .depth = values["depth"],
                               .threads = values["threads"],
                               .variables = values["variables"],
                               .seed = values["seed"]};
  if (shape.rules < least_rules(shape))
    values.refuse("for these locks and threads there must be at least " + std::to_string(least_rules(shape)) +
                  " rules");
  return generate_application(shape, values.stop());
}

ModelFile mutual(const Values& values) {
  return generate_mutual({.locks = values["locks"],
                          .procedures = values["procedures"],
                          .calls = values["calls"],
                          .threads = values["threads"],
                          .seed = values["seed"]},
                         values.stop());
}

// Rules of all kinds between any heads: small models with many ways to go, for comparisons of implementations.
ModelFile random_small(const Values& values) {
  Random random{values["seed"]};
  NetworkBuilder builder;
  builder.listen_to(values.stop());
  const auto control = [&] { return builder.control(numbered("p", random.below(values["controls"]))); };
  const auto stack = [&] { return builder.stack(numbered("g", random.below(values["stacks"]))); };
  const auto head = [&] {
    const ControlState at = control();
    return Head{at, stack()};
  };
  const std::size_t locks = values["locks"];
  const auto lock = [&] { return builder.lock(numbered("x", random.below(locks))); };
  builder.initial({builder.control("p0"), builder.stack("g0")});
  for (std::size_t i = 0; i < values["rules"]; ++i) {
    // The first rule leaves the initial configuration, so that something happens.
    const Head from = i == 0 ? Head{builder.control("p0"), builder.stack("g0")} : head();
    const Action action = builder.action(numbered("a", random.below(values["actions"])));
    const std::size_t kind = random.below(100);
    if (kind < 25) {
      builder.add({from, action, Base{head()}});
    } else if (kind < 40) {
      const Head callee = head();
      builder.add({from, action, Call{callee, stack()}});
    } else if (kind < 60) {
      builder.add({from, action, Return{control()}});
    } else if (kind < 75 || locks == 0) {
      const Head parent = head();
      builder.add({from, action, Spawn{parent, head()}});
    } else {
      const Lock taken = lock();
      const Head callee = head();
      builder.add({from, action, Monitor{callee, stack(), taken}});
    }
  }
  ModelFile model{std::move(builder).build(), {}, {}};
  for (std::size_t i = 0; i < values["queries"]; ++i)
    model.queries.push_back(random_query(model.network, {}, random.next()));
  return in_order_of_appearance(model, values.stop());
}

ModelFile lock_programs(const Values& values) {
  const std::size_t seed = values["seed"];
  ModelFile model{lock_program(seed, {.threads = values["threads"],
                                      .locks = values["locks"],
                                      .statements = values["statements"],
                                      .nesting = values["nesting"]}),
                  {},
                  {}};
  Random random{seed};
  for (std::size_t i = 0; i < values["queries"]; ++i) model.queries.push_back(lock_query(model.network, random.next()));
  return in_order_of_appearance(model, values.stop());
}

// A thread holds `guard` and uses, in turn, one lock of each of n pairs: 2ⁿ sets of locks, of which none contains
// another. Another thread takes all locks of the pairs for good, and then uses `guard`. Both can come to stand where
// they hold their locks: the choosing thread goes first. When the other one has used `guard`, it is too late for that:
// some lock that was to be used after `guard` was taken was taken before.
ModelFile choices(const Values& values) {
  const std::size_t n = values["n"];
  Sketch sketch{values.stop()};
  sketch.initial("main1");
  sketch.spawn("main1", "start", "main2", "hold0");
  sketch.sync("main2", "take", "guard", "choice1", "main3");
  for (std::size_t i = 1; i <= n; ++i)
    for (const std::string_view lock : {"a", "b"}) {
      const std::string inside = numbered(lock, i) + "_used";
      sketch.sync(numbered("choice", i), "use", numbered(lock, i), inside, numbered("choice", i + 1));
      sketch.leave(inside, "release");
      const std::size_t taken = 2 * i - (lock == "a" ? 1 : 0);
      sketch.sync(numbered("hold", taken - 1), "take", numbered(lock, i), numbered("hold", taken), "back");
    }
  const std::string chosen = numbered("choice", n + 1);
  const std::string holding = numbered("hold", 2 * n);
  sketch.leave("back", "release");
  sketch.sync(holding, "use", "guard", "guarded", "end");
  sketch.leave("guarded", "release");
  sketch.ask({{{chosen}, {holding}}}, Verdict::Reachable);
  sketch.ask({{{chosen}, {"end"}}}, Verdict::Unreachable);
  sketch.ask({{{chosen}, {"end"}}}, Verdict::Reachable, Semantics::LockInsensitive);
  return sketch.model();
}

ModelFile fork_join(const Values& values) {
  return generate_fork_join(values["threads"], values["locks"], values.stop());
}
ModelFile join_pool(const Values& values) {
  return generate_join_pool(values["workers"], values["locks"], values.stop());
}
ModelFile pipeline(const Values& values) { return generate_pipeline(values["stages"], values["locks"], values.stop()); }
ModelFile nested_finish(const Values& values) {
  return generate_nested_finish(values["levels"], values["locks"], values.stop());
}

// Queries are unreachable because of locks, of joins, or of both.
ModelFile join_programs(const Values& values) {
  const std::uint64_t seed = values["seed"];
  const Network network = join_program(seed, {.threads = values["threads"],
                                              .locks = values["locks"],
                                              .groups = values["groups"],
                                              .statements = values["statements"],
                                              .nesting = values["nesting"],
                                              .recursion = values["recursion"] != 0});
  std::vector<Query> queries;
  for (std::size_t i = 0; i < values["queries"]; ++i) queries.push_back(join_query(network, 1000 * seed + i));
  return in_order_of_appearance({network, std::move(queries), {}}, values.stop());
}

using Maker = ModelFile (*)(const Values&);

constexpr std::int64_t many = 10'000'000;
constexpr std::int64_t any_seed = INT64_MAX;

struct Generator {
  Family family;
  Maker make;
};

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all{
      {{"philosophers",
        "dining philosophers: a ring of threads, each of which takes two of the forks between them",
        {{"n", "philosophers", 5, 2, 1'000'000}, {"ordered", "1: all take the forks in the same order", 0, 0, 1}}},
       philosophers},
      {{"ring",
        "a ring of locks: thread i takes the locks i, i + 1, … one inside the other",
        {{"n", "threads and locks", 5, 2, 100'000}, {"depth", "locks that each thread takes", 2, 2, 1000}}},
       cycle_of_locks},
      {{"workers",
        "a pool of workers that take jobs from a guarded queue and use guarded resources",
        {{"workers", "workers; 0: without bound", 0, 0, 1'000'000},
         {"locks", "resources", 4, 1, 100'000},
         {"steps", "positions inside of a resource", 2, 1, 1000}}},
       workers},
      {{"chain", "a deep chain of calls in two threads, with a lock at its end", {{"n", "calls", 100, 1, many}}},
       chain},
      {{"recursive",
        "procedures that call each other in a circle, with and without locks, in two threads",
        {{"n", "procedures", 3, 1, 1'000'000}, {"locks", "locks", 2, 1, 100'000}}},
       recursive},
      {{"program",
        "a random model like a program: procedures of steps, branches, loops, calls, monitors and spawns",
        {{"procedures", "procedures", 20, 1, 1'000'000},
         {"rules", "rules", 1000, 8, many},
         {"locks", "locks", 4, 0, 100'000},
         {"nesting", "nesting of branches, loops and monitors", 3, 0, 50},
         {"spawns", "places where a thread is started", 5, 0, 1'000'000},
         {"variables", "shared variables, for questions about races", 4, 0, 1000},
         {"seed", "seed", 1, 0, any_seed}}},
       program},
      {{"application",
        "a random model like a large application: small procedures, few of them with nested monitors, few threads",
        {{"rules", "rules", 1000, 100, many},
         {"locks", "locks", 4, 0, 100'000},
         {"depth", "monitors inside each other", 2, 1, 100},
         {"threads", "threads that main starts", 4, 0, 1000},
         {"variables", "shared variables without a guard", 4, 0, 1000},
         {"seed", "seed", 1, 0, any_seed}}},
       application},
      {{"mutual",
        "procedures that call each other at random inside of nested monitors: many sets of held locks, few that matter",
        {{"locks", "locks", 16, 2, 10'000},
         {"procedures", "procedures for each lock", 2, 1, 1000},
         {"calls", "calls in each procedure", 3, 0, 1000},
         {"threads", "threads that main starts", 2, 2, 1000},
         {"seed", "seed", 1, 0, any_seed}}},
       mutual},
      {{"choices",
        "a thread that chooses between two locks, over and over, and threads that hold these locks",
        {{"n", "choices", 8, 1, 10'000}}},
       choices},
      {{"random-small",
        "rules of all kinds between any heads, with several control states, for comparing implementations",
        {{"rules", "rules (equal ones count once)", 12, 1, 1'000'000},
         {"controls", "control states", 2, 1, 1000},
         {"stacks", "stack symbols", 5, 1, 1'000'000},
         {"locks", "locks", 2, 0, 1000},
         {"actions", "actions", 3, 1, 1000},
         {"queries", "random queries", 3, 0, 1000},
         {"seed", "seed", 1, 0, any_seed}}},
       random_small},
      {{"lock-programs",
        "small structured programs whose threads quarrel over locks, for comparing implementations",
        {{"threads", "threads that main starts, and main, at most", 3, 1, 1000},
         {"locks", "locks, at most", 3, 1, 1000},
         {"statements", "statements in a block, at most", 3, 1, 1000},
         {"nesting", "nesting of blocks, at most", 3, 0, 50},
         {"queries", "queries along random executions that ignore locks", 3, 0, 1000},
         {"seed", "seed", 1, 0, any_seed}}},
       lock_programs},
      {{"fork-join",
        "a binary tree of threads: each starts two others, works in a monitor, and joins both",
        {{"threads", "threads", 7, 1, 1'000'000}, {"locks", "locks", 2, 1, 100'000}}},
       fork_join},
      {{"join-pool",
        "workers that are started, joined all together, and started again",
        {{"workers", "workers", 3, 1, 1'000'000}, {"locks", "locks", 2, 1, 100'000}}},
       join_pool},
      {{"pipeline",
        "a chain of threads: each starts the next one, works in a monitor, and joins it",
        {{"stages", "stages", 4, 1, 1'000'000}, {"locks", "locks", 2, 1, 100'000}}},
       pipeline},
      {{"nested-finish",
        "procedures in nested finish blocks, which wait for all threads started inside, at any depth",
        {{"levels", "levels", 2, 1, 1'000'000}, {"locks", "locks", 2, 1, 100'000}}},
       nested_finish},
      {{"join-programs",
        "small structured programs whose threads start and join threads, for comparing implementations",
        {{"threads", "lines that threads run, at most", 4, 2, 1000},
         {"locks", "locks, at most", 2, 1, 1000},
         {"groups", "groups, at most", 2, 1, 1000},
         {"statements", "statements in a block, at most", 3, 1, 1000},
         {"nesting", "nesting of blocks, at most", 2, 0, 50},
         {"recursion", "1: a procedure calls itself", 0, 0, 1},
         {"queries", "queries along random executions that ignore locks, and mostly joins, too", 3, 0, 1000},
         {"seed", "seed", 1, 0, any_seed}}},
       join_programs}};
  return all;
}

}  // namespace

std::span<const Family> families() {
  static const std::vector<Family> all = [] {
    std::vector<Family> list;
    for (const Generator& generator : generators()) list.push_back(generator.family);
    return list;
  }();
  return all;
}

const Family& family_named(std::string_view name) {
  Suggestion suggestion{name};
  for (const Family& family : families()) {
    if (family.name == name) return family;
    suggestion.consider(family.name);
  }
  throw InputError{
      {Diagnostic{.message = "unknown family of models '" + std::string{name} + "'", .hint = suggestion.hint()}}};
}

ModelFile generate(const Family& family, std::span<const ParameterValue> values, StopToken stop) {
  const auto found = std::ranges::find(generators(), family.name, [](const Generator& g) { return g.family.name; });
  return found->make(Values{found->family, values, stop});
}

}  // namespace lockwood::dpn
