#include "jvm/hierarchy/resolution.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "jvm/classfile/class_attributes.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::jvm {
namespace {

ResolutionFailure not_found(const ClassHierarchy& hierarchy, ClassId owner) {
  return hierarchy.has_absent_supertype(owner) ? ResolutionFailure::Absent : ResolutionFailure::NoSuchMember;
}

// All methods of superinterfaces with this name and descriptor, neither private nor static.
std::vector<MethodId> inherited_from_interfaces(const ClassHierarchy& hierarchy, ClassId id, Signature signature) {
  std::vector<MethodId> found;
  for (ClassId interface : hierarchy.superinterfaces(id)) {
    const auto method = hierarchy.declared_method(interface, signature);
    if (!method) continue;
    const Access access = hierarchy.member(*method).access;
    if (!access.is_private() && !access.is_static()) found.push_back(*method);
  }
  return found;
}

std::vector<MethodId> with_body(const ClassHierarchy& hierarchy, std::vector<MethodId> methods) {
  std::erase_if(methods, [&](MethodId method) { return hierarchy.member(method).access.is_abstract(); });
  return methods;
}

// A method of this name and descriptor that some loaded class declares stands for the signature.
std::optional<Signature> known_signature(const ClassHierarchy& hierarchy, ClassId owner, std::string_view name,
                                         std::string_view descriptor) {
  for (std::optional<ClassId> id = owner; id; id = hierarchy.superclass(*id))
    if (const auto method = hierarchy.declared_method(*id, name, descriptor)) return hierarchy.signature(*method);
  for (ClassId interface : hierarchy.superinterfaces(owner))
    if (const auto method = hierarchy.declared_method(interface, name, descriptor)) return hierarchy.signature(*method);
  return std::nullopt;
}

// The last steps of both kinds of resolution: the one maximally specific method with a body, else any that is
// inherited.
MethodResolution resolve_in_interfaces(const ClassHierarchy& hierarchy, ClassId owner, std::string_view name,
                                       std::string_view descriptor) {
  const auto signature = known_signature(hierarchy, owner, name, descriptor);
  if (!signature) return not_found(hierarchy, owner);
  const auto bodies = with_body(hierarchy, maximally_specific(hierarchy, owner, *signature));
  if (bodies.size() == 1) return bodies.front();
  const auto any = inherited_from_interfaces(hierarchy, owner, *signature);
  if (!any.empty()) return any.front();
  return not_found(hierarchy, owner);
}

// The one method of this name in MethodHandle or VarHandle, if callers choose its descriptor.
std::optional<MethodId> polymorphic_method(const ClassHierarchy& hierarchy, ClassId owner, std::string_view name) {
  std::optional<MethodId> found;
  for (MethodId method : hierarchy.methods(owner)) {
    if (hierarchy.member(method).name != name) continue;
    if (found) return std::nullopt;
    found = method;
  }
  return found && is_signature_polymorphic(hierarchy, *found) ? found : std::nullopt;
}

// Fields of interfaces, depth first in the order in which they are declared.
std::optional<FieldId> field_of_interfaces(const ClassHierarchy& hierarchy, ClassId owner, std::string_view name,
                                           std::string_view descriptor) {
  std::vector<ClassId> stack{owner};
  std::vector<ClassId> visited;
  while (!stack.empty()) {
    const ClassId id = stack.back();
    stack.pop_back();
    if (std::ranges::find(visited, id) != visited.end()) continue;
    visited.push_back(id);
    if (const auto field = hierarchy.declared_field(id, name, descriptor)) return field;
    const auto interfaces = hierarchy.interfaces(id);
    stack.insert(stack.end(), interfaces.rbegin(), interfaces.rend());
  }
  return std::nullopt;
}

std::string_view nest_of(const ClassHierarchy& hierarchy, ClassId id) {
  const ClassFile* file = hierarchy.file(id);
  return file == nullptr ? hierarchy.name(id) : nest_host(*file).value_or(file->name);
}

// Selection in a class and its superclasses, by `fits`, and then in its superinterfaces.
template <class Fits>
MethodResolution select_from(const ClassHierarchy& hierarchy, ClassId start, MethodId resolved, const Fits& fits) {
  const Signature signature = hierarchy.signature(resolved);
  for (std::optional<ClassId> id = start; id; id = hierarchy.superclass(*id)) {
    const auto method = hierarchy.declared_method(*id, signature);
    if (!method || !fits(*method)) continue;
    if (hierarchy.member(*method).access.is_abstract()) return ResolutionFailure::Abstract;
    return *method;
  }
  const auto bodies = with_body(hierarchy, maximally_specific(hierarchy, start, signature));
  if (bodies.size() == 1) return bodies.front();
  if (bodies.size() > 1) return ResolutionFailure::Ambiguous;
  return hierarchy.has_absent_supertype(start) ? ResolutionFailure::Absent : ResolutionFailure::Abstract;
}

}  // namespace

