#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ids/id.hpp"

// What a method of the library does, as far as an analysis of its callers must know: a small language of effects, which
// docs/java-models.md explains to users. Names of classes are in the form of class files: java/util/ArrayList.
namespace lockwood::java::library {

using ModelClass = Id<struct ModelClassTag>;
// A field or a state by its name alone. `element` of a list and `element` of a queue are the same field of different
// objects. `[]` is the elements of an array.
using ModelField = Id<struct ModelFieldTag>;
// A value that an effect computes and later effects of the same method use.
using ModelLocal = Id<struct ModelLocalTag>;

// The type of a parameter, a result or an object: a descriptor, such as I, [J or Ljava/lang/String;.
struct TypeName {
  std::string descriptor;
  [[nodiscard]] bool is_reference() const { return descriptor.starts_with('L') || descriptor.starts_with('['); }
  // java/util/List for Ljava/util/List;, and [I for [I: as constants of class files name classes. Requires a reference.
  [[nodiscard]] std::string internal_name() const;
  friend auto operator<=>(const TypeName&, const TypeName&) = default;
};

// A method by its static type. A virtual call runs what the receiver has for the name and parameters.
struct MethodName {
  std::string owner;  // java/util/Iterator
  std::string name;
  std::string parameters;          // (Ljava/lang/Object;I), the beginning of the descriptor
  std::optional<TypeName> result;  // nothing for void, or if no model tells it
  friend bool operator==(const MethodName&, const MethodName&) = default;
};

// ---- Values ----

struct This {
  friend bool operator==(const This&, const This&) = default;
};
// Numbered from 1, each parameter counts as one.
struct Argument {
  std::uint32_t number;
  friend bool operator==(const Argument&, const Argument&) = default;
};
struct LocalValue {
  ModelLocal local;
  friend bool operator==(const LocalValue&, const LocalValue&) = default;
};
// `CLASS::name`: a static field that only models know.
struct StaticValue {
  std::string owner;
  ModelField field;
  friend bool operator==(const StaticValue&, const StaticValue&) = default;
};
// Any object of the library that has this type; nothing: of the result type of the method. Never one that the
// application has made.
struct UnknownValue {
  std::optional<TypeName> type;
  friend bool operator==(const UnknownValue&, const UnknownValue&) = default;
};
struct NullValue {
  friend bool operator==(const NullValue&, const NullValue&) = default;
};
// A number of any primitive type: what it is does not matter. `_` in the text.
struct PrimitiveValue {
  friend bool operator==(const PrimitiveValue&, const PrimitiveValue&) = default;
};
// The object of class Thread that executes the method.
struct CurrentThread {
  friend bool operator==(const CurrentThread&, const CurrentThread&) = default;
};
// `class T`: the class object.
struct ClassObject {
  std::string name;
  friend bool operator==(const ClassObject&, const ClassObject&) = default;
};

using ValueRoot = std::variant<This, Argument, LocalValue, StaticValue, UnknownValue, NullValue, PrimitiveValue,
                               CurrentThread, ClassObject>;

// A root, and fields to follow from it: `1.owner.element`. `1[]` is an element of an array.
struct Value {
  ValueRoot root;
  std::vector<ModelField> path;
  friend bool operator==(const Value&, const Value&) = default;
};

// ---- Effects ----

struct Effect;
// Done in this order.
using Effects = std::vector<Effect>;

// `read contents`, `write 1[]`, `read volatile value`: an access to a state of the object, or to the elements of an
// array. Volatile accesses never race. Accesses move no objects: stores and values do.
struct StateAccess {
  enum class Kind : std::uint8_t { Read, Write };
  Kind kind;
  bool is_volatile;
  Value object;
  ModelField state;
  friend bool operator==(const StateAccess&, const StateAccess&) = default;
};

// `element <- 1`, `2[] <- 1[]`: the field may hold the value from now on, besides what it held. No access: it does not
// race.
struct FieldStore {
  Value object;
  ModelField field;
  Value value;
  friend bool operator==(const FieldStore&, const FieldStore&) = default;
};
// `Thread::handler <- 1`.
struct StaticStore {
  std::string owner;
  ModelField field;
  Value value;
  friend bool operator==(const StaticStore&, const StaticStore&) = default;
};

// `x = 1.element`.
struct Assignment {
  ModelLocal local;
  Value value;
  friend bool operator==(const Assignment&, const Assignment&) = default;
};
// `x = new java.util.ArrayList`, `x = new Object[]`: a new object, without a call of its constructor.
struct Allocation {
  ModelLocal local;
  TypeName type;
  friend bool operator==(const Allocation&, const Allocation&) = default;
};

// `x = call 1.apply(element) catch e { … }`. Static without a receiver. If the receiver is null or nobody, the call
// does nothing. With a handler, whatever the call throws is caught, held by `local`, and the handler's effects follow.
struct Handler;
struct MethodCall {
  std::optional<ModelLocal> result;
  std::optional<Value> receiver;
  MethodName method;
  std::vector<Value> arguments;
  std::vector<Handler> handler;  // at most one
  friend bool operator==(const MethodCall&, const MethodCall&) = default;
};
// `spawn this.run() as this`: a new thread that makes the call, which has no result and no handler. It belongs to each
// of the handles, for `join`.
struct ThreadSpawn {
  MethodCall call;
  std::vector<Value> handles;
  friend bool operator==(const ThreadSpawn&, const ThreadSpawn&) = default;
};
// `join this`: goes on when all threads that were spawned as this object so far have ended.
struct ThreadJoin {
  Value handle;
  friend bool operator==(const ThreadJoin&, const ThreadJoin&) = default;
};
// `wait this`, `notify this`, `notify-all this`: on the monitor or lock of the object, which is held.
struct MonitorWait {
  Value monitor;
  friend bool operator==(const MonitorWait&, const MonitorWait&) = default;
};
struct MonitorNotify {
  Value monitor;
  bool all;
  friend bool operator==(const MonitorNotify&, const MonitorNotify&) = default;
};
struct ThreadInterrupt {
  Value thread;
  friend bool operator==(const ThreadInterrupt&, const ThreadInterrupt&) = default;
};

// `lock this`, `lock owner shared`, `try-lock this`, `unlock this`: a lock that the method takes and its caller holds.
// A lock of java.util.concurrent, not the monitor of the object. A try-lock never blocks.
struct LockAcquire {
  Value lock;
  bool is_shared;
  bool blocks;
  friend bool operator==(const LockAcquire&, const LockAcquire&) = default;
};
struct LockRelease {
  Value lock;
  bool is_shared;
  friend bool operator==(const LockRelease&, const LockRelease&) = default;
};

// `return 1`: the result of the method. In a block it ends the method. Those of the method itself are its last effects,
// wherever the text has them; of several, the result is any.
struct ReturnValue {
  Value value;
  friend bool operator==(const ReturnValue&, const ReturnValue&) = default;
};

// `throws T`: the method may throw a new object of this class here, under a condition if there is one.
struct MayThrow {
  enum class When : std::uint8_t {
    Possible,
    Interrupted,  // `if interrupted`: the current thread may be interrupted
    IsNull,       // `if null V`
    NotHeld,      // `unless held V`: the thread does not hold the monitor or lock of V
  };
  TypeName type;
  When when = When::Possible;
  std::optional<Value> subject;  // with IsNull and NotHeld
  friend bool operator==(const MayThrow&, const MayThrow&) = default;
};
// `throw x`: this object, surely.
struct ThrowValue {
  Value value;
  friend bool operator==(const ThrowValue&, const ThrowValue&) = default;
};
// `exit`: the program ends.
struct ProgramExit {
  friend bool operator==(const ProgramExit&, const ProgramExit&) = default;
};

// `ignores "the latch"`: something that orders threads, and that the analysis does not look at: an assumption of kind
// "more schedules". `gap "reflection"`: something that makes the analysis unsound.
struct Remark {
  enum class Kind : std::uint8_t { Ignores, Gap };
  Kind kind;
  std::string text;
  friend bool operator==(const Remark&, const Remark&) = default;
};

// `loop …`: any number of times. `maybe …`: once or not at all.
struct Repetition {
  enum class Kind : std::uint8_t { Loop, Maybe };
  Kind kind;
  Effects body;
  friend bool operator==(const Repetition&, const Repetition&);
};
// `synchronized mutex { … }`: under the monitor of the object, which is left in all ways.
struct SynchronizedBlock {
  Value monitor;
  Effects body;
  friend bool operator==(const SynchronizedBlock&, const SynchronizedBlock&);
};
// `on true …`: done exactly if the method returns this boolean.
struct OnResult {
  bool result;
  Effects body;
  friend bool operator==(const OnResult&, const OnResult&);
};

struct Effect {
  std::variant<StateAccess, FieldStore, StaticStore, Assignment, Allocation, MethodCall, ThreadSpawn, ThreadJoin,
               MonitorWait, MonitorNotify, ThreadInterrupt, LockAcquire, LockRelease, ReturnValue, MayThrow, ThrowValue,
               ProgramExit, Remark, Repetition, SynchronizedBlock, OnResult>
      kind;
  friend bool operator==(const Effect&, const Effect&) = default;
};

struct Handler {
  ModelLocal local;
  Effects body;
  friend bool operator==(const Handler&, const Handler&) = default;
};

}  // namespace lockwood::java::library
