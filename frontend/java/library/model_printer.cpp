#include "frontend/java/library/model_printer.hpp"

#include <algorithm>

#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java::library {
namespace {

[[nodiscard]] std::string dotted(std::string_view internal_name) {
  std::string name{internal_name};
  std::ranges::replace(name, '/', '.');
  return name;
}
[[nodiscard]] std::string type_text(const TypeName& type) { return jvm::java_name(jvm::FieldType{type.descriptor}); }

class EffectPrinter {
 public:
  EffectPrinter(const Library& library, const MethodModel& method) : library_{library}, method_{method} {}

  [[nodiscard]] std::string list(const Effects& effects) const {
    std::string text;
    for (const Effect& effect : effects) {
      if (!text.empty()) text += "; ";
      text += std::visit(*this, effect.kind);
    }
    return text;
  }

  std::string operator()(const StateAccess& access) const {
    Value place = access.object;
    place.path.push_back(access.state);
    return (access.kind == StateAccess::Kind::Read ? std::string{"read "} : std::string{"write "}) +
           (access.is_volatile ? "volatile " : "") + value(place);
  }
  std::string operator()(const FieldStore& store) const {
    Value place = store.object;
    place.path.push_back(store.field);
    return value(place) + " <- " + value(store.value);
  }
  std::string operator()(const StaticStore& store) const {
    return dotted(store.owner) + "::" + field(store.field) + " <- " + value(store.value);
  }
  std::string operator()(const Assignment& assignment) const {
    return local(assignment.local) + " = " + value(assignment.value);
  }
  std::string operator()(const Allocation& allocation) const {
    return local(allocation.local) + " = new " + type_text(allocation.type);
  }
  std::string operator()(const MethodCall& call) const {
    std::string text = call.result ? local(*call.result) + " = call " : std::string{"call "};
    text += callee(call);
    for (const Handler& handler : call.handler) text += " catch " + local(handler.local) + " " + block(handler.body);
    return text;
  }
  std::string operator()(const ThreadSpawn& spawn) const {
    std::string text = "spawn " + callee(spawn.call);
    for (std::size_t i = 0; i < spawn.handles.size(); ++i) text += (i == 0 ? " as " : ", ") + value(spawn.handles[i]);
    return text;
  }
  std::string operator()(const ThreadJoin& join) const { return "join " + value(join.handle); }
  std::string operator()(const MonitorWait& wait) const { return "wait " + value(wait.monitor); }
  std::string operator()(const MonitorNotify& notify) const {
    return (notify.all ? "notify-all " : "notify ") + value(notify.monitor);
  }
  std::string operator()(const ThreadInterrupt& interrupt) const { return "interrupt " + value(interrupt.thread); }
  std::string operator()(const LockAcquire& lock) const {
    return (lock.blocks ? "lock " : "try-lock ") + value(lock.lock) + (lock.is_shared ? " shared" : "");
  }
  std::string operator()(const LockRelease& lock) const {
    return "unlock " + value(lock.lock) + (lock.is_shared ? " shared" : "");
  }
  std::string operator()(const ReturnValue& result) const { return "return " + value(result.value); }
  std::string operator()(const MayThrow& thrown) const {
    std::string text = "throws " + type_text(thrown.type);
    if (thrown.when == MayThrow::When::Interrupted) text += " if interrupted";
    if (thrown.when == MayThrow::When::IsNull) text += " if null " + value(thrown.subject.value());
    if (thrown.when == MayThrow::When::NotHeld) text += " unless held " + value(thrown.subject.value());
    return text;
  }
  std::string operator()(const ThrowValue& thrown) const { return "throw " + value(thrown.value); }
  std::string operator()(const ProgramExit&) const { return "exit"; }
  std::string operator()(const Remark& remark) const {
    return (remark.kind == Remark::Kind::Gap ? "gap \"" : "ignores \"") + remark.text + "\"";
  }
  std::string operator()(const Repetition& repetition) const {
    return (repetition.kind == Repetition::Kind::Loop ? "loop " : "maybe ") + block(repetition.body);
  }
  std::string operator()(const SynchronizedBlock& region) const {
    return "synchronized " + value(region.monitor) + " " + block(region.body);
  }
  std::string operator()(const OnResult& on) const { return (on.result ? "on true " : "on false ") + block(on.body); }

