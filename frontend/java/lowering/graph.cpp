#include "frontend/java/lowering/graph.hpp"

#include <algorithm>
#include <cassert>
#include <functional>

namespace lockwood::java {

namespace {

// Rewrites the points that an instruction mentions.
struct Renaming {
  const std::function<program::Point(program::Point)>& renamed;

  void operator()(program::Assign& assign) const {
    rename(assign.next);
    if (assign.on_failure) rename(*assign.on_failure);
  }
  void operator()(program::Branch& branch) const {
    rename(branch.if_true);
    rename(branch.if_false);
  }
  void operator()(program::Choose& choose) const {
    for (program::Point& target : choose.targets) rename(target);
    std::ranges::sort(choose.targets);
    const auto rest = std::unique(choose.targets.begin(), choose.targets.end());
    choose.targets.erase(rest, choose.targets.end());
  }
  void operator()(program::Call& call) const {
    rename(call.next);
    rename(call.on_throw);
    for (program::Point& handler : call.on_throw_of) rename(handler);
  }
  void operator()(program::Enter&) const {}
  void operator()(program::Leave&) const {}
  void operator()(program::Return&) const {}
  void operator()(program::Raise&) const {}
  template <class Simple>
  void operator()(Simple& simple) const {
    rename(simple.next);
  }

 private:
  void rename(program::Point& point) const { point = renamed(point); }
};

}  // namespace

program::Point Graph::add(program::Instruction instruction) {
  forwarded_.push_back(std::nullopt);
  return procedure_.points.push_back({.instruction = std::move(instruction),
                                      .region = region_,
                                      .range = location_.range,
                                      .statement = location_.statement});
}

program::Point Graph::add_guess(program::Instruction instruction, std::uint32_t guess) {
  const program::Point made = add(std::move(instruction));
  procedure_.points[made].guess = guess;
  return made;
}

program::Point Graph::guessed(program::Point target, std::uint32_t guess, std::string what) {
  return add_guess(program::Skip{target, std::move(what)}, guess);
}

program::Point Graph::declare() {
  const program::Point made = add(program::Skip{program::Point{0}, "nothing"});
  forwarded_[made] = made;
  return made;
}

void Graph::define(program::Point point, program::Point next) {
  assert(forwarded_[point] == point && procedure_.points[point].region == procedure_.points[next].region);
  forwarded_[point] = next;
}

program::Point Graph::choose(std::vector<program::Point> targets, std::optional<std::uint32_t> guess) {
  std::ranges::sort(targets);
  const auto rest = std::unique(targets.begin(), targets.end());
  targets.erase(rest, targets.end());
  assert(!targets.empty());
  if (targets.size() == 1) return targets.front();
  const program::Point made = add(program::Choose{std::move(targets)});
  procedure_.points[made].guess = guess;
  return made;
}

program::Local Graph::new_local(std::string name, program::Type type) {
  return procedure_.locals.push_back({std::move(name), type, location_.range});
}

program::Expression Graph::unknown() {
  if (!unknown_) unknown_ = new_local("?", program::Type::Int);
  return program::value_of(*unknown_);
}

void Graph::finish() {
  // Declared points are followed to what they stand for; a loop of nothing but declared points is a step to itself.
  const auto target = [&](program::Point point) {
    std::size_t steps = 0;
    while (forwarded_[point] && *forwarded_[point] != point && steps++ <= forwarded_.size()) point = *forwarded_[point];
    return point;
  };
  std::vector<program::Point> worklist;
  IdVector<program::Point, std::optional<program::Point>> number(procedure_.points.size());
  IdVector<program::Point, program::Node> kept;
  std::vector<program::Point> order;
  const auto reach = [&](program::Point point) {
    const program::Point found = target(point);
    if (number[found]) return;
    number[found] = program::Point{order.size()};
    order.push_back(found);
    worklist.push_back(found);
  };
  reach(procedure_.entry);
  while (!worklist.empty()) {
    const program::Point point = worklist.back();
    worklist.pop_back();
    if (forwarded_[point]) {  // a loop of nothing
      procedure_.points[point].instruction = program::Skip{point, "nothing"};
      continue;
    }
    for (program::Point next : program::successors(procedure_, point)) reach(next);
    if (const auto* enter = std::get_if<program::Enter>(&procedure_.points[point].instruction))
      for (program::Point exit : procedure_.regions[enter->region].exits) reach(exit);
  }
  const std::function<program::Point(program::Point)> renamed = [&](program::Point point) {
    return *number[target(point)];
  };
  for (program::Point point : order) {
    program::Node node = std::move(procedure_.points[point]);
    std::visit(Renaming{renamed}, node.instruction);
    kept.push_back(std::move(node));
  }
  for (program::MonitorRegion& region : procedure_.regions) {
    if (!number[target(region.enter)]) {  // nobody enters it
      region.exits = {program::Point{0}};
      region.enter = region.body = program::Point{0};
      continue;
    }
    region.enter = renamed(region.enter);
    region.body = renamed(region.body);
    for (program::Point& exit : region.exits) exit = renamed(exit);
  }
  procedure_.entry = renamed(procedure_.entry);
  procedure_.points = std::move(kept);
}

}  // namespace lockwood::java
