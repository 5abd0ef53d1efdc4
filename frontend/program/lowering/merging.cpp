#include "frontend/program/lowering/merging.hpp"

#include <map>
#include <string>
#include <vector>

namespace lockwood::program {
namespace {

// All of a procedure but whom it calls, as a list of numbers; and whom it calls, in order.
class Fingerprint {
 public:
  explicit Fingerprint(const Procedure& procedure) {
    add(procedure.parameters);
    add(procedure.result ? static_cast<std::size_t>(*procedure.result) + 1 : 0);
    add(procedure.locals.size());
    for (const LocalInfo& local : procedure.locals) add(static_cast<std::size_t>(local.type));
    add(procedure.entry);
    add(procedure.groups.size());
    add(procedure.regions.size());
    for (const MonitorRegion& region : procedure.regions) add(region);
    for (const Node& node : procedure.points) {
      add(node.instruction.index());
      std::visit([this](const auto& each) { add(each); }, node.instruction);
      add(node.region);
      add(node.range);
      add(node.statement);
      add(node.ordinal);
      add(node.guess ? *node.guess + 1 : 0);
      add(node.mark ? *node.mark + 1 : 0);
    }
  }
  std::vector<std::size_t> numbers;
  std::vector<ProcedureId> callees;

 private:
  void add(std::size_t number) { numbers.push_back(number); }
  template <class Tag>
  void add(Id<Tag> id) {
    add(id.index());
  }
  template <class Tag>
  void add(const std::optional<Id<Tag>>& id) {
    add(id ? id->index() + 1 : 0);
  }
  template <class Tag>
  void add(const std::vector<Id<Tag>>& ids) {
    add(ids.size());
    for (Id<Tag> id : ids) add(id);
  }
  void add(const SourceRange& range) {
    add(range.file);
    for (const auto& position : {range.begin, range.end}) {
      add(position.line);
      add(position.column);
    }
  }
  void add(const Expression& expression) {
    add(expression.postfix.size());
    for (const Expression::Operation& operation : expression.postfix) {
      add(operation.index());
      if (const auto* number = std::get_if<Integer>(&operation)) add(static_cast<std::size_t>(*number));
      if (const auto* local = std::get_if<Local>(&operation)) add(*local);
      if (const auto* op = std::get_if<Operator>(&operation)) add(static_cast<std::size_t>(*op));
    }
  }
  void add(const std::vector<Expression>& expressions) {
    add(expressions.size());
    for (const Expression& expression : expressions) add(expression);
  }
  void add(const MonitorRegion& region) {
    add(region.lock);
    add(region.enter);
    add(region.body);
    add(region.exits);
    add(region.parent);
    add(region.range);
    add(region.shared ? 1 : 0);
    add(region.choices.size());
    for (const LockChoice& choice : region.choices) {
      add(choice.lock);
      add(choice.blocks ? 1 : 0);
      add(choice.conditions.size());
      for (const auto& [local, value] : choice.conditions) {
        add(local);
        add(value ? 1 : 0);
      }
    }
  }
  void add(const std::string& text) {
    add(text.size());
    for (char byte : text) add(static_cast<unsigned char>(byte));
  }
  void add(const Skip& skip) {
    add(skip.next);
    add(skip.what);
  }
  void add(const Read& read) {
    add(read.variable);
    add(read.target);
    add(read.next);
  }
  void add(const Write& write) {
    add(write.variable);
    add(write.value);
    add(write.next);
  }
  void add(const Assign& assign) {
    add(assign.target);
    add(assign.value);
    add(assign.next);
    add(assign.on_failure);
  }
  void add(const Branch& branch) {
    add(branch.condition);
    add(branch.if_true);
    add(branch.if_false);
  }
  void add(const Choose& choose) { add(choose.targets); }
  void add(const Call& call) {
    callees.push_back(call.procedure);
    add(call.arguments);
    add(call.result);
    add(call.next);
    add(call.on_throw);
    add(call.on_throw_of);
  }
  void add(const Spawn& spawn) {
    callees.push_back(spawn.procedure);
    add(spawn.arguments);
    add(spawn.next);
    add(spawn.memberships.size());
    for (const Membership& membership : spawn.memberships) {
      add(membership.group);
      add((membership.replace ? 1U : 0U) + (membership.all ? 2U : 0U));
    }
  }
  void add(const Enter& enter) { add(enter.region); }
  void add(const Leave& leave) { add(leave.exit); }
  void add(const Wait& wait) {
    add(wait.lock);
    add(wait.next);
  }
  void add(const Notify& notify) {
    add(notify.lock);
    add(notify.all ? 1 : 0);
    add(notify.next);
  }
  void add(const Print& print) {
    add(print.values);
    add(print.next);
  }
  void add(const Assert& assertion) {
    add(assertion.condition);
    add(assertion.next);
  }
  void add(const Return& ret) {
    add(ret.value ? 1 : 0);
    if (ret.value) add(*ret.value);
  }
  void add(const Raise& raise) { add(raise.thrown); }
  void add(const Join& join) {
    add(join.groups);
    add(join.next);
  }
  void add(const Forget& forget) {
    add(forget.groups);
    add(forget.next);
  }
};

// The coarsest partition in which members of a class have one name, one fingerprint, and callees of the same classes.
IdVector<ProcedureId, std::size_t> classes_of(const Program& program) {
  IdVector<ProcedureId, std::size_t> classes(program.procedures.size());
  IdVector<ProcedureId, std::vector<ProcedureId>> callees(program.procedures.size());
  std::map<std::pair<std::string, std::vector<std::size_t>>, std::size_t> first;
  for (ProcedureId id : program.procedures.keys()) {
    Fingerprint made{program.procedures[id]};
    callees[id] = std::move(made.callees);
    classes[id] =
        first.emplace(std::pair{program.procedures[id].name, std::move(made.numbers)}, first.size()).first->second;
  }
  std::size_t count = first.size();
  while (true) {
    std::map<std::vector<std::size_t>, std::size_t> refined;
    IdVector<ProcedureId, std::size_t> next(program.procedures.size());
    for (ProcedureId id : program.procedures.keys()) {
      std::vector<std::size_t> key{classes[id]};
      for (ProcedureId callee : callees[id]) key.push_back(classes[callee]);
      next[id] = refined.emplace(std::move(key), refined.size()).first->second;
    }
    classes = std::move(next);
    if (refined.size() == count) return classes;
    count = refined.size();
  }
}

}  // namespace

void merge_copies(Program& program) {
  const IdVector<ProcedureId, std::size_t> classes = classes_of(program);
  std::map<std::size_t, ProcedureId> kept;  // the new procedure of a class
  std::map<std::string, std::uint32_t> copies;
  IdVector<ProcedureId, Procedure> procedures;
  for (ProcedureId id : program.procedures.keys()) {
    if (!kept.emplace(classes[id], ProcedureId{procedures.size()}).second) continue;
    Procedure& procedure = program.procedures[id];
    procedure.copy = copies[procedure.name]++;
    procedures.push_back(std::move(procedure));
  }
  for (Procedure& procedure : procedures)
    for (Node& node : procedure.points) {
      if (auto* call = std::get_if<Call>(&node.instruction)) call->procedure = kept.at(classes[call->procedure]);
      if (auto* spawn = std::get_if<Spawn>(&node.instruction)) spawn->procedure = kept.at(classes[spawn->procedure]);
    }
  program.main = kept.at(classes[program.main]);
  program.procedures = std::move(procedures);
}

}  // namespace lockwood::program
