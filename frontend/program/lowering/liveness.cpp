#include "frontend/program/lowering/liveness.hpp"

#include <algorithm>

namespace lockwood::program {
namespace {

struct Uses {
  std::vector<Local>& found;

  void operator()(const Write& write) const { look(write.value); }
  void operator()(const Assign& assign) const { look(assign.value); }
  void operator()(const Branch& branch) const { look(branch.condition); }
  void operator()(const Call& call) const { look(call.arguments); }
  void operator()(const Spawn& spawn) const { look(spawn.arguments); }
  void operator()(const Print& print) const { look(print.values); }
  void operator()(const Assert& assertion) const { look(assertion.condition); }
  void operator()(const Return& ret) const {
    if (ret.value) look(*ret.value);
  }
  template <class Other>
  void operator()(const Other&) const {}

 private:
  void look(const Expression& expression) const {
    for (const Expression::Operation& operation : expression.postfix)
      if (const auto* local = std::get_if<Local>(&operation)) found.push_back(*local);
  }
  void look(const std::vector<Expression>& expressions) const {
    for (const Expression& expression : expressions) look(expression);
  }
};

// A step back: from a point to one that may come before it. An instruction sets its local only on the way to `next`,
// not where it fails.
struct Predecessor {
  Point point;
  bool sets;
};

IdVector<Point, std::vector<Predecessor>> predecessors(const Procedure& procedure) {
  IdVector<Point, std::vector<Predecessor>> before(procedure.points.size());
  for (Point point : procedure.points.keys()) {
    const bool sets = set_local(procedure.points[point].instruction).has_value();
    bool first = true;  // of the successors of what sets a local, the first one is `next`
    for (Point next : successors(procedure, point)) {
      before[next].push_back({point, sets && first});
      first = false;
    }
  }
  return before;
}

}  // namespace

std::vector<Local> used_locals(const Instruction& instruction) {
  std::vector<Local> found;
  std::visit(Uses{found}, instruction);
  return found;
}

std::optional<Local> set_local(const Instruction& instruction) {
  if (const auto* read = std::get_if<Read>(&instruction)) return read->target;
  if (const auto* assign = std::get_if<Assign>(&instruction)) return assign->target;
  if (const auto* call = std::get_if<Call>(&instruction)) return call->result;
  return std::nullopt;
}

namespace {

// A region decides by conditions which lock it takes: when it is entered, and again after a wait inside. So these are
// of interest until it is left.
std::vector<Local> region_conditions(const Procedure& procedure, Point point) {
  const Node& node = procedure.points[point];
  std::optional<Region> region;
  if (const auto* enter = std::get_if<Enter>(&node.instruction)) region = enter->region;
  if (std::holds_alternative<Leave>(node.instruction)) region = node.region;
  std::vector<Local> found;
  if (region)
    for (const LockChoice& choice : procedure.regions[*region].choices)
      for (const auto& [local, value] : choice.conditions) found.push_back(local);
  return found;
}

}  // namespace

// One local after the other is followed back from its uses to what sets it. Sets of locals that are moved around in
// blocks would take as many words a point as the procedure has locals; the temporaries of a long procedure are many,
// but each lives for a moment.
IdVector<Point, std::vector<Local>> live_locals(const Procedure& procedure, const IdVector<Local, bool>& considered) {
  IdVector<Point, std::vector<Local>> live(procedure.points.size());
  IdVector<Local, std::vector<Point>> uses(procedure.locals.size());
  for (Point point : procedure.points.keys()) {
    for (Local local : used_locals(procedure.points[point].instruction))
      if (considered[local]) uses[local].push_back(point);
    for (Local local : region_conditions(procedure, point))
      if (considered[local]) uses[local].push_back(point);
  }

  const auto before = predecessors(procedure);
  std::vector<Point> worklist;
  for (Local local : procedure.locals.keys()) {
    const auto mark = [&](Point point) {
      if (!live[point].empty() && live[point].back() == local) return;
      live[point].push_back(local);
      worklist.push_back(point);
    };
    for (Point point : uses[local]) mark(point);
    while (!worklist.empty()) {
      const Point point = worklist.back();
      worklist.pop_back();
      for (const Predecessor& predecessor : before[point]) {
        const bool kills = predecessor.sets && set_local(procedure.points[predecessor.point].instruction) == local;
        if (!kills) mark(predecessor.point);
      }
    }
  }
  return live;
}

}  // namespace lockwood::program
