#include "frontend/program/ir/program.hpp"

#include <algorithm>
#include <stdexcept>

namespace lockwood::program {
namespace {

struct Successors {
  const Procedure& procedure;
  Point point;

  std::vector<Point> operator()(const Assign& assign) const {
    if (assign.on_failure) return {assign.next, *assign.on_failure};
    return {assign.next};
  }
  std::vector<Point> operator()(const Branch& branch) const { return {branch.if_true, branch.if_false}; }
  std::vector<Point> operator()(const Choose& choose) const { return choose.targets; }
  std::vector<Point> operator()(const Call& call) const {
    std::vector<Point> all{call.next, call.on_throw};
    all.insert(all.end(), call.on_throw_of.begin(), call.on_throw_of.end());
    return all;
  }
  std::vector<Point> operator()(const Enter& enter) const { return {procedure.regions[enter.region].body}; }
  std::vector<Point> operator()(const Leave& leave) const {
    return {procedure.regions[*procedure.points[point].region].exits[leave.exit]};
  }
  std::vector<Point> operator()(const Return&) const { return {}; }
  std::vector<Point> operator()(const Raise&) const { return {}; }
  template <class Simple>
  std::vector<Point> operator()(const Simple& simple) const {
    return {simple.next};
  }
};

struct Words {
  const Program& program;
  const Procedure& procedure;
  const Node& node;

  std::string operator()(const Skip& skip) const { return skip.what; }
  std::string operator()(const Read& read) const { return "read " + shown_name(program.variables[read.variable]); }
  std::string operator()(const Write& write) const { return "write " + shown_name(program.variables[write.variable]); }
  std::string operator()(const Assign& assign) const {
    const std::string& name = procedure.locals[assign.target].name;
    return name.empty() ? "compute" : "set " + name;
  }
  std::string operator()(const Branch&) const { return "branch"; }
  std::string operator()(const Choose&) const { return "choose"; }
  std::string operator()(const Call& call) const { return "call " + program.procedures[call.procedure].name; }
  std::string operator()(const Spawn& spawn) const { return "spawn " + program.procedures[spawn.procedure].name; }
  std::string operator()(const Enter& enter) const { return sync(enter.region); }
  std::string operator()(const Leave&) const { return "leave " + sync(*node.region); }
  std::string operator()(const Wait& wait) const { return "wait " + program.locks[wait.lock].name; }
  std::string operator()(const Notify& notify) const {
    return (notify.all ? "notify all " : "notify ") + program.locks[notify.lock].name;
  }
  std::string operator()(const Print&) const { return "print"; }
  std::string operator()(const Assert&) const { return "assert"; }
  std::string operator()(const Return&) const { return "return"; }
  std::string operator()(const Raise&) const { return "throw out of " + procedure.name; }
  std::string operator()(const Join& join) const { return groups("join", join.groups); }
  std::string operator()(const Forget& forget) const { return groups("thread", forget.groups); }

 private:
  [[nodiscard]] std::string groups(std::string text, const std::vector<Group>& groups) const {
    for (Group group : groups)
      if (const std::string& name = procedure.groups[group].name; !name.empty()) text += ' ' + name;
    return text;
  }
  [[nodiscard]] std::string sync(Region region) const { return region_text(program, procedure.regions[region]); }
};

void require(bool condition, const char* what) {
  if (!condition) throw std::logic_error{std::string{"ill-formed program: "} + what};
}

// Checks that one instruction refers only to what exists, and leads only where it may.
class InstructionCheck {
 public:
  InstructionCheck(const Program& program, const Procedure& procedure, Point point)
      : program_{program}, procedure_{procedure}, node_{procedure.points[point]} {}

