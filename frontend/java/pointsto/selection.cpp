#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "frontend/java/pointsto/statements.hpp"
#include "frontend/java/pointsto/universe.hpp"
#include "jvm/classfile/class_attributes.hpp"
#include "jvm/classfile/class_format_error.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/hierarchy/resolution.hpp"

// Which procedure a call runs. Classes whose bodies are analysed come by the rules of the machine; the library comes by
// its models, which know names and parameters only.
namespace lockwood::java {
namespace {

using namespace jvm;

// Calls of models may lack the result: then the parameters decide.
bool fits(std::string_view descriptor, std::string_view wanted) {
  if (wanted.ends_with(')')) return library::parameters_of(descriptor) == wanted;
  return descriptor == wanted;
}

// The declared method that fits. Of several, which differ by their results, the bridge: it calls the other one.
std::optional<MethodId> declared(const ClassHierarchy& hierarchy, ClassId type, std::string_view name,
                                 std::string_view descriptor) {
  if (!descriptor.ends_with(')')) return hierarchy.declared_method(type, name, descriptor);
  std::optional<MethodId> found;
  for (MethodId method : hierarchy.methods(type)) {
    const Member& member = hierarchy.member(method);
    if (member.name != name || !fits(member.descriptor, descriptor)) continue;
    if (!found || member.access.is_bridge()) found = method;
  }
  return found;
}

std::size_t parameter_count(std::string_view descriptor) {
  const auto type =
      parse_method_descriptor(descriptor.ends_with(')') ? std::string{descriptor} + "V" : std::string{descriptor});
  return type ? type->parameters.size() : 0;
}

}  // namespace

ProcedureId Universe::add_procedure(Procedure procedure) {
  procedure.first_call = call_count_;
  call_count_ += static_cast<std::uint32_t>(procedure.calls.size());
  procedures_.push_back(std::move(procedure));
  return ProcedureId{procedures_.size() - 1};
}

ProcedureId Universe::method(MethodId method) {
  const auto key = static_cast<std::uint32_t>(method.index());
  if (const auto known = of_method_.find(key); known != of_method_.end()) return known->second;
  const ClassId owner = hierarchy_.owner(method);
  const ProcedureId self{procedures_.size()};
  auto& reader = readers_[static_cast<std::uint32_t>(owner.index())];
  if (!reader) reader = std::make_unique<CodeReader>(*hierarchy_.file(owner));
  try {
    Procedure procedure = code_procedure(*this, *reader, method, self);
    assert(self.index() == procedures_.size());  // nobody asked for another procedure meanwhile
    add_procedure(std::move(procedure));
  } catch (const ClassFormatError& error) {
    const Member& member = hierarchy_.member(method);
    Procedure procedure =
        java::unmodelled_procedure(*this, owner, member.name, member.descriptor, member.access.is_static());
    add_gap({GapKind::Unreadable, name(procedure),
             fmt::format("the code cannot be read: {}", error.diagnostics().front().message)});
    add_procedure(std::move(procedure));
  }
  of_method_.emplace(key, self);
  return self;
}

std::optional<ProcedureId> Universe::class_initialiser(ClassId id) {
  if (!has_bodies(id)) return std::nullopt;
  const auto found = hierarchy_.declared_method(id, "<clinit>", "()V");
  return found ? std::optional{method(*found)} : std::nullopt;
}

ProcedureId Universe::of_lambda(SiteId site) {
  const auto key = static_cast<std::uint32_t>(site.index());
  if (const auto known = of_lambda_.find(key); known != of_lambda_.end()) return known->second;
  const ProcedureId self = add_procedure(java::lambda_procedure(*this, site, ProcedureId{procedures_.size()}));
  of_lambda_.emplace(key, self);
  return self;
}

std::optional<ProcedureId> Universe::of_model(ClassId type, const Select& call) {
  const auto model = models_.find(hierarchy_.name(type));
  if (!model) return std::nullopt;
  const auto found = models_.find_method(*model, call.name, call.descriptor);
  if (!found || found->method->is_abstract) return std::nullopt;
  std::string descriptor{call.descriptor};
  if (descriptor.ends_with(')')) descriptor += found->method->result ? found->method->result->descriptor : "V";
  const std::string key = fmt::format("model {}.{}{}", models_.name(found->owner), call.name, descriptor);
  if (const auto known = of_library_.find(key); known != of_library_.end()) return known->second;
  const ClassId owner = hierarchy_.load(models_.name(found->owner));
  const ProcedureId self{procedures_.size()};
  Procedure procedure = java::model_procedure(*this, owner, *found->method, call.name, descriptor, self);
  assert(self.index() == procedures_.size());
  add_procedure(std::move(procedure));
  of_library_.emplace(key, self);
  return self;
}

ProcedureId Universe::of_library(const Select& call, bool is_static) {
  const auto reflection = reflection_kind(hierarchy_.name(call.owner), call.name);
  const std::string key = fmt::format("{}{}.{}{}", reflection ? "reflection " : "", hierarchy_.name(call.owner),
                                      call.name, call.descriptor);
  if (const auto known = of_library_.find(key); known != of_library_.end()) return known->second;
  const ProcedureId self{procedures_.size()};
  Procedure procedure =
      reflection
          ? java::reflection_procedure(*this, call.owner, call.name, call.descriptor, is_static, *reflection, self)
          : java::unmodelled_procedure(*this, call.owner, call.name, call.descriptor, is_static);
  add_procedure(std::move(procedure));
  of_library_.emplace(key, self);
  return self;
}

std::optional<ProcedureId> Universe::select(ClassId type, const Select& call, bool is_static) {
  const std::string key = fmt::format("{} {} {}{}", is_static ? 's' : 'v', type.index(), call.name, call.descriptor);
  if (const auto known = selected_.find(key); known != selected_.end()) return known->second;
  const auto result = select_uncached(type, call, is_static);
  selected_.emplace(key, result);
  return result;
}

std::optional<ProcedureId> Universe::select_uncached(ClassId type, const Select& call, bool is_static) {
  const auto resolved = [&]() -> std::optional<MethodId> {
    if (is_static || call.descriptor.ends_with(')')) return std::nullopt;
    const MethodResolution found = hierarchy_.is_interface(call.owner)
                                       ? resolve_interface_method(hierarchy_, call.owner, call.name, call.descriptor)
                                       : resolve_method(hierarchy_, call.owner, call.name, call.descriptor);
    const auto* id = std::get_if<MethodId>(&found);
    return id != nullptr ? std::optional{*id} : std::nullopt;
  }();
  // A private method is the one that is named.
  if (resolved && hierarchy_.member(*resolved).access.is_private() && has_bodies(hierarchy_.owner(*resolved)))
    return method(*resolved);
  std::optional<ClassId> declares;  // the first class of the library that may have it
  const auto consider = [&](ClassId id) -> std::optional<ProcedureId> {
    const auto own = declared(hierarchy_, id, call.name, call.descriptor);
    if (has_bodies(id)) {
      if (!own) return std::nullopt;
      const Access access = hierarchy_.member(*own).access;
      if (access.is_abstract() || access.is_static() != is_static) return std::nullopt;
      if (resolved && !can_override(hierarchy_, *own, *resolved)) return std::nullopt;
      return method(*own);
    }
    if (reflection_kind(hierarchy_.name(id), call.name))
      return of_library({id, call.name, call.descriptor, call.parameter_count}, is_static);
    if (const auto model = of_model(id, call)) return model;
    if ((own || hierarchy_.is_absent(id)) && !declares) declares = id;
    return std::nullopt;
  };
  for (std::optional<ClassId> id = type; id; id = hierarchy_.superclass(*id))
    if (const auto found = consider(*id)) return found;
  // Subinterfaces are loaded after their superinterfaces.
  auto interfaces = hierarchy_.superinterfaces(type);
  std::ranges::reverse(interfaces);
  for (ClassId interface : interfaces)
    if (const auto found = consider(interface)) return found;
  if (!declares) return std::nullopt;
  return of_library({*declares, call.name, call.descriptor, call.parameter_count}, is_static);
}

std::optional<ProcedureId> Universe::target(ProcedureId caller, CallId id, std::optional<ObjectId> receiver) {
  const Procedure& from = procedure(caller);
  const Call& call = from.calls[id];
  const Select wanted{call.owner, call.name, call.descriptor, 0};
  const std::uint64_t number = from.first_call + id.index();
  if (call.kind == InvokeKind::Static) {
    const std::uint64_t key = number << 32U | 0xFFFFFFFFU;
    if (const auto known = targets_.find(key); known != targets_.end()) return known->second;
    return targets_.emplace(key, select(call.owner, wanted, true)).first->second;
  }
  assert(receiver);
  const AbstractObject& object = objects_[*receiver];
  if (!is_subtype(object.type, call.owner)) return std::nullopt;
  if (call.kind == InvokeKind::Special) {
    const std::uint64_t key = number << 32U | 0xFFFFFFFEU;
    if (const auto known = targets_.find(key); known != targets_.end()) return known->second;
    const auto special = [&]() -> std::optional<ProcedureId> {
      if (call.name == "<init>") {
        if (!has_bodies(call.owner)) {
          if (const auto model = of_model(call.owner, wanted)) return model;
          return of_library(wanted, false);
        }
        const auto own = hierarchy_.declared_method(call.owner, call.name, call.descriptor);
        return own ? std::optional{method(*own)} : std::nullopt;
      }
      const bool upwards = !hierarchy_.is_interface(call.owner) && from.owner != call.owner &&
                           hierarchy_.is_subtype(from.owner, call.owner) && hierarchy_.superclass(from.owner);
      return select(upwards ? *hierarchy_.superclass(from.owner) : call.owner, wanted, false);
    };
    return targets_.emplace(key, special()).first->second;
  }
  if (object.kind == ObjectKind::Allocation && sites_[object.site].lambda) {
    const AllocationSite& site = sites_[object.site];
    const DynamicCall& dynamic = procedure(site.procedure).code->body.dynamic_calls[*site.lambda];
    const auto& lambda = std::get<LambdaCall>(dynamic.effect);
    if (lambda.method == call.name && parameter_count(call.descriptor) == parameter_count(lambda.descriptor))
      return of_lambda(object.site);
  }
  const std::uint64_t key = number << 32U | object.type.index();
  if (const auto known = targets_.find(key); known != targets_.end()) return known->second;
  return targets_.emplace(key, select(object.type, wanted, false)).first->second;
}

const std::vector<ProcedureId>& Universe::overriding(ObjectId id) {
  const AbstractObject object = objects_[id];
  const bool is_lambda = object.kind == ObjectKind::Allocation && sites_[object.site].lambda.has_value();
  const auto key = static_cast<std::uint32_t>(is_lambda ? 2 * object.site.index() + 1 : 2 * object.type.index());
  if (const auto known = overriding_.find(key); known != overriding_.end()) return known->second;
  std::vector<ProcedureId> found;
  if (is_lambda) {
    found.push_back(of_lambda(object.site));
  } else if (object.kind == ObjectKind::Allocation && has_bodies(object.type)) {
    std::vector<ClassId> library;
    std::vector<ClassId> own;
    const auto sort_in = [&](ClassId type) { (has_bodies(type) ? own : library).push_back(type); };
    for (std::optional<ClassId> type = object.type; type; type = hierarchy_.superclass(*type)) sort_in(*type);
    for (ClassId type : hierarchy_.superinterfaces(object.type)) sort_in(type);
    const auto overrides = [&](const Member& member) {
      return std::ranges::any_of(library, [&](ClassId type) {
        const auto model = models_.find(hierarchy_.name(type));
        if (model) return models_.find_method(*model, member.name, member.descriptor).has_value();
        return hierarchy_.is_absent(type) ||
               hierarchy_.declared_method(type, member.name, member.descriptor).has_value();
      });
    };
    std::set<std::string> seen;  // a subclass hides what it overrides
    for (ClassId type : own)
      for (MethodId method_id : hierarchy_.methods(type)) {
        const Member& member = hierarchy_.member(method_id);
        if (member.access.is_static() || member.access.is_private() || member.access.is_abstract()) continue;
        if (member.name.starts_with('<') || member.name == "finalize") continue;
        if (!seen.insert(std::string{member.name} + std::string{member.descriptor}).second) continue;
        if (overrides(member)) found.push_back(method(method_id));
      }
  }
  return overriding_.emplace(key, std::move(found)).first->second;
}

std::vector<std::string_view> Universe::declared_exceptions(ClassId owner, std::string_view name,
                                                            std::string_view descriptor) const {
  const auto method = declared(hierarchy_, owner, name, descriptor);
  if (!method) return {};
  return jvm::declared_exceptions(*hierarchy_.file(owner), hierarchy_.member(*method));
}

std::vector<ProcedureId> Universe::methods_named(ClassId type, std::string_view name) {
  std::vector<ProcedureId> found;
  std::set<std::string> seen;
  for (std::optional<ClassId> id = type; id; id = hierarchy_.superclass(*id)) {
    if (!has_bodies(*id)) continue;
    for (MethodId method_id : hierarchy_.methods(*id)) {
      const Member& member = hierarchy_.member(method_id);
      if (member.name != name || member.access.is_abstract()) continue;
      if (seen.insert(std::string{member.descriptor}).second) found.push_back(method(method_id));
    }
  }
  return found;
}

}  // namespace lockwood::java