std::string_view to_string(ResolutionFailure failure) {
  constexpr auto texts =
      std::to_array<std::string_view>({"no class declares it", "an absent class may declare it",
                                       "it names a class for an interface or an interface for a class",
                                       "several interfaces have a body for it", "nobody has a body for it"});
  assert(static_cast<std::size_t>(failure) < texts.size());
  return texts[static_cast<std::size_t>(failure)];
}

FieldResolution resolve_field(const ClassHierarchy& hierarchy, ClassId owner, std::string_view name,
                              std::string_view descriptor) {
  for (std::optional<ClassId> id = owner; id; id = hierarchy.superclass(*id))
    if (const auto field = field_of_interfaces(hierarchy, *id, name, descriptor)) return *field;
  return not_found(hierarchy, owner);
}

MethodResolution resolve_method(const ClassHierarchy& hierarchy, ClassId owner, std::string_view name,
                                std::string_view descriptor) {
  if (hierarchy.is_interface(owner)) return ResolutionFailure::IncompatibleClass;
  for (std::optional<ClassId> id = owner; id; id = hierarchy.superclass(*id)) {
    if (const auto method = polymorphic_method(hierarchy, *id, name)) return *method;
    if (const auto method = hierarchy.declared_method(*id, name, descriptor)) return *method;
  }
  return resolve_in_interfaces(hierarchy, owner, name, descriptor);
}

MethodResolution resolve_interface_method(const ClassHierarchy& hierarchy, ClassId owner, std::string_view name,
                                          std::string_view descriptor) {
  if (!hierarchy.is_interface(owner))
    return hierarchy.is_absent(owner) ? ResolutionFailure::Absent : ResolutionFailure::IncompatibleClass;
  if (const auto method = hierarchy.declared_method(owner, name, descriptor)) return *method;
  // Interfaces have the public methods of Object, though they are no subclasses.
  if (const auto object = hierarchy.superclass(owner))
    if (const auto method = hierarchy.declared_method(*object, name, descriptor)) {
      const Access access = hierarchy.member(*method).access;
      if (access.is_public() && !access.is_static()) return *method;
    }
  return resolve_in_interfaces(hierarchy, owner, name, descriptor);
}

std::vector<MethodId> maximally_specific(const ClassHierarchy& hierarchy, ClassId id, Signature signature) {
  const auto all = inherited_from_interfaces(hierarchy, id, signature);
  std::vector<MethodId> most;
  for (MethodId method : all) {
    const ClassId owner = hierarchy.owner(method);
    const bool overridden = std::ranges::any_of(
        all, [&](MethodId other) { return other != method && hierarchy.is_subtype(hierarchy.owner(other), owner); });
    if (!overridden) most.push_back(method);
  }
  return most;
}

