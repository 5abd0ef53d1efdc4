#include <array>
#include <cassert>

#include "frontend/java/pointsto/statements.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

using namespace jvm;

std::string_view box_of(FieldType type) {
  switch (type.text.front()) {
    case 'Z': return "java/lang/Boolean";
    case 'C': return "java/lang/Character";
    case 'F': return "java/lang/Float";
    case 'D': return "java/lang/Double";
    case 'B': return "java/lang/Byte";
    case 'S': return "java/lang/Short";
    case 'J': return "java/lang/Long";
    default: return "java/lang/Integer";
  }
}

struct Reflection {
  std::string_view owner;
  std::string_view name;
  ReflectionKind kind;
};
constexpr auto reflections = std::to_array<Reflection>({
    {"java/lang/Object", "getClass", ReflectionKind::GetClass},
    {"java/lang/Class", "forName", ReflectionKind::ForName},
    {"java/lang/Class", "getMethod", ReflectionKind::FindMethod},
    {"java/lang/Class", "getDeclaredMethod", ReflectionKind::FindMethod},
    {"java/lang/Class", "getConstructor", ReflectionKind::FindConstructor},
    {"java/lang/Class", "getDeclaredConstructor", ReflectionKind::FindConstructor},
    {"java/lang/Class", "newInstance", ReflectionKind::Instantiate},
    {"java/lang/reflect/Constructor", "newInstance", ReflectionKind::Instantiate},
    {"java/lang/reflect/Method", "invoke", ReflectionKind::Invoke},
    {"java/lang/Class", "getEnumConstants", ReflectionKind::EnumConstants},
});

// The call of a handle, with the captured values in front of the arguments.
class LambdaWriter {
 public:
  LambdaWriter(Universe& universe, Procedure& procedure, const DynamicCall& call, const LambdaCall& lambda,
               ProcedureId self)
      : universe_{universe}, procedure_{procedure}, call_{call}, lambda_{lambda}, self_{self} {}

  void write() {
    const MemberRef& target = lambda_.implementation.member;
    const auto type = parse_method_descriptor(target.descriptor);
    assert(type);
    gather_arguments();
    Call call{.kind = InvokeKind::Virtual,
              .owner = universe_.hierarchy().load(target.owner),
              .name = target.name,
              .descriptor = target.descriptor,
              .arguments = {},
              .spread = {},
              .result = {},
              .raised = procedure_.thrown,
              .same_context = true,
              .instruction = {},
              .handles = {}};
    std::optional<Local> made;
    switch (lambda_.implementation.kind) {
      case HandleKind::InvokeStatic:
        call.kind = InvokeKind::Static;
        add(InitialiseClass{call.owner});
        break;
      case HandleKind::InvokeSpecial: call.kind = InvokeKind::Special; break;
      case HandleKind::NewInvokeSpecial:
        call.kind = InvokeKind::Special;
        made = procedure_.new_local();
        add(InitialiseClass{call.owner});
        add(Allocate{*made,
                     universe_.new_site(
                         {.procedure = self_, .instruction = {}, .ordinal = 0, .type = call.owner, .lambda = {}})});
        arguments_.insert(arguments_.begin(), made);
        break;
      default: break;
    }
    box_arguments(*type, call.kind != InvokeKind::Static ? 1 : 0);
    call.arguments = std::move(arguments_);
    write_result(call, made, *type);
    add(MakeCall{procedure_.calls.push_back(std::move(call))});
  }

 private:
  void add(Statement statement) { procedure_.statements.push_back(statement); }
  void gather_arguments() {
    const auto captured = parse_method_descriptor(call_.descriptor);
    assert(captured);
    for (std::size_t i = 0; i < captured->parameters.size(); ++i) {
      if (captured->parameters[i].value_type() != ValueType::Reference) {
        arguments_.emplace_back();
        continue;
      }
      const Local value = procedure_.new_local();
      add(LoadField{value, procedure_.parameters.front().value(),
                    universe_.named_field("capture " + std::to_string(i))});
      arguments_.emplace_back(value);
    }
    // The first parameter is the lambda itself.
    arguments_.insert(arguments_.end(), procedure_.parameters.begin() + 1, procedure_.parameters.end());
  }
  // A number that the handle wants as an object is put into a box.
  void box_arguments(const MethodType& type, std::size_t receivers) {
    for (std::size_t i = 0; i < type.parameters.size(); ++i) {
      const std::size_t at = i + receivers;
      if (at >= arguments_.size() || arguments_[at]) continue;
      const auto name = type.parameters[i].class_name();
      if (!name) continue;
      const Local box = procedure_.new_local();
      add(AddObject{box, universe_.unknown(universe_.hierarchy().load(*name))});
      arguments_[at] = box;
    }
  }
  void write_result(Call& call, std::optional<Local> made, const MethodType& type) {
    if (!procedure_.result) return;
    if (made) {
      add(CopyLocal{*procedure_.result, *made, {}});
    } else if (type.result && type.result->value_type() == ValueType::Reference) {
      call.result = procedure_.result;
    } else if (type.result) {
      add(AddObject{*procedure_.result, universe_.unknown(universe_.hierarchy().load(box_of(*type.result)))});
    }
  }

  Universe& universe_;
  Procedure& procedure_;
  const DynamicCall& call_;
  const LambdaCall& lambda_;
  ProcedureId self_;
  std::vector<std::optional<Local>> arguments_;
};