 private:
  [[nodiscard]] std::string block(const Effects& effects) const {
    return effects.empty() ? "{ }" : "{ " + list(effects) + " }";
  }
  [[nodiscard]] std::string local(ModelLocal id) const { return method_.locals[id]; }
  [[nodiscard]] std::string field(ModelField id) const { return std::string{library_.name(id)}; }

  // With the class and the types of the parameters: nothing is left to be inferred.
  [[nodiscard]] std::string callee(const MethodCall& call) const {
    std::string text = call.receiver ? value(*call.receiver) + "." : "";
    text += dotted(call.method.owner) + "::" + call.method.name;
    text += jvm::java_parameters(call.method.parameters + "V") + "(";
    for (std::size_t i = 0; i < call.arguments.size(); ++i) text += (i == 0 ? "" : ", ") + value(call.arguments[i]);
    return text + ")";
  }

  [[nodiscard]] std::string value(const Value& value) const {
    std::string text = std::visit([&](const auto& root) { return root_text(root); }, value.root);
    for (ModelField step : value.path) text += step == library_.array_elements() ? "[]" : "." + field(step);
    return text;
  }
  [[nodiscard]] std::string root_text(const This&) const { return "this"; }
  [[nodiscard]] std::string root_text(const Argument& argument) const { return std::to_string(argument.number); }
  [[nodiscard]] std::string root_text(const LocalValue& used) const { return local(used.local); }
  [[nodiscard]] std::string root_text(const StaticValue& used) const {
    return dotted(used.owner) + "::" + field(used.field);
  }
  [[nodiscard]] std::string root_text(const UnknownValue& unknown) const {
    return unknown.type ? "unknown " + type_text(*unknown.type) : "unknown";
  }
  [[nodiscard]] std::string root_text(const NullValue&) const { return "null"; }
  [[nodiscard]] std::string root_text(const PrimitiveValue&) const { return "_"; }
  [[nodiscard]] std::string root_text(const CurrentThread&) const { return "current-thread"; }
  [[nodiscard]] std::string root_text(const ClassObject& object) const { return "class " + dotted(object.name); }

  const Library& library_;
  const MethodModel& method_;
};

}  // namespace

std::string to_text(const Library& library, const MethodModel& method) {
  std::string text;
  if (method.is_static) text += "static ";
  if (method.is_synchronized) text += "synchronized ";
  if (method.is_wildcard) {
    text += "*";
  } else {
    if (method.result) text += type_text(*method.result) + " ";
    text += method.name + jvm::java_parameters(method.parameter_descriptor() + "V");
  }
  std::string effects = EffectPrinter{library, method}.list(method.effects);
  if (method.is_abstract) effects += "abstract";
  if (method.never_null) effects += effects.empty() ? "not-null" : "; not-null";
  return text + ": " + (effects.empty() ? "nothing" : effects);
}

std::string to_text(const Library& library, const ClassModel& model) {
  std::string text = (model.is_interface ? "interface " : "class ") + dotted(model.name);
  std::string supertypes;
  if (model.superclass && !model.is_interface) supertypes = dotted(*model.superclass);
  for (const std::string& interface : model.interfaces)
    supertypes += (supertypes.empty() ? "" : ", ") + dotted(interface);
  if (!supertypes.empty()) text += " : " + supertypes;
  text += "\n";
  for (ModelField state : model.states) text += "  state " + std::string{library.name(state)} + "\n";
  for (const TypedField& typed : model.fields)
    text += "  field " + std::string{library.name(typed.field)} + " : " + type_text(typed.type) + "\n";
  for (const ConstantField& constant : model.constants)
    text += "  constant " + constant.name + " " + type_text(constant.type) + "\n";
  for (const MethodModel& method : model.methods) text += "  " + to_text(library, method) + "\n";
  return text;
}

std::string to_text(const Library& library) {
  std::string text;
  for (ModelClass id : library.classes()) text += to_text(library, library[id]);
  return text;
}

}  // namespace lockwood::java::library
