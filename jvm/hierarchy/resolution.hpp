#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "jvm/hierarchy/class_hierarchy.hpp"

namespace lockwood::jvm {

// Why a reference to a member leads nowhere.
enum class ResolutionFailure {
  NoSuchMember,       // no class has it
  Absent,             // no class that we know has it, but an absent supertype may
  IncompatibleClass,  // a class where an interface is wanted, or the other way round
  Ambiguous,          // several interfaces have a body for it, and none is more specific than the others
  Abstract,           // selection: nobody has a body for it
};
[[nodiscard]] std::string_view to_string(ResolutionFailure failure);

using FieldResolution = std::variant<FieldId, ResolutionFailure>;
using MethodResolution = std::variant<MethodId, ResolutionFailure>;

// What a reference means: the declaration that the machine finds for the class, name and descriptor of a constant.
// Access is not checked, since compilers check it; may_access does.
[[nodiscard]] FieldResolution resolve_field(const ClassHierarchy& hierarchy, ClassId owner, std::string_view name,
                                            std::string_view descriptor);  // [lindholm.21.jvm, Sect. 5.4.3.2]
[[nodiscard]] MethodResolution resolve_method(const ClassHierarchy& hierarchy, ClassId owner, std::string_view name,
                                              std::string_view descriptor);  // [lindholm.21.jvm, Sect. 5.4.3.3]
[[nodiscard]] MethodResolution resolve_interface_method(
    const ClassHierarchy& hierarchy, ClassId owner, std::string_view name,
    std::string_view descriptor);  // [lindholm.21.jvm, Sect. 5.4.3.4]

// What runs when the resolved method is called on an object of the class: invokevirtual and invokeinterface
// [lindholm.21.jvm, Sect. 5.4.6]. Requires that the class is no interface, and a method that is not static.
[[nodiscard]] MethodResolution select_method(const ClassHierarchy& hierarchy, ClassId receiver, MethodId resolved);

// What invokespecial in a method of `caller` runs: the reference names `owner`, and resolves to `resolved`
// [lindholm.21.jvm, Sect. 6.5.invokespecial].
[[nodiscard]] MethodResolution select_special(const ClassHierarchy& hierarchy, ClassId caller, ClassId owner,
                                              MethodId resolved);

// The first method takes the place of the second in objects of its class [lindholm.21.jvm, Sect. 5.4.5].
[[nodiscard]] bool can_override(const ClassHierarchy& hierarchy, MethodId method, MethodId overridden);

// The methods of superinterfaces with this signature, neither private nor static, that no other of them overrides, in
// the order of their ids [lindholm.21.jvm, Sect. 5.4.3.3].
[[nodiscard]] std::vector<MethodId> maximally_specific(const ClassHierarchy& hierarchy, ClassId id,
                                                       Signature signature);

// The method takes and returns whatever its callers say: those of MethodHandle and VarHandle
// [lindholm.21.jvm, Sect. 2.9.3].
[[nodiscard]] bool is_signature_polymorphic(const ClassHierarchy& hierarchy, MethodId method);

// A method of class `from` may use a member of `owner` with this access [lindholm.21.jvm, Sect. 5.4.4]. Private members
// are for the nest.
[[nodiscard]] bool may_access(const ClassHierarchy& hierarchy, ClassId from, ClassId owner, Access access);

}  // namespace lockwood::jvm
