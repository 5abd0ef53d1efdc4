#include "dpn/generators/generate_joins.hpp"

#include <string>
#include <utility>
#include <vector>

#include "dpn/formats/symbol_order.hpp"
#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {
namespace {

// Builds a model without control states from names with numbers: `work3`.
class Sketch {
 public:
  explicit Sketch(StopToken stop) : stop_{stop} { builder_.listen_to(stop); }

  struct Position {
    const char* name;
    std::size_t number;
  };
  void initial(Position at) { builder_.initial(head(at)); }
  void step(Position from, const char* action, Position to) { add(from, action, Base{head(to)}); }
  void leave(Position from, const char* action) { add(from, action, Return{control_}); }
  void call(Position from, const char* action, Position callee, Position back, std::vector<Group> opening) {
    add(from, action, Call{head(callee), head(back).top, std::move(opening)});
  }
  // Enters a monitor, is at `inside`, leaves it.
  void use(Position from, std::size_t lock, Position inside, Position to) {
    add(from, "enter", Monitor{head(inside), head(to).top, builder_.lock("x" + std::to_string(lock))});
    leave(inside, "leave");
  }
  void fork(Position from, Position to, Position child, Membership membership) {
    add(from, "fork", Spawn{head(to), head(child), {membership}});
  }
  void join(Position from, Position to, Group group) { add(from, "join", Join{head(to), {group}}); }
  [[nodiscard]] Group group(const char* name) { return builder_.group(name); }

  void ask(const std::vector<Position>& threads, Verdict expected) {
    Query query{.form = threads.size() == 1 ? QueryForm::Reach : QueryForm::Conflict, .expected = expected};
    query.steps.emplace_back();
    for (const Position at : threads) query.steps.front().positions.push_back({head(at).top});
    queries_.push_back(std::move(query));
  }

  [[nodiscard]] ModelFile model() {
    return in_order_of_appearance({std::move(builder_).build(), std::move(queries_), {}}, stop_);
  }

 private:
  [[nodiscard]] Head head(Position at) { return {control_, builder_.stack(at.name + std::to_string(at.number))}; }
  void add(Position from, const char* action, Effect effect) {
    builder_.add({head(from), builder_.action(action), std::move(effect)});
  }

  StopToken stop_;
  NetworkBuilder builder_;
  ControlState control_ = builder_.control("0");
  std::vector<Query> queries_;
};

Verdict reachable_if(bool condition) { return condition ? Verdict::Reachable : Verdict::Unreachable; }

}  // namespace

ModelFile generate_fork_join(std::size_t threads, std::size_t locks, StopToken stop) {
  Sketch sketch{stop};
  const Group children = sketch.group("children");
  sketch.initial({"start", 1});
  for (std::size_t i = 1; i <= threads; ++i) {
    if (2 * i <= threads)
      sketch.fork({"start", i}, {"second", i}, {"start", 2 * i}, {children});
    else
      sketch.step({"start", i}, "alone", {"second", i});
    if (2 * i + 1 <= threads)
      sketch.fork({"second", i}, {"busy", i}, {"start", 2 * i + 1}, {children});
    else
      sketch.step({"second", i}, "alone", {"busy", i});
    sketch.use({"busy", i}, i % locks, {"work", i}, {"wait", i});
    sketch.join({"wait", i}, {"after", i}, children);
    sketch.leave({"after", i}, "end");
  }
  sketch.ask({{"after", 1}}, Verdict::Reachable);
  if (threads < 2) return sketch.model();
  sketch.ask({{"after", 1}, {"work", threads}}, Verdict::Unreachable);
  sketch.ask({{"wait", 1}, {"work", threads}}, Verdict::Reachable);
  sketch.ask({{"work", 1}, {"work", threads}}, reachable_if(1 % locks != threads % locks));
  return sketch.model();
}

ModelFile generate_join_pool(std::size_t workers, std::size_t locks, StopToken stop) {
  Sketch sketch{stop};
  const Group pool = sketch.group("pool");
  sketch.initial({"start", 1});
  for (std::size_t i = 1; i <= workers; ++i) {
    sketch.fork({"start", i}, {"start", i + 1}, {"worker", i}, {pool});
    sketch.use({"worker", i}, i % locks, {"work", i}, {"done", i});
    sketch.leave({"done", i}, "end");
  }
  sketch.join({"start", workers + 1}, {"after", 0}, pool);
  sketch.step({"after", 0}, "again", {"start", 1});
  sketch.ask({{"after", 0}}, Verdict::Reachable);
  sketch.ask({{"after", 0}, {"work", workers}}, Verdict::Unreachable);
  if (workers < 2) return sketch.model();
  sketch.ask({{"work", 1}, {"work", workers}}, reachable_if(1 % locks != workers % locks));
  return sketch.model();
}

ModelFile generate_pipeline(std::size_t stages, std::size_t locks, StopToken stop) {
  Sketch sketch{stop};
  const Group next = sketch.group("next");
  sketch.initial({"start", 1});
  for (std::size_t i = 1; i <= stages; ++i) {
    if (i < stages)
      sketch.fork({"start", i}, {"busy", i}, {"start", i + 1}, {next, false, true});
    else
      sketch.step({"start", i}, "last", {"busy", i});
    sketch.use({"busy", i}, i % locks, {"work", i}, {"wait", i});
    sketch.join({"wait", i}, {"after", i}, next);
    sketch.leave({"after", i}, "end");
  }
  sketch.ask({{"after", 1}}, Verdict::Reachable);
  if (stages < 2) return sketch.model();
  sketch.ask({{"after", 1}, {"work", stages}}, Verdict::Unreachable);
  sketch.ask({{"wait", 1}, {"work", stages}}, Verdict::Reachable);
  return sketch.model();
}

ModelFile generate_nested_finish(std::size_t levels, std::size_t locks, StopToken stop) {
  Sketch sketch{stop};
  const Group finish = sketch.group("finish");
  sketch.initial({"main", 0});
  sketch.call({"main", 0}, "finish", {"start", 1}, {"end", 0}, {finish});
  for (std::size_t i = 1; i <= levels; ++i) {
    sketch.fork({"start", i}, {"inner", i}, {"worker", i}, {finish, true, false});
    if (i < levels)
      sketch.call({"inner", i}, "finish", {"start", i + 1}, {"wait", i}, {finish});
    else
      sketch.step({"inner", i}, "last", {"wait", i});
    sketch.join({"wait", i}, {"after", i}, finish);
    sketch.leave({"after", i}, "return");
    // The worker leaves the work to another thread.
    sketch.fork({"worker", i}, {"delegated", i}, {"helper", i}, {finish});
    sketch.leave({"delegated", i}, "end");
    sketch.use({"helper", i}, i % locks, {"work", i}, {"done", i});
    sketch.leave({"done", i}, "end");
  }
  sketch.ask({{"end", 0}}, Verdict::Reachable);
  sketch.ask({{"end", 0}, {"work", levels}}, Verdict::Unreachable);
  sketch.ask({{"after", levels}, {"work", levels}}, Verdict::Unreachable);
  if (levels > 1) sketch.ask({{"after", levels}, {"work", 1}}, Verdict::Reachable);
  return sketch.model();
}

}  // namespace lockwood::dpn
