#pragma once

#include "base/ids/id.hpp"

namespace lockwood::java {

using ContextId = Id<struct ContextTag>;
using ObjectId = Id<struct AbstractObjectTag>;
using SiteId = Id<struct AllocationSiteTag>;
using FieldKey = Id<struct FieldKeyTag>;
using FilterId = Id<struct TypeFilterTag>;
using ProcedureId = Id<struct ProcedureTag>;
// A procedure in a context.
using CopyId = Id<struct CopyTag>;
// A variable of a procedure that holds references: a register, or one that the analysis made up.
using Local = Id<struct LocalTag>;
// A call in a procedure.
using CallId = Id<struct CallTag>;

}  // namespace lockwood::java
