#include "frontend/program/lowering/inlining.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <vector>

namespace lockwood::program {
namespace {

constexpr std::size_t max_callee_points = 200;
constexpr std::size_t max_points = 4000;
constexpr std::uint32_t numbers_per_callee = 10'000;  // of statements and accesses

// The locks that procedures may wait for outside of their own regions, there or in calls.
IdVector<ProcedureId, std::set<Lock>> outer_waits(const Program& program) {
  IdVector<ProcedureId, std::set<Lock>> waits(program.procedures.size());
  bool changed = true;
  while (changed) {
    changed = false;
    for (ProcedureId id : program.procedures.keys())
      for (const Node& node : program.procedures[id].points) {
        if (node.region) continue;
        const std::size_t before = waits[id].size();
        if (const auto* wait = std::get_if<Wait>(&node.instruction)) waits[id].insert(wait->lock);
        if (const auto* call = std::get_if<Call>(&node.instruction)) {
          const std::set<Lock> inner = waits[call->procedure];
          waits[id].insert(inner.begin(), inner.end());
        }
        changed = changed || waits[id].size() != before;
      }
  }
  return waits;
}

// Whether a call of the procedure may lead to a call of the other one.
bool may_call(const Program& program, ProcedureId from, ProcedureId to) {
  IdVector<ProcedureId, bool> seen(program.procedures.size());
  std::vector<ProcedureId> stack{from};
  while (!stack.empty()) {
    const ProcedureId id = stack.back();
    stack.pop_back();
    for (const Node& node : program.procedures[id].points) {
      const auto* call = std::get_if<Call>(&node.instruction);
      if (call == nullptr) continue;
      if (call->procedure == to) return true;
      if (seen[call->procedure]) continue;
      seen[call->procedure] = true;
      stack.push_back(call->procedure);
    }
  }
  return false;
}

// One procedure, written into another one at the place of a call.
class Inlining {
 public:
  Inlining(Procedure& caller, Point place, const Procedure& callee, std::uint32_t number)
      : caller_{caller},
        callee_{callee},
        call_{std::get<Call>(caller.points[place].instruction)},
        at_{caller.points[place]},
        first_point_{caller.points.size()},
        first_local_{caller.locals.size()},
        first_region_{caller.regions.size()},
        first_number_{number * numbers_per_callee} {
    for (const LocalInfo& local : callee.locals) caller.locals.push_back(local);
    for (const MonitorRegion& region : callee.regions) caller.regions.push_back(mapped(region));
    for (const Node& node : callee.points) caller.points.push_back(mapped(node));
    caller.points[place].instruction = Skip{with_arguments(), "call " + callee.name};
  }

 private:
  [[nodiscard]] Point mapped(Point point) const { return Point{first_point_ + point.index()}; }
  [[nodiscard]] Local mapped(Local local) const { return Local{first_local_ + local.index()}; }
  [[nodiscard]] Region mapped(Region region) const { return Region{first_region_ + region.index()}; }
  [[nodiscard]] Expression mapped(Expression expression) const {
    for (Expression::Operation& operation : expression.postfix)
      if (auto* local = std::get_if<Local>(&operation)) *local = mapped(*local);
    return expression;
  }
  [[nodiscard]] MonitorRegion mapped(MonitorRegion region) const {
    region.enter = mapped(region.enter);
    region.body = mapped(region.body);
    for (Point& exit : region.exits) exit = mapped(exit);
    region.parent = region.parent ? std::optional{mapped(*region.parent)} : at_.region;
    for (LockChoice& choice : region.choices)
      for (auto& [local, value] : choice.conditions) local = mapped(local);
    return region;
  }
  [[nodiscard]] Node mapped(const Node& node) const {
    Node made = node;
    made.region = node.region ? std::optional{mapped(*node.region)} : at_.region;
    made.statement += first_number_;
    if (made.ordinal != 0) made.ordinal += first_number_;
    made.instruction =
        std::visit([this](const auto& instruction) { return this->renamed(instruction); }, node.instruction);
    return made;
  }