  void operator()(const Skip& skip) const { stays(skip.next); }
  void operator()(const Read& read) const {
    require(program_.variables.contains(read.variable), "unknown variable");
    target(read.target);
    stays(read.next);
  }
  void operator()(const Write& write) const {
    require(program_.variables.contains(write.variable), "unknown variable");
    value(write.value);
    stays(write.next);
  }
  void operator()(const Assign& assign) const {
    target(assign.target);
    expression(assign.value);
    stays(assign.next);
    require(assign.on_failure.has_value() == may_divide(assign.value), "a division without a way to fail");
    if (assign.on_failure) stays(*assign.on_failure);
  }
  void operator()(const Branch& branch) const {
    value(branch.condition);
    stays(branch.if_true);
    stays(branch.if_false);
  }
  void operator()(const Choose& choose) const {
    require(!choose.targets.empty(), "a choice of nothing");
    for (Point each : choose.targets) stays(each);
  }
  void operator()(const Call& call) const {
    arguments(call.procedure, call.arguments);
    if (call.result) {
      target(*call.result);
      const auto& result = program_.procedures[call.procedure].result;
      require(result && *result == procedure_.locals[*call.result].type, "a result of another type");
    }
    stays(call.next);
    stays(call.on_throw);
    for (Point handler : call.on_throw_of) stays(handler);
  }
  void operator()(const Spawn& spawn) const {
    arguments(spawn.procedure, spawn.arguments);
    stays(spawn.next);
    std::vector<Group> groups;
    for (const Membership& membership : spawn.memberships) {
      group(membership.group);
      require(std::ranges::find(groups, membership.group) == groups.end(), "two memberships in one group");
      groups.push_back(membership.group);
    }
  }
  void operator()(const Join& join) const {
    require(!join.groups.empty(), "a join of nothing");
    for (Group each : join.groups) group(each);
    stays(join.next);
  }
  void operator()(const Forget& forget) const {
    for (Group each : forget.groups) group(each);
    stays(forget.next);
  }
  void operator()(const Enter& enter) const {
    require(procedure_.regions.contains(enter.region), "unknown region");
    const MonitorRegion& region = procedure_.regions[enter.region];
    require(!region.lock || program_.locks.contains(*region.lock), "unknown lock");
    require(!region.lock || region.choices.empty(), "a lock beside a choice of locks");
    for (const LockChoice& choice : region.choices) {
      require(!choice.lock || program_.locks.contains(*choice.lock), "unknown lock");
      for (const auto& [local, value] : choice.conditions) target(local);
    }
    require(region.parent == node_.region, "a region entered from elsewhere than its parent");
    require(&procedure_.points[region.enter] == &node_, "a region with two entrances");
    require(procedure_.points.contains(region.body) && procedure_.points[region.body].region == enter.region,
            "a region whose body is elsewhere");
    for (Point exit : region.exits) stays(exit);
  }
  void operator()(const Leave& leave) const {
    require(node_.region && leave.exit < procedure_.regions[*node_.region].exits.size(), "unknown exit");
  }
  void operator()(const Wait& wait) const {
    require(program_.locks.contains(wait.lock), "unknown lock");
    stays(wait.next);
  }
  void operator()(const Notify& notify) const {
    require(program_.locks.contains(notify.lock), "unknown lock");
    stays(notify.next);
  }
  void operator()(const Print& print) const {
    for (const Expression& each : print.values) value(each);
    stays(print.next);
  }
  void operator()(const Assert& assertion) const {
    value(assertion.condition);
    stays(assertion.next);
  }
  void operator()(const Return& ret) const {
    require(!node_.region, "a return inside a region");
    if (ret.value) value(*ret.value);
  }
  void operator()(const Raise&) const { require(!node_.region, "an exception that skips the end of a region"); }

 private:
  void stays(Point point) const {
    require(procedure_.points.contains(point), "unknown point");
    require(procedure_.points[point].region == node_.region, "a way into or out of a region");
  }
  void group(Group each) const { require(procedure_.groups.contains(each), "unknown group"); }
  void target(Local local) const { require(procedure_.locals.contains(local), "unknown local"); }
  void expression(const Expression& each) const {
    std::size_t depth = 0;
    for (const Expression::Operation& operation : each.postfix) {
      if (const auto* local = std::get_if<Local>(&operation)) target(*local);
      const auto* op = std::get_if<Operator>(&operation);
      const std::size_t operands = op == nullptr ? 0 : is_unary(*op) ? 1 : 2;
      require(depth >= operands, "an operator without operands");
      depth = depth - operands + 1;
    }
    require(depth == 1, "an expression of several values");
  }
  void value(const Expression& each) const {
    expression(each);
    require(!may_divide(each), "a division outside an assignment");
  }
  void arguments(ProcedureId callee, const std::vector<Expression>& given) const {
    require(program_.procedures.contains(callee), "unknown procedure");
    require(given.size() == program_.procedures[callee].parameters, "another number of arguments");
    for (const Expression& each : given) value(each);
  }

  const Program& program_;
  const Procedure& procedure_;
  const Node& node_;
};

}  // namespace

bool has_joins(const Program& program) {
  return std::ranges::any_of(program.procedures, [](const Procedure& procedure) {
    return std::ranges::any_of(procedure.regions, &MonitorRegion::is_finish) ||
           std::ranges::any_of(procedure.points,
                               [](const Node& node) { return std::holds_alternative<Join>(node.instruction); });
  });
}

bool may_take(const MonitorRegion& region, Lock lock) {
  return region.lock == lock ||
         std::ranges::any_of(region.choices, [&](const LockChoice& choice) { return choice.lock == lock; });
}

std::string unique_name(const Procedure& procedure) {
  return procedure.copy == 0 ? procedure.name : procedure.name + '#' + std::to_string(procedure.copy + 1);
}

std::string region_text(const Program& program, const MonitorRegion& region) {
  if (region.is_finish()) return "finish";
  const std::string word = region.shared ? "read lock" : "sync";
  if (region.lock) return word + ' ' + program.locks[*region.lock].name;
  std::string names;
  for (const LockChoice& choice : region.choices)
    if (choice.lock) names += (names.empty() ? "" : " or ") + program.locks[*choice.lock].name;
  return word + (names.empty() ? "" : ' ' + names);
}

std::vector<Point> successors(const Procedure& procedure, Point point) {
  return std::visit(Successors{procedure, point}, procedure.points[point].instruction);
}

std::string describe(const Program& program, ProcedureId procedure, Point point) {
  const Procedure& graph = program.procedures[procedure];
  const Node& node = graph.points[point];
  return std::visit(Words{program, graph, node}, node.instruction);
}

void check_invariants(const Program& program) {
  require(program.procedures.contains(program.main), "no main");
  for (const Procedure& procedure : program.procedures) {
    require(procedure.points.contains(procedure.entry), "no entry");
    require(!procedure.points[procedure.entry].region, "an entry inside a region");
    require(procedure.parameters <= procedure.locals.size(), "parameters that are no locals");
    for (Point point : procedure.points.keys())
      std::visit(InstructionCheck{program, procedure, point}, procedure.points[point].instruction);
  }
  for (const Label& label : program.labels)
    require(program.procedures.contains(label.procedure) &&
                program.procedures[label.procedure].points.contains(label.point),
            "a label nowhere");
}

}  // namespace lockwood::program
