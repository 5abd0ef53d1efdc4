#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "frontend/program/ir/expression.hpp"
#include "frontend/program/ir/source_range.hpp"

// Concurrent programs, whatever language they were written in: procedures as control-flow graphs over shared variables,
// locks and thread-local values. An instruction is one step, and touches shared state at most once. Values are exact;
// the model that lower() makes of a program forgets most of them, the interpreter does not.
namespace lockwood::program {

using Variable = Id<struct VariableTag>;
using Lock = Id<struct LockTag>;
using ProcedureId = Id<struct ProcedureTag>;
using Point = Id<struct PointTag>;    // a program point, in the graph of its procedure
using Region = Id<struct RegionTag>;  // a monitor or finish region of its procedure
using Group = Id<struct GroupTag>;    // threads that an activation of its procedure can wait for together
// Exceptions that the same handlers take. Number 0 is all exceptions of languages that know only one kind.
using ExceptionClass = Id<struct ExceptionClassTag>;

enum class Type { Int, Bool };

// The instructions. `next` is where the thread goes on. Expressions must not divide, except in Assign.
struct Skip {
  Point next;
  std::string what;  // what a person wrote: "skip", "throw"
};
struct Read {
  Variable variable;
  Local target;
  Point next;
};
struct Write {
  Variable variable;
  Expression value;
  Point next;
};
struct Assign {
  Local target;
  Expression value;
  Point next;
  std::optional<Point> on_failure;  // there iff the expression may divide
};
struct Branch {
  Expression condition;  // not 0: true
  Point if_true;
  Point if_false;
  // The local that is about to be set to what the condition decides, by an Assign on every way without a failure: `&&`
  // and `||` in a value. None where a statement is chosen.
  std::optional<Local> decides;
};
struct Choose {  // any one
  std::vector<Point> targets;
};
struct Call {
  ProcedureId procedure;
  std::vector<Expression> arguments;  // as many as the procedure has parameters
  std::optional<Local> result;        // of the procedure's result type
  Point next;
  Point on_throw;                       // of classes without a point of their own
  std::vector<Point> on_throw_of = {};  // by class, from 0
};
// Where an exception of this class leads to.
[[nodiscard]] inline Point handler_of(const Call& call, ExceptionClass thrown) {
  return thrown.index() < call.on_throw_of.size() ? call.on_throw_of[thrown.index()] : call.on_throw;
}
struct Membership {
  Group group;
  bool replace = false;  // the group is emptied first: a handle is assigned
  bool all = false;      // all threads that the new one starts become members, too, at any depth
};
struct Spawn {
  ProcedureId procedure;
  std::vector<Expression> arguments;
  Point next;
  std::vector<Membership> memberships = {};  // of the new thread, in groups of this activation; each group once
};
// Waits until all members of the groups of this activation have ended. A thread that an exception has ended has ended;
// one whose assertion failed has not.
struct Join {
  std::vector<Group> groups;
  Point next;
};
// Empties the groups, whose members run on.
struct Forget {
  std::vector<Group> groups;
  Point next;
};
// Takes the region's lock, if it has one, and goes on at its body. Only Leave leads out of a region, to one of its
// exits, and gives the lock back. A region without a lock is a finish region: a Leave waits until all threads have
// ended that were started inside, by this thread, by procedures called there, or by those threads. In the model, the
// region runs in a frame of its own.
struct Enter {
  Region region;
};
struct Leave {
  std::size_t exit;  // of the innermost region of this point
};
// Gives the lock back entirely, waits to be notified, and takes it again as often. A thread that does not hold it just
// waits to be notified.
struct Wait {
  Lock lock;
  Point next;
};
struct Notify {
  Lock lock;
  bool all;
  Point next;
};
struct Print {
  std::vector<Expression> values;
  Point next;
};
struct Assert {  // if 0, the thread has failed, and stands there for ever
  Expression condition;
  Point next;
};
struct Return {  // without a value, the result is 0; only outside regions
  std::optional<Expression> value;
};
struct Raise {  // leaves the procedure by an exception; only outside regions
  ExceptionClass thrown{0};
};
using Instruction = std::variant<Skip, Read, Write, Assign, Branch, Choose, Call, Spawn, Enter, Leave, Wait, Notify,
                                 Print, Assert, Return, Raise, Join, Forget>;

struct Node {
  Instruction instruction;
  std::optional<Region> region;  // the innermost one
  SourceRange range;
  std::uint32_t statement = 0;  // the simple statement or condition it belongs to, counted in the procedure from 1
  // Of an access in a program with copies of procedures: its number among those of its kind to the same field.
  std::uint32_t ordinal = 0;
  // Why the program need not do what the model does here: a row of Program::guesses.
  std::optional<std::uint32_t> guess = {};
  // What the maker of the program has to say about the point: a row of a table of its own.
  std::optional<std::uint32_t> mark = {};
};

// A lock that a region may take, or nothing, if locals of type Bool have these values.
struct LockChoice {
  std::optional<Lock> lock;
  std::vector<std::pair<Local, bool>> conditions = {};
  bool blocks = true;  // no: the region is entered only if the lock is free, so nobody waits for it there
};

// A piece of a procedure's graph that runs while a lock is held, or whose threads are waited for at its end. Invariant:
// its points are entered only at `body`, by the Enter of this region at `enter`, which belongs to `parent`; all exits
// belong to `parent` too.
struct MonitorRegion {
  std::optional<Lock> lock;  // none: a finish region, unless there are choices
  Point enter{0};
  Point body{0};
  std::vector<Point> exits;  // where to go on, by the number of the exit: falling through, return, break, throw, …
  std::optional<Region> parent;
  SourceRange range;
  std::vector<LockChoice> choices = {};  // any that fits; instead of `lock`
  bool shared = false;  // the lock is held for reading: other threads may do so too, and nobody has it to himself