  template <class Simple>  // goes on at `next`, and has no expressions
  Instruction renamed(Simple simple) const {
    simple.next = mapped(simple.next);
    return simple;
  }
  Instruction renamed(Read read) const { return Read{read.variable, mapped(read.target), mapped(read.next)}; }
  Instruction renamed(Write write) const { return Write{write.variable, mapped(write.value), mapped(write.next)}; }
  Instruction renamed(Assign assign) const {
    if (assign.on_failure) assign.on_failure = mapped(*assign.on_failure);
    return Assign{mapped(assign.target), mapped(assign.value), mapped(assign.next), assign.on_failure};
  }
  Instruction renamed(Branch branch) const {
    if (branch.decides) branch.decides = mapped(*branch.decides);
    return Branch{mapped(branch.condition), mapped(branch.if_true), mapped(branch.if_false), branch.decides};
  }
  Instruction renamed(Choose choose) const {
    for (Point& target : choose.targets) target = mapped(target);
    return choose;
  }
  Instruction renamed(Call call) const {
    for (Expression& argument : call.arguments) argument = mapped(argument);
    if (call.result) call.result = mapped(*call.result);
    call.next = mapped(call.next);
    call.on_throw = mapped(call.on_throw);
    for (Point& handler : call.on_throw_of) handler = mapped(handler);
    return call;
  }
  Instruction renamed(Spawn spawn) const {
    for (Expression& argument : spawn.arguments) argument = mapped(argument);
    spawn.next = mapped(spawn.next);
    return spawn;
  }
  Instruction renamed(Enter enter) const { return Enter{mapped(enter.region)}; }
  Instruction renamed(Leave leave) const { return leave; }
  Instruction renamed(Print print) const {
    for (Expression& value : print.values) value = mapped(value);
    print.next = mapped(print.next);
    return print;
  }
  Instruction renamed(Assert assertion) const { return Assert{mapped(assertion.condition), mapped(assertion.next)}; }
  Instruction renamed(Return ret) const {
    if (!call_.result) return Skip{call_.next, "return"};
    return Assign{*call_.result, ret.value ? mapped(*ret.value) : constant(0), call_.next, {}};
  }
  Instruction renamed(Raise raise) const { return Skip{handler_of(call_, raise.thrown), "throw"}; }

  // Bools are set to the arguments, or to 0. Nobody knows numbers.
  Point with_arguments() {
    Point next = mapped(callee_.entry);
    for (Local local : callee_.locals.keys()) {
      if (callee_.locals[local].type != Type::Bool) continue;
      const bool is_parameter = local.index() < callee_.parameters;
      Node node = at_;
      node.guess.reset();
      node.instruction = Assign{mapped(local), is_parameter ? call_.arguments[local.index()] : constant(0), next, {}};
      next = caller_.points.push_back(std::move(node));
    }
    return next;
  }

  Procedure& caller_;
  const Procedure& callee_;
  const Call call_;
  const Node at_;
  std::size_t first_point_;
  std::size_t first_local_;
  std::size_t first_region_;
  std::uint32_t first_number_;
};

}  // namespace

void inline_waits(Program& program) {
  const IdVector<ProcedureId, std::set<Lock>> waits = outer_waits(program);
  for (ProcedureId id : program.procedures.keys()) {
    Procedure& caller = program.procedures[id];
    std::uint32_t number = 0;
    // Points that are added are looked at, too: what is written in may call others that wait.
    for (std::size_t i = 0; i < caller.points.size() && caller.points.size() < max_points; ++i) {
      const Point point{i};
      const auto* call = std::get_if<Call>(&caller.points[point].instruction);
      const auto region = caller.points[point].region;
      if (call == nullptr || !region) continue;
      const ProcedureId callee = call->procedure;
      const bool waits_here =
          std::ranges::any_of(waits[callee], [&](Lock lock) { return may_take(caller.regions[*region], lock); });
      if (!waits_here || !program.procedures[callee].groups.empty() ||
          program.procedures[callee].points.size() > max_callee_points || may_call(program, callee, callee) ||
          may_call(program, callee, id))
        continue;
      Inlining{caller, point, program.procedures[callee], ++number};
    }
  }
}

}  // namespace lockwood::program
