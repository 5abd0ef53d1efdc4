#pragma once

#include "frontend/java/library/library.hpp"
#include "frontend/java/pointsto/procedure.hpp"
#include "frontend/java/pointsto/universe.hpp"

namespace lockwood::java {

// The statements of code of each origin. `self` is the id that the procedure will have. None of these asks the universe
// for another procedure.

// A method with a body that is read, or a native one. Throws ClassFormatError.
[[nodiscard]] Procedure code_procedure(Universe& universe, jvm::CodeReader& reader, jvm::MethodId method,
                                       ProcedureId self);
[[nodiscard]] Procedure model_procedure(Universe& universe, jvm::ClassId owner, const library::MethodModel& model,
                                        std::string_view name, std::string_view descriptor, ProcedureId self);
// The interface method of a lambda: it calls the handle with the captured values and its own arguments.
[[nodiscard]] Procedure lambda_procedure(Universe& universe, SiteId site, ProcedureId self);
// A method of the library without a model may call back what it is given, keep it, and return it.
[[nodiscard]] Procedure unmodelled_procedure(Universe& universe, jvm::ClassId owner, std::string_view name,
                                             std::string_view descriptor, bool is_static);
// Methods of the library that look at the program by names. Nothing: it is none of them.
[[nodiscard]] std::optional<ReflectionKind> reflection_kind(std::string_view owner, std::string_view name);
[[nodiscard]] Procedure reflection_procedure(Universe& universe, jvm::ClassId owner, std::string_view name,
                                             std::string_view descriptor, bool is_static, ReflectionKind kind,
                                             ProcedureId self);

// Locals for the parameters, the result and the exceptions of a procedure with this descriptor.
void declare_signature(Procedure& procedure, std::string_view descriptor);

}  // namespace lockwood::java
