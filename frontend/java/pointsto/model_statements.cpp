#include <cassert>

#include "frontend/java/pointsto/statements.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

using namespace library;

// Follows the effects of a model. Their order does not matter here.
class ModelWriter {
 public:
  ModelWriter(Universe& universe, Procedure& procedure, const MethodModel& model, ProcedureId self)
      : universe_{universe}, procedure_{procedure}, self_{self}, locals_(model.locals.size()) {
    const auto type = jvm::parse_method_descriptor(procedure.descriptor);
    assert(type);
    if (type->result && type->result->class_name()) result_type_ = std::string{*type->result->class_name()};
    if (model.result && model.result->is_reference()) result_type_ = model.result->internal_name();
  }
  void write(const Effects& effects) {
    for (const Effect& effect : effects) {
      effect_ = &effect;
      std::visit([&](const auto& kind) { write_effect(kind); }, effect.kind);
    }
  }

 private:
  void add(Statement statement) { procedure_.statements.push_back(statement); }
  jvm::ClassId load(std::string_view name) { return universe_.hierarchy().load(name); }
  FieldKey key(ModelField field) { return universe_.named_field(universe_.models().name(field)); }
  Local local(ModelLocal id) {
    if (!locals_[id]) locals_[id] = procedure_.new_local();
    return *locals_[id];
  }
  Local made(ObjectId object) {
    const Local to = procedure_.new_local();
    add(AddObject{to, object});
    return to;
  }
  // The local that holds the value; nothing for null and numbers.
  std::optional<Local> value(const Value& value) {
    std::optional<Local> at = std::visit([&](const auto& root) { return root_of(root); }, value.root);
    for (ModelField field : value.path) {
      if (!at) return std::nullopt;
      const Local next = procedure_.new_local();
      add(LoadField{next, *at, key(field)});
      at = next;
    }
    return at;
  }
  std::optional<Local> root_of(const This&) {
    return procedure_.is_static ? std::nullopt : procedure_.parameters.front();
  }
  std::optional<Local> root_of(const Argument& argument) {
    const std::size_t index = argument.number - (procedure_.is_static ? 1 : 0);
    return index < procedure_.parameters.size() ? procedure_.parameters[index] : std::nullopt;
  }
  std::optional<Local> root_of(const LocalValue& value) { return local(value.local); }
  std::optional<Local> root_of(const StaticValue& value) {
    const Local to = procedure_.new_local();
    add(LoadStatic{to, universe_.static_model_field(value.owner, universe_.models().name(value.field))});
    return to;
  }
  std::optional<Local> root_of(const UnknownValue& unknown) {
    if (unknown.type && !unknown.type->is_reference()) return std::nullopt;
    if (unknown.type) return made(universe_.unknown(load(unknown.type->internal_name())));
    if (!result_type_) return std::nullopt;
    return made(universe_.unknown(load(*result_type_)));
  }
  std::optional<Local> root_of(const NullValue&) { return std::nullopt; }
  std::optional<Local> root_of(const PrimitiveValue&) { return std::nullopt; }
  // Which thread runs this is not known without its context: any.
  std::optional<Local> root_of(const CurrentThread&) { return made(universe_.unknown(load("java/lang/Thread"))); }
  std::optional<Local> root_of(const ClassObject& object) { return made(universe_.class_object(load(object.name))); }

  void add_event(const Value& object) {
    const Effect* const effect = effect_;
    procedure_.events.push_back({effect, value(object), in_loop_});
  }