// The descriptors of calls that models make may lack the result.
std::string with_result(std::string_view descriptor) {
  return descriptor.ends_with(')') ? std::string{descriptor} + "V" : std::string{descriptor};
}

}  // namespace

Procedure lambda_procedure(Universe& universe, SiteId site, ProcedureId self) {
  const AllocationSite& made_at = universe.sites()[site];
  const Procedure& maker = universe.procedure(made_at.procedure);
  const DynamicCall& call = maker.code->body.dynamic_calls[made_at.lambda.value()];
  const auto& lambda = std::get<LambdaCall>(call.effect);
  Procedure procedure{.origin = LambdaOrigin{site},
                      .owner = made_at.type,
                      .name = std::string{lambda.method},
                      .descriptor = std::string{lambda.descriptor}};
  declare_signature(procedure, procedure.descriptor);
  LambdaWriter{universe, procedure, call, lambda, self}.write();
  return procedure;
}

Procedure unmodelled_procedure(Universe& universe, ClassId owner, std::string_view name, std::string_view descriptor,
                               bool is_static) {
  Procedure procedure{.origin = UnmodelledOrigin{},
                      .owner = owner,
                      .name = std::string{name},
                      .descriptor = with_result(descriptor),
                      .is_static = is_static};
  declare_signature(procedure, procedure.descriptor);
  const auto add = [&](Statement statement) { procedure.statements.push_back(statement); };
  const Local given = procedure.new_local();
  const FieldKey kept = universe.named_field("kept");
  for (const auto& parameter : procedure.parameters)
    if (parameter) add(CopyLocal{given, *parameter, {}});
  // What is in arrays and in objects that were given something before counts as given.
  add(LoadField{given, given, universe.elements()});
  if (!is_static) {
    const Local receiver = procedure.parameters.front().value();
    add(LoadField{given, receiver, kept});
    add(StoreField{receiver, kept, given});
  }
  Call call{.kind = InvokeKind::Virtual,
            .owner = owner,
            .name = {},
            .descriptor = {},
            .arguments = {given},
            .spread = given,
            .result = given,
            .raised = procedure.thrown,
            .flavor = CallFlavor::Loop,
            .in_loop = true,
            .unknown_too = true,
            .instruction = {},
            .handles = {}};
  add(CallBack{given, procedure.calls.push_back(std::move(call))});
  const auto type = parse_method_descriptor(procedure.descriptor);
  if (type->result && type->result->class_name()) {
    const ClassId result = universe.hierarchy().load(*type->result->class_name());
    add(AddObject{procedure.result.value(), universe.unknown(result)});
    add(CopyLocal{procedure.result.value(), given,
                  universe.filter({.wanted = result, .not_wanted = {}, .is_cast = true})});
  }
  add(AddObject{procedure.thrown, universe.unknown(universe.hierarchy().load("java/lang/RuntimeException"))});
  for (std::string_view declared : universe.declared_exceptions(owner, name, descriptor))
    add(AddObject{procedure.thrown, universe.unknown(universe.hierarchy().load(declared))});
  return procedure;
}

std::optional<ReflectionKind> reflection_kind(std::string_view owner, std::string_view name) {
  for (const Reflection& reflection : reflections)
    if (reflection.owner == owner && reflection.name == name) return reflection.kind;
  return std::nullopt;
}

Procedure reflection_procedure(Universe& universe, ClassId owner, std::string_view name, std::string_view descriptor,
                               bool is_static, ReflectionKind kind, ProcedureId /*self*/) {
  Procedure procedure{.origin = ReflectionOrigin{kind},
                      .owner = owner,
                      .name = std::string{name},
                      .descriptor = with_result(descriptor),
                      .is_static = is_static};
  declare_signature(procedure, procedure.descriptor);
  assert(!procedure.parameters.empty() && procedure.parameters.front());
  Reflect reflect{.kind = kind,
                  .subject = procedure.parameters.front().value(),
                  .name = {},
                  .receiver = {},
                  .result = procedure.result.value_or(procedure.thrown),
                  .call = {}};
  if (kind == ReflectionKind::FindMethod) reflect.name = procedure.parameters[1];
  if (kind == ReflectionKind::Instantiate || kind == ReflectionKind::Invoke || kind == ReflectionKind::EnumConstants) {
    const Local elements = procedure.new_local();
    if (const auto& last = procedure.parameters.back(); last && procedure.parameters.size() > 1)
      procedure.statements.emplace_back(LoadField{elements, *last, universe.elements()});
    if (kind == ReflectionKind::Invoke) reflect.receiver = procedure.parameters[1];
    reflect.call = procedure.calls.push_back({.kind = InvokeKind::Virtual,
                                              .owner = owner,
                                              .name = {},
                                              .descriptor = {},
                                              .arguments = {},
                                              .spread = elements,
                                              .result = procedure.result,
                                              .raised = procedure.thrown,
                                              .instruction = {},
                                              .handles = {}});
  }
  procedure.statements.emplace_back(reflect);
  if (kind != ReflectionKind::EnumConstants)
    procedure.statements.emplace_back(AddObject{
        procedure.thrown, universe.unknown(universe.hierarchy().load("java/lang/ReflectiveOperationException"))});
  return procedure;
}

}  // namespace lockwood::java