  [[nodiscard]] bool is_finish() const { return !lock && choices.empty(); }
};

struct LocalInfo {
  std::string name;  // empty for values that nobody named
  Type type = Type::Int;
  SourceRange range;
};

struct GroupInfo {
  std::string name;  // of the handle; empty for all threads that the activation started itself
  SourceRange range;
};

// The first locals are the parameters; all others begin as 0. Each activation has its own groups, empty at first; their
// members run on when it ends.
struct Procedure {
  std::string name;
  std::uint32_t copy = 0;  // several procedures may be copies of one in the source; numbered from 0
  std::size_t parameters = 0;
  std::optional<Type> result;  // none: nobody returns a value
  IdVector<Local, LocalInfo> locals;
  Point entry{0};
  IdVector<Point, Node> points;
  IdVector<Region, MonitorRegion> regions;
  IdVector<Group, GroupInfo> groups;
  SourceRange range;  // all of it
};

struct VariableInfo {
  std::string name;
  Integer initial = 0;
  SourceRange range;
  std::string shown = {};  // how people call it, if not by its name: several variables may be one field
  bool races = true;       // no: accesses at the same time are no fault
  bool one_place = true;   // no: a summary of several places, so that writes overwrite nothing for certain
};
[[nodiscard]] inline const std::string& shown_name(const VariableInfo& variable) {
  return variable.shown.empty() ? variable.name : variable.shown;
}
struct LockInfo {
  std::string name;
  SourceRange range;
  // Locks of the same kind stand for any number of locks of the program, of which the model looks at so many.
  std::optional<std::uint32_t> kind = {};
};

// A name for a place. A thread is there when it is before the first step of the labelled statement.
struct Label {
  std::string name;
  ProcedureId procedure;
  Point point;
  SourceRange range;       // of the statement
  SourceRange name_range;  // of the name
};

struct Program {
  SourceFiles files;
  IdVector<Variable, VariableInfo> variables;
  IdVector<Lock, LockInfo> locks;
  IdVector<ProcedureId, Procedure> procedures;
  ProcedureId main{0};
  std::vector<Label> labels;  // in the order of the text; names are unique in the program
  // No: values were forgotten when the program was made, so the interpreter cannot run it.
  bool exact = true;
  std::vector<std::string> guesses = {};  // "the branch at A.java:10"
};

// Whether the region is one of the lock, or may be.
[[nodiscard]] bool may_take(const MonitorRegion& region, Lock lock);
// A name that no other procedure has: `main`, `Cache.get#2`.
[[nodiscard]] std::string unique_name(const Procedure& procedure);
// "sync a", "sync a or b", "read lock a", "finish".
[[nodiscard]] std::string region_text(const Program& program, const MonitorRegion& region);

// Whether threads of the program wait for each other's end anywhere.
[[nodiscard]] bool has_joins(const Program& program);

// Where a thread may go from here within its procedure; for Enter the body, for Leave the exit.
[[nodiscard]] std::vector<Point> successors(const Procedure& procedure, Point point);

// The instruction in a few words: "read x", "x = …", "sync (a)", "call f".
[[nodiscard]] std::string describe(const Program& program, ProcedureId procedure, Point point);

// Whether the program is well-formed, as the comments above promise: throws std::logic_error saying what is not.
void check_invariants(const Program& program);

}  // namespace lockwood::program