  void write_effect(const StateAccess& access) { add_event(access.object); }
  void write_effect(const FieldStore& store) {
    const auto object = value(store.object);
    const auto from = value(store.value);
    if (object && from) add(StoreField{*object, key(store.field), *from});
  }
  void write_effect(const StaticStore& store) {
    if (const auto from = value(store.value))
      add(StoreStatic{universe_.static_model_field(store.owner, universe_.models().name(store.field)), *from});
  }
  void write_effect(const Assignment& assignment) {
    if (const auto from = value(assignment.value)) add(CopyLocal{local(assignment.local), *from, {}});
  }
  void write_effect(const Allocation& allocation) {
    const SiteId site = universe_.new_site({.procedure = self_,
                                            .instruction = {},
                                            .ordinal = allocations_++,
                                            .type = load(allocation.type.internal_name()),
                                            .lambda = {},
                                            .in_loop = in_loop_});
    add(Allocate{local(allocation.local), site});
  }
  void write_effect(const MethodCall& call) { add_call(call, in_loop_ ? CallFlavor::Loop : CallFlavor::Once, {}); }
  void write_effect(const ThreadSpawn& spawn) {
    std::vector<Local> handles;
    for (const Value& handle : spawn.handles)
      if (const auto at = value(handle)) handles.push_back(*at);
    add_call(spawn.call, CallFlavor::Spawn, std::move(handles));
  }
  void add_call(const MethodCall& call, CallFlavor flavor, std::vector<Local> handles) {
    Call made{.kind = call.receiver ? jvm::InvokeKind::Virtual : jvm::InvokeKind::Static,
              .owner = load(call.method.owner),
              .name = call.method.name,
              .descriptor =
                  universe_.keep(call.method.parameters + (call.method.result ? call.method.result->descriptor : "")),
              .arguments = {},
              .spread = {},
              .result = {},
              .raised = procedure_.thrown,
              .flavor = flavor,
              .in_loop = in_loop_,
              .instruction = {},
              .handles = std::move(handles),
              .written = &call};
    if (call.method.name == "<init>") made.kind = jvm::InvokeKind::Special;
    if (call.receiver) {
      const auto receiver = value(*call.receiver);
      if (!receiver) return;  // null
      made.arguments.push_back(receiver);
    }
    for (const Value& argument : call.arguments) made.arguments.push_back(value(argument));
    if (call.result) made.result = local(*call.result);
    for (const Handler& handler : call.handler) {
      made.raised = local(handler.local);
      write(handler.body);
    }
    add(MakeCall{procedure_.calls.push_back(std::move(made))});
  }
  void write_effect(const ThreadJoin& join) { add_event(join.handle); }
  void write_effect(const MonitorWait& wait) { add_event(wait.monitor); }
  void write_effect(const MonitorNotify& notify) { add_event(notify.monitor); }
  void write_effect(const ThreadInterrupt& interrupt) { add_event(interrupt.thread); }
  void write_effect(const LockAcquire& lock) { add_event(lock.lock); }
  void write_effect(const LockRelease& lock) { add_event(lock.lock); }
  void write_effect(const ReturnValue& result) {
    if (const auto from = value(result.value); from && procedure_.result) add(CopyLocal{*procedure_.result, *from, {}});
  }
  void write_effect(const MayThrow& exception) {
    add(AddObject{procedure_.thrown, universe_.unknown(load(exception.type.internal_name()))});
    if (exception.subject)
      add_event(*exception.subject);
    else
      procedure_.events.push_back({effect_, std::nullopt, in_loop_});
  }
  void write_effect(const ThrowValue& exception) {
    if (const auto from = value(exception.value)) add(CopyLocal{procedure_.thrown, *from, {}});
  }
  void write_effect(const ProgramExit&) { procedure_.events.push_back({effect_, std::nullopt, in_loop_}); }
  void write_effect(const Remark& remark) {
    procedure_.events.push_back({effect_, std::nullopt, in_loop_});
    if (remark.kind == Remark::Kind::Gap)
      universe_.add_gap({GapKind::Library, universe_.name(procedure_), remark.text});
  }
  void write_effect(const Repetition& repetition) {
    const bool outer = in_loop_;
    in_loop_ = in_loop_ || repetition.kind == Repetition::Kind::Loop;
    write(repetition.body);
    in_loop_ = outer;
  }
  void write_effect(const SynchronizedBlock& block) {
    add_event(block.monitor);
    write(block.body);
  }
  void write_effect(const OnResult& branch) { write(branch.body); }

  Universe& universe_;
  Procedure& procedure_;
  ProcedureId self_;
  IdVector<ModelLocal, std::optional<Local>> locals_;
  std::optional<std::string> result_type_;
  const Effect* effect_ = nullptr;
  std::uint32_t allocations_ = 0;
  bool in_loop_ = false;
};

}  // namespace

Procedure model_procedure(Universe& universe, jvm::ClassId owner, const MethodModel& model, std::string_view name,
                          std::string_view descriptor, ProcedureId self) {
  Procedure procedure{.origin = ModelOrigin{&model},
                      .owner = owner,
                      .name = std::string{name},
                      .descriptor = std::string{descriptor},
                      .is_static = model.is_static};
  declare_signature(procedure, procedure.descriptor);
  ModelWriter{universe, procedure, model, self}.write(model.effects);
  return procedure;
}

}  // namespace lockwood::java
