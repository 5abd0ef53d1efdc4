#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/ids/symbol_table.hpp"
#include "frontend/java/pointsto/context.hpp"
#include "frontend/java/pointsto/ids.hpp"
#include "jvm/code/method_body.hpp"
#include "jvm/hierarchy/class_hierarchy.hpp"

namespace lockwood::java {

// What makes objects: an instruction, or an effect of a model of the library.
struct AllocationSite {
  ProcedureId procedure;
  std::optional<jvm::InstructionId> instruction;  // of code; a model has none
  std::uint32_t ordinal = 0;                      // among the sites of one instruction or model
  jvm::ClassId type;                              // of a lambda: the interface
  std::optional<jvm::DynamicCallId> lambda;       // the call that makes the object
  bool in_loop = false;                           // of a model
};

enum class ObjectKind : std::uint8_t {
  Allocation,      // site and heap context
  ClassObject,     // of `type`; its own type is java.lang.Class
  StringConstant,  // `text`
  Unknown,         // an object of a library type, or of a subtype, of which nothing else is known
  Implicit,        // an exception that the machine throws
  Method,          // a java.lang.reflect.Method: all methods of `type` with the name `text`
  Constructor,     // a java.lang.reflect.Constructor: those of `type`
  Constant,        // in a static field of the library, such as System.out: `text`
};

struct AbstractObject {
  ObjectKind kind = ObjectKind::Unknown;
  jvm::ClassId type;   // the class that virtual calls select by
  jvm::ClassId about;  // of class objects and reflected members: the class that is reflected; else `type`
  SiteId site{0};      // of allocations
  ContextId heap{0};   // of allocations
  std::string text;    // of string constants and reflected methods
};

// A field of objects, or a static one. Fields of models are known by their names alone: an object has one class.
struct Field {
  std::optional<jvm::FieldId> declaration;
  jvm::ClassId owner;
  std::string name;
  bool is_static = false;
  bool is_volatile = false;
  bool is_final = false;
  std::optional<ObjectId> initial;  // what it may hold without an assignment: constants, and fields of the library
};

}  // namespace lockwood::java
