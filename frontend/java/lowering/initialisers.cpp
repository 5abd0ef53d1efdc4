#include "frontend/java/lowering/initialisers.hpp"

#include <vector>

#include "frontend/java/lowering/lowering_context.hpp"

namespace lockwood::java {
namespace {

// Looks at an initialiser and at everything that it calls.
class Inspection {
 public:
  Inspection(const Facts& facts, jvm::ClassId type, CopyId initialiser)
      : facts_{facts}, flow_{facts.flow}, type_{type} {
    std::vector<CopyId> stack{initialiser};
    while (!stack.empty()) {
      const CopyId copy = stack.back();
      stack.pop_back();
      if (!copies_.insert(copy).second) continue;
      for (const CallEdge& edge : flow_.calls_of(copy)) {
        spawns_ = spawns_ || flow_.call(edge).flavor == CallFlavor::Spawn;
        stack.push_back(edge.callee);
      }
    }
  }
  [[nodiscard]] bool is_simple() const {
    if (spawns_) return false;
    for (CopyId copy : copies_) {
      const Procedure& procedure = flow_.procedure(copy);
      if (!procedure.code ? !is_quiet_model(copy) : !is_quiet_code(copy)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool made_here(const ObjectSet& objects) const {
    bool own = true;
    objects.for_each([&](ObjectId object) {
      if (flow_.universe().objects()[object].kind != ObjectKind::Allocation) own = false;
      for (CopyId maker : flow_.makers(object)) own = own && copies_.contains(maker);
    });
    return own;
  }
  [[nodiscard]] bool is_quiet_model(CopyId copy) const {
    for (const ModelEvent& event : flow_.procedure(copy).events) {
      const auto& kind = event.effect->kind;
      if (std::holds_alternative<library::MayThrow>(kind) || std::holds_alternative<library::Remark>(kind)) continue;
      const auto* access = std::get_if<library::StateAccess>(&kind);
      if (access != nullptr && (access->is_volatile || (event.object && made_here(flow_.objects(copy, *event.object)))))
        continue;
      return false;
    }
    return true;
  }
  [[nodiscard]] bool is_quiet_code(CopyId copy) const {
    const Procedure& procedure = flow_.procedure(copy);
    const jvm::MethodBody& body = procedure.code->body;
    if (body.synchronized) return false;
    const auto& constants = flow_.universe().hierarchy().file(procedure.owner)->constants;
    for (const jvm::Instruction& instruction : body.instructions) {
      const jvm::Operation& operation = instruction.operation;
      if (std::holds_alternative<jvm::MonitorEnter>(operation)) return false;
      std::optional<jvm::ConstantIndex> field;
      if (const auto* get = std::get_if<jvm::GetStatic>(&operation)) field = get->field;
      if (const auto* put = std::get_if<jvm::PutStatic>(&operation)) field = put->field;
      if (field && !is_own(flow_.universe().field(constants.member(*field)))) return false;
      const bool on_object =
          std::holds_alternative<jvm::GetField>(operation) || std::holds_alternative<jvm::PutField>(operation) ||
          std::holds_alternative<jvm::ArrayLoad>(operation) || std::holds_alternative<jvm::ArrayStore>(operation);
      if (on_object && !made_here(flow_.objects(copy, body.operands_of(instruction).front()))) return false;
    }
    return true;
  }
  // Of the class itself, or of a class without code to run first that never changes.
  [[nodiscard]] bool is_own(FieldKey key) const {
    const Field& field = flow_.universe().fields()[key];
    return field.owner == type_ || (facts_.final_fields.contains(key) && !flow_.initialisers().contains(field.owner)) ||
           field.initial.has_value();
  }

  const Facts& facts_;
  const PointsTo& flow_;
  jvm::ClassId type_;
  std::set<CopyId> copies_;
  bool spawns_ = false;
};

}  // namespace

std::set<jvm::ClassId> simple_initialisers(const Facts& facts) {
  std::set<jvm::ClassId> simple;
  for (const auto& [type, copy] : facts.flow.initialisers())
    if (Inspection{facts, type, copy}.is_simple()) simple.insert(type);
  return simple;
}

program::Point lower_trigger(LoweringContext& context, Graph& graph, jvm::ClassId type,
                             std::optional<jvm::ClassId> current, program::Point next) {
  const auto found = context.flow.initialisers().find(type);
  if (found == context.flow.initialisers().end() || context.simple_initialisers.contains(type) || current == type)
    return next;
  const ExceptionTargets none = [&](program::ExceptionClass) { return next; };
  const program::Lock lock = context.cells.initialiser_lock(type);
  return lower_region(
      context, graph, {{lock, {}}},
      [&](program::Point leave, const ExceptionTargets& targets) {
        // Whoever was started by the initialiser comes too late to run it, and waits for its end.
        if (context.current && !context.runs_outside(type, *context.current)) return leave;
        // An initialiser that throws makes its class unusable: an Error, which is not looked at.
        const program::Point run = lower_call(context, graph, {found->second, {}, {}, {}}, leave, targets, {}, 0);
        return graph.choose({run, leave});
      },
      next, none);
}

}  // namespace lockwood::java
