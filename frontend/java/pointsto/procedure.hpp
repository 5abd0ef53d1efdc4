#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "frontend/java/library/library.hpp"
#include "frontend/java/pointsto/ids.hpp"
#include "jvm/code/code_reader.hpp"
#include "jvm/hierarchy/class_hierarchy.hpp"

namespace lockwood::java {

// Code of any origin, as points-to analysis sees it: which references move where. The order of statements does not
// matter.

struct AddObject {
  Local to;
  ObjectId object;
};
struct Allocate {
  Local to;
  SiteId site;
};
struct CopyLocal {
  Local to;
  Local from;
  std::optional<FilterId> filter;
};
struct LoadField {
  Local to;
  Local base;
  FieldKey field;
};
struct StoreField {
  Local base;
  FieldKey field;
  Local from;
};
struct LoadStatic {
  Local to;
  FieldKey field;
};
struct StoreStatic {
  FieldKey field;
  Local from;
};
struct MakeCall {
  CallId call;
};
// Calls every method that an object in `given` overrides from the library.
struct CallBack {
  Local given;
  CallId call;
};
// The first use of a class runs its initialiser.
struct InitialiseClass {
  jvm::ClassId type;
};
enum class ReflectionKind : std::uint8_t {
  GetClass,
  ForName,
  FindMethod,
  FindConstructor,
  Instantiate,
  Invoke,
  EnumConstants,  // calls `values` of the class
};
// `subject` is the object that is asked, or the name of a class; `name` is that of a method.
struct Reflect {
  ReflectionKind kind;
  Local subject;
  std::optional<Local> name;
  std::optional<Local> receiver;  // of the method that is invoked
  Local result;
  std::optional<CallId> call;
};

using Statement = std::variant<AddObject, Allocate, CopyLocal, LoadField, StoreField, LoadStatic, StoreStatic, MakeCall,
                               CallBack, InitialiseClass, Reflect>;

enum class CallFlavor : std::uint8_t {
  Once,   // each time that it is reached
  Loop,   // any number of times
  Spawn,  // in a thread that is started here
};

struct Call {
  jvm::InvokeKind kind = jvm::InvokeKind::Static;
  jvm::ClassId owner;
  std::string_view name;
  std::string_view descriptor;  // empty: the one method of this name with so many parameters (calls of models)
  std::vector<std::optional<Local>> arguments;  // the receiver first; nothing where the argument is a number
  std::optional<Local> spread;                  // instead of all arguments but the receiver
  std::optional<Local> result;
  Local raised{0};  // where its exceptions go
  CallFlavor flavor = CallFlavor::Once;
  bool in_loop = false;       // of a model: it may be done any number of times
  bool same_context = false;  // of a lambda: the context of the caller is that of the callee
  bool unknown_too = false;   // with `spread`: an argument may be an unknown object of the parameter's type
  std::optional<jvm::InstructionId> instruction;  // of code
  std::vector<Local> handles;                     // with Spawn: the thread belongs to these objects
  const library::MethodCall* written = nullptr;   // of a model
};

// An effect of a model that is not about references alone: locks, waits, joins, accesses to a state.
struct ModelEvent {
  const library::Effect* effect = nullptr;
  std::optional<Local> object;
  bool in_loop = false;
};

// Where code comes from.
struct CodeOrigin {
  jvm::MethodId method;
};
struct ModelOrigin {  // of a method of the library
  const library::MethodModel* model;
};
struct LambdaOrigin {  // the method of the interface, in objects made there
  SiteId site;
};
struct UnmodelledOrigin {};
struct ReflectionOrigin {  // a method of the library that the analysis knows
  ReflectionKind kind;
};
using ProcedureOrigin = std::variant<CodeOrigin, ModelOrigin, LambdaOrigin, UnmodelledOrigin, ReflectionOrigin>;

struct Procedure {
  ProcedureOrigin origin;
  jvm::ClassId owner;
  std::string name;
  std::string descriptor;
  bool is_static = false;
  bool reported = false;                         // code of the application: its races are reported
  std::vector<std::optional<Local>> parameters;  // the receiver first; nothing for numbers
  std::optional<Local> result;
  Local thrown{0};  // exceptions that leave it
  std::vector<Statement> statements;
  IdVector<CallId, Call> calls;
  std::vector<ModelEvent> events;  // of a model, in the order of the text
  std::uint32_t local_count = 0;
  std::uint32_t first_call = 0;           // calls of all procedures are numbered together: first_call + index
  std::unique_ptr<jvm::MethodCode> code;  // of code
  IdVector<jvm::Register, std::optional<Local>> local_of;  // of code: registers with references

  Local new_local() { return Local{local_count++}; }
  // Of code: the calls of an instruction, which are neighbours.
  [[nodiscard]] IdRange<CallId> calls_at(jvm::InstructionId at) const;
  [[nodiscard]] bool is_code() const { return std::holds_alternative<CodeOrigin>(origin); }
};

}  // namespace lockwood::java
