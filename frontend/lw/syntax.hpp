#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "frontend/program/ir/program.hpp"

// The syntax tree of a `.lw` program. Nodes lie in tables and refer to each other by their rows: the tree is a value,
// can be copied and edited, and no operation on it needs to recurse. A node's children have smaller rows than itself,
// and everything that belongs to one procedure is contiguous.
namespace lockwood::lw {

using program::Integer;
using program::Operator;
using program::Type;

using NameId = Id<struct NameTag>;
using ExpressionId = Id<struct ExpressionTag>;
using StatementId = Id<struct StatementTag>;

// Bytes of the text: [begin, end).
struct TextRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// An occurrence of a name, where it is declared or used.
struct Name {
  std::string text;
  TextRange range;
};

struct Number {
  Integer value;
};
struct Truth {
  bool value;
};
struct Anything {};  // `*`: either truth value
struct NameUse {
  NameId name;
};
struct Unary {
  Operator op;
  ExpressionId operand;
};
struct Binary {
  Operator op;
  ExpressionId left;
  ExpressionId right;
};
struct CallExpression {
  NameId procedure;
  std::vector<ExpressionId> arguments;
};
struct Expression {
  std::variant<Number, Truth, Anything, NameUse, Unary, Binary, CallExpression> form;
  TextRange range;
};

using Block = std::vector<StatementId>;

struct DeclareItem {
  NameId name;
  std::optional<ExpressionId> initial;
};
struct DeclareLocals {  // local i = 0, j;  bool ok;
  Type type;
  std::vector<DeclareItem> items;
};
struct Assignment {  // x = e;  x += e;
  NameId target;
  std::optional<Operator> op;
  ExpressionId value;
};
struct CallStatement {
  ExpressionId call;
};
struct SpawnStatement {  // spawn f(e);  t = spawn f(e);
  ExpressionId call;
  std::optional<NameId> handle = {};
};
struct DeclareThreads {  // thread t = spawn f(e), u;
  struct Item {
    NameId name;
    std::optional<ExpressionId> call;
  };
  std::vector<Item> items;
};
struct JoinStatement {  // join t;  join;
  std::optional<NameId> handle;
};
struct FinishStatement {
  Block block;
  TextRange header;  // `finish`
};
struct PrintStatement {
  std::vector<ExpressionId> values;
};
struct AssertStatement {
  ExpressionId condition;
};
struct SkipStatement {};
struct IfStatement {  // if … else if … else
  struct Arm {
    ExpressionId condition;
    Block block;
  };
  std::vector<Arm> arms;
  std::optional<Block> otherwise;
};
struct WhileStatement {
  ExpressionId condition;
  Block block;
};
struct ChooseStatement {
  std::vector<Block> branches;
};
struct BreakStatement {};
struct ContinueStatement {};
struct ReturnStatement {
  std::optional<ExpressionId> value;
};
struct ThrowStatement {};
struct SyncStatement {
  NameId lock;
  Block block;
  TextRange header;  // `sync (a)`
};
struct WaitStatement {
  NameId lock;
};
struct NotifyStatement {
  NameId lock;
  bool all;
};
struct TryStatement {
  Block block;
  Block handler;
};
struct BlockStatement {
  Block block;
};
using StatementForm =
    std::variant<DeclareLocals, Assignment, CallStatement, SpawnStatement, PrintStatement, AssertStatement,
                 SkipStatement, IfStatement, WhileStatement, ChooseStatement, BreakStatement, ContinueStatement,
                 ReturnStatement, ThrowStatement, SyncStatement, WaitStatement, NotifyStatement, TryStatement,
                 BlockStatement, DeclareThreads, JoinStatement, FinishStatement>;
struct Statement {
  std::vector<NameId> labels;
  StatementForm form;
  TextRange range;  // without labels
};

struct SharedVariables {
  struct Item {
    NameId name;
    std::optional<Integer> initial;
  };
  std::vector<Item> items;
};
struct Locks {
  std::vector<NameId> names;
};
struct Parameter {
  Type type;
  NameId name;
};
struct ProcedureDeclaration {
  NameId name;
  std::vector<Parameter> parameters;
  std::optional<Type> result;  // as written
  Block body;
  TextRange range;
};
using Declaration = std::variant<SharedVariables, Locks, ProcedureDeclaration>;

// A comment without its marks and the blanks around it.
struct Comment {
  std::string text;
  TextRange range;     // with the marks
  bool first = false;  // nothing is before it on its line
  bool alone = false;  // nor behind it
};

struct SyntaxTree {
  IdVector<NameId, Name> names;
  IdVector<ExpressionId, Expression> expressions;
  IdVector<StatementId, Statement> statements;
  std::vector<Declaration> declarations;
  std::vector<Comment> comments;  // in the order of the text
};

// The blocks directly inside a statement, in the order of the text.
[[nodiscard]] std::vector<const Block*> blocks_of(const Statement& statement);
[[nodiscard]] std::vector<Block*> blocks_of(Statement& statement);

}  // namespace lockwood::lw
