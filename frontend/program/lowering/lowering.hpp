#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "base/text/diagnostic.hpp"
#include "dpn/model/network.hpp"
#include "frontend/program/ir/program.hpp"

// The Monitor-DPN of a program. Integers and shared variables are forgotten: a branch on them may go either way. Locals
// of type Bool are known exactly: a stack symbol is a program point with the values of the bools that are still of
// interest there. What a procedure or region leaves to its caller (a bool result, an exception, the exit of a region
// and the bools it may have changed) is a control state, and the return point goes on accordingly.
namespace lockwood::program {

enum class AccessKind { Read, Write };

// A point that reads or writes a shared variable.
struct Access {
  Variable variable;
  AccessKind kind;
  ProcedureId procedure;
  Point point;
  std::uint32_t ordinal;  // among those of its procedure, variable and kind, from 1, as they are written and evaluated
  std::uint32_t statement;  // accesses with the same number in a procedure belong to one statement (as Node::statement)
  SourceRange range;
  bool races = true;                     // as VariableInfo::races
  bool one_place = true;                 // as VariableInfo::one_place: a write overwrites what others have written
  std::vector<dpn::StackSymbol> before;  // a thread there is about to do it; empty if control never gets there
  std::vector<dpn::StackSymbol> after;   // where it stands just after (others may get there on other ways)
  // Of the rules that do it, and of no other rule: def(x,main,3) for a write and use(x,main,2) for a read, with the
  // ordinal; so reaching definitions of the solver are those of the program.
  dpn::Action action;
};

// What a stack symbol stands for.
enum class SymbolRole {
  Before,     // a thread is before the point's instruction
  Returning,  // the point's call or region has been left, and what it left behind is about to be looked at
  Waiting,    // the point's wait has given the lock of its region up, and is about to take it again
  Failed,     // the point's assertion did not hold; for ever
  Start,      // a thread is about to enter its procedure, which may throw (for others it starts at the entry)
  Ending,     // the procedure of a thread has returned or thrown
  Uncaught,   // the thread was ended by an exception; for ever, if no thread of the program joins others
  Joined      // the threads of the point's finish region have ended, and it is about to be left
};
struct SymbolOrigin {
  ProcedureId procedure;
  Point point;  // the procedure's entry for Start, Ending and Uncaught
  SymbolRole role = SymbolRole::Before;
  std::vector<std::pair<Local, bool>> bools;  // what is known at it, by ascending local
};

// What a rule does.
struct RuleOrigin {
  ProcedureId procedure;
  Point point;
  std::string what;    // "write x", "sync (a)", "leave sync (a)", "call f", "spawn f", "return", "if true", …
  bool fails = false;  // by an exception: what the instruction would set is not set
};

// A label of the program with the symbols that stand before its statement; none if control never gets there.
struct LoweredLabel {
  std::string name;
  ProcedureId procedure;
  Point point;
  SourceRange range;  // of the statement: its accesses lie within
  std::vector<dpn::StackSymbol> symbols;
};

// A place that takes a lock. Monitors are those that the model knows: a region whose lock may be waited for in a call
// or another region inside gives it up in between, which a Monitor-DPN cannot say, and is an ordinary call in the
// model. So is a region that holds its lock for reading.
struct Acquisition {
  Lock lock;
  ProcedureId procedure;
  Point point;    // of the Enter
  Region region;  // of the procedure
  SourceRange range;
  bool monitor = true;
  bool certain = true;  // no: a thread that is there takes this lock, another one, or none
  bool shared = false;  // for reading
  bool blocks = true;   // no: it is taken only if it is free, so nobody waits for it here
  std::vector<dpn::StackSymbol> before;
};

struct Lowered {
  // Its locks have the numbers of the program's. Groups: `f.t` for a handle of f, `f.spawned` for all threads that an
  // activation of f starts itself, `finish` for the innermost finish region of a thread.
  dpn::Network network;
  std::vector<Access> accesses;  // by procedure, in the order of the text and its evaluation
  std::vector<LoweredLabel> labels;
  std::vector<Acquisition> acquisitions;  // by procedure and point
  IdVector<dpn::StackSymbol, SymbolOrigin> symbols;
  IdVector<dpn::RuleId, RuleOrigin> rules;
  std::vector<Diagnostic> notes;  // about monitors that became ordinary calls; without excerpts
};

struct LoweringOptions {
  struct Abstracted {  // a bool that the model shall not know
    std::string procedure;
    std::string local;
  };
  std::vector<Abstracted> abstracted;
  std::size_t valuations_per_point = 4096;  // more are an error
  bool exact_waits = true;                  // no: a region in which a thread waits is no monitor of the model
};

// Only what control can reach from main is in the network. Throws InputError: bools that make a procedure explode, or
// an abstracted one that does not exist. Throws Interrupted if asked to stop.
[[nodiscard]] Lowered lower(const Program& program, const LoweringOptions& options = {}, StopToken stop = {});

// `main:12`, or `main:12 (returning)`: for people.
[[nodiscard]] std::string place_name(const Program& program, const SymbolOrigin& origin);
// What a procedure of the model is that begins there: `worker`, `worker [careful]`, `sync guard in worker:12`,
// `thread worker` of threads before they enter their procedure.
[[nodiscard]] std::string procedure_title(const Program& program, const SymbolOrigin& origin);
// The values of bools, as names of symbols have them: ` [ok,!done]`; empty if there are none.
[[nodiscard]] std::string bools_text(const Program& program, const SymbolOrigin& origin);
[[nodiscard]] const SourceRange& range_of(const Program& program, const SymbolOrigin& origin);
[[nodiscard]] const SourceRange& range_of(const Program& program, const RuleOrigin& origin);

// The symbols that stand before an instruction on this line of the file, ascending.
[[nodiscard]] std::vector<dpn::StackSymbol> symbols_on_line(const Program& program, const Lowered& lowered,
                                                            SourceFile file, std::uint32_t line);

}  // namespace lockwood::program