bool can_override(const ClassHierarchy& hierarchy, MethodId method, MethodId overridden) {
  if (method == overridden) return true;
  if (hierarchy.signature(method) != hierarchy.signature(overridden)) return false;
  const Access mine = hierarchy.member(method).access;
  const Access theirs = hierarchy.member(overridden).access;
  if (mine.is_private() || theirs.is_private()) return false;
  if (theirs.is_public() || theirs.is_protected()) return true;
  const ClassId low = hierarchy.owner(method);
  const ClassId high = hierarchy.owner(overridden);
  if (hierarchy.package(low) == hierarchy.package(high)) return true;
  // Or some method between the two is overridden by the one and overrides the other. Going up from `method`, the
  // classes between are looked at once each: `reached` holds the declarations that `method` can override.
  std::vector<MethodId> reached{method};
  for (auto id = hierarchy.superclass(low); id && *id != high; id = hierarchy.superclass(*id)) {
    const auto between = hierarchy.declared_method(*id, hierarchy.signature(method));
    if (!between || hierarchy.member(*between).access.is_private()) continue;
    const Access access = hierarchy.member(*between).access;
    const bool in_reach =
        access.is_public() || access.is_protected() || std::ranges::any_of(reached, [&](MethodId lower) {
          return hierarchy.package(hierarchy.owner(lower)) == hierarchy.package(*id);
        });
    if (!in_reach) continue;
    if (hierarchy.package(*id) == hierarchy.package(high)) return true;
    reached.push_back(*between);
  }
  return false;
}

MethodResolution select_method(const ClassHierarchy& hierarchy, ClassId receiver, MethodId resolved) {
  assert(!hierarchy.member(resolved).access.is_static());
  if (hierarchy.member(resolved).access.is_private()) return resolved;
  return select_from(hierarchy, receiver, resolved, [&](MethodId method) {
    return !hierarchy.member(method).access.is_static() && can_override(hierarchy, method, resolved);
  });
}

MethodResolution select_special(const ClassHierarchy& hierarchy, ClassId caller, ClassId owner, MethodId resolved) {
  const bool upwards = hierarchy.member(resolved).name != "<init>" && !hierarchy.is_interface(owner) &&
                       caller != owner && hierarchy.is_subtype(caller, owner) && hierarchy.superclass(caller);
  const ClassId start = upwards ? *hierarchy.superclass(caller) : owner;
  const auto is_instance = [&](MethodId method) { return !hierarchy.member(method).access.is_static(); };
  if (!hierarchy.is_interface(start)) return select_from(hierarchy, start, resolved, is_instance);
  // Of an interface: its own method, a public one of Object, or the most specific one above it.
  if (const auto own = hierarchy.declared_method(start, hierarchy.signature(resolved)); own && is_instance(*own)) {
    if (hierarchy.member(*own).access.is_abstract()) return ResolutionFailure::Abstract;
    return *own;
  }
  return select_from(hierarchy, start, resolved, [&](MethodId method) {
    return is_instance(method) && hierarchy.member(method).access.is_public();
  });
}

bool is_signature_polymorphic(const ClassHierarchy& hierarchy, MethodId method) {
  const std::string_view owner = hierarchy.name(hierarchy.owner(method));
  if (owner != "java/lang/invoke/MethodHandle" && owner != "java/lang/invoke/VarHandle") return false;
  const Member& member = hierarchy.member(method);
  return member.descriptor.starts_with("([Ljava/lang/Object;)") && member.access.is_varargs() &&
         member.access.is_native();
}

bool may_access(const ClassHierarchy& hierarchy, ClassId from, ClassId owner, Access access) {
  if (from == owner || access.is_public()) return true;
  if (access.is_private()) return nest_of(hierarchy, from) == nest_of(hierarchy, owner);
  if (hierarchy.package(from) == hierarchy.package(owner)) return true;
  return access.is_protected() && hierarchy.is_subtype(from, owner);
}

}  // namespace lockwood::jvm
