#include "frontend/lw/reparse.hpp"

#include <algorithm>
#include <limits>

#include "frontend/lw/parser.hpp"
#include "frontend/lw/text_edit.hpp"

// Why it is enough to read one procedure. The edit leaves its first byte and its last one, `}`, as they are, and all
// that is outside. The scanner knows nothing but where it is: it gets to the first byte as before, and if a token `}`
// ends with the last byte, it goes on behind it as before. The parser is between two declarations at the first byte; if
// it has read one declaration at the last byte and has not looked behind, then it goes on as before, too. Errors are
// counted, but outside there are none.
namespace lockwood::lw {
namespace {

// Moves a node to other rows and other bytes. Distances are modulo the size of their type, so they may be negative.
struct Move {
  std::size_t names = 0;
  std::size_t expressions = 0;
  std::size_t statements = 0;
  std::uint32_t bytes = 0;

  void operator()(NameId& id) const { id = NameId{id.index() + names}; }
  void operator()(ExpressionId& id) const { id = ExpressionId{id.index() + expressions}; }
  void operator()(StatementId& id) const { id = StatementId{id.index() + statements}; }
  void operator()(TextRange& range) const {
    range.begin += bytes;
    range.end += bytes;
  }
  template <class T>
  void operator()(std::vector<T>& rows) const {
    for (T& each : rows) (*this)(each);
  }
  template <class T>
  void operator()(std::optional<T>& perhaps) const {
    if (perhaps) (*this)(*perhaps);
  }
  template <class... Forms>
  void operator()(std::variant<Forms...>& form) const {
    std::visit(*this, form);
  }

  void operator()(Name& name) const { (*this)(name.range); }
  void operator()(Comment& comment) const { (*this)(comment.range); }
  void operator()(Expression& expression) const { all(expression.form, expression.range); }
  void operator()(Statement& statement) const { all(statement.labels, statement.form, statement.range); }

  void operator()(Number&) const {}
  void operator()(Truth&) const {}
  void operator()(Anything&) const {}
  void operator()(NameUse& use) const { (*this)(use.name); }
  void operator()(Unary& unary) const { (*this)(unary.operand); }
  void operator()(Binary& binary) const { all(binary.left, binary.right); }
  void operator()(CallExpression& call) const { all(call.procedure, call.arguments); }

  void operator()(DeclareItem& item) const { all(item.name, item.initial); }
  void operator()(DeclareLocals& declared) const { (*this)(declared.items); }
  void operator()(Assignment& assignment) const { all(assignment.target, assignment.value); }
  void operator()(CallStatement& called) const { (*this)(called.call); }
  void operator()(SpawnStatement& spawned) const { all(spawned.call, spawned.handle); }
  void operator()(DeclareThreads::Item& item) const { all(item.name, item.call); }
  void operator()(DeclareThreads& declared) const { (*this)(declared.items); }
  void operator()(JoinStatement& join) const { (*this)(join.handle); }
  void operator()(FinishStatement& finish) const { all(finish.block, finish.header); }
  void operator()(PrintStatement& print) const { (*this)(print.values); }
  void operator()(AssertStatement& assertion) const { (*this)(assertion.condition); }
  void operator()(SkipStatement&) const {}
  void operator()(IfStatement::Arm& arm) const { all(arm.condition, arm.block); }
  void operator()(IfStatement& chosen) const { all(chosen.arms, chosen.otherwise); }
  void operator()(WhileStatement& loop) const { all(loop.condition, loop.block); }
  void operator()(ChooseStatement& chosen) const { (*this)(chosen.branches); }
  void operator()(BreakStatement&) const {}
  void operator()(ContinueStatement&) const {}
  void operator()(ReturnStatement& ret) const { (*this)(ret.value); }
  void operator()(ThrowStatement&) const {}
  void operator()(SyncStatement& sync) const { all(sync.lock, sync.block, sync.header); }
  void operator()(WaitStatement& wait) const { (*this)(wait.lock); }
  void operator()(NotifyStatement& notify) const { (*this)(notify.lock); }
  void operator()(TryStatement& attempt) const { all(attempt.block, attempt.handler); }
  void operator()(BlockStatement& inner) const { (*this)(inner.block); }

  void operator()(SharedVariables::Item& item) const { (*this)(item.name); }
  void operator()(SharedVariables& variables) const { (*this)(variables.items); }
  void operator()(Locks& locks) const { (*this)(locks.names); }
  void operator()(Parameter& parameter) const { (*this)(parameter.name); }
  void operator()(ProcedureDeclaration& procedure) const {
    all(procedure.name, procedure.parameters, procedure.body, procedure.range);
  }

 private:
  template <class... Parts>
  void all(Parts&... parts) const {
    ((*this)(parts), ...);
  }
};

// The rows that begin within the bytes. Rows of different declarations are in the order of the text.
template <class Row>
Rows rows_within(const std::vector<Row>& rows, TextRange bytes) {
  const auto before = [&](std::uint32_t byte) {
    const auto found = std::ranges::partition_point(rows, [&](const Row& row) { return row.range.begin < byte; });
    return static_cast<std::size_t>(found - rows.begin());
  };
  return {before(bytes.begin), before(bytes.end)};
}

// A part of a tree, and how far its bytes move.
struct Part {
  const SyntaxTree& tree;
  TextRange bytes;
  Rows declarations;
  std::uint32_t distance = 0;
};

// Puts trees together of the parts of others.
class Assembly {
 public:
  void add(const Part& part) {
    const Rows names = rows_within(part.tree.names.rows(), part.bytes);
    const Rows expressions = rows_within(part.tree.expressions.rows(), part.bytes);
    const Rows statements = rows_within(part.tree.statements.rows(), part.bytes);
    const Move move{.names = tree_.names.size() - names.begin,
                    .expressions = tree_.expressions.size() - expressions.begin,
                    .statements = tree_.statements.size() - statements.begin,
                    .bytes = part.distance};
    append(tree_.names, part.tree.names.rows(), names, move);
    append(tree_.expressions, part.tree.expressions.rows(), expressions, move);
    append(tree_.statements, part.tree.statements.rows(), statements, move);
    append(tree_.declarations, part.tree.declarations, part.declarations, move);
    append(tree_.comments, part.tree.comments, rows_within(part.tree.comments, part.bytes), move);
  }
  SyntaxTree result() && { return std::move(tree_); }

 private:
  template <class Table, class Row>
  static void append(Table& table, const std::vector<Row>& from, Rows rows, const Move& move) {
    if (table.empty()) table.reserve(from.size());
    for (std::size_t i = rows.begin; i < rows.end; ++i) {
      Row row = from[i];
      move(row);
      table.push_back(std::move(row));
    }
  }

  SyntaxTree tree_;
};

}  // namespace

std::optional<Reparsed> reparse(const SyntaxTree& before, std::string_view text_before, std::string_view text,
                                std::string_view file) {
  constexpr auto largest = std::numeric_limits<std::uint32_t>::max();
  if (text.size() >= largest) return std::nullopt;
  const TextEdit edit = difference(text_before, text);
  const auto found = std::ranges::find_if(before.declarations, [&](const Declaration& each) {
    const auto* procedure = std::get_if<ProcedureDeclaration>(&each);
    return procedure != nullptr && procedure->range.begin < edit.replaced.begin &&
           edit.replaced.end < procedure->range.end;
  });
  if (found == before.declarations.end()) return std::nullopt;
  const auto row = static_cast<std::size_t>(found - before.declarations.begin());
  const TextRange old_range = std::get<ProcedureDeclaration>(*found).range;
  const std::uint32_t distance = edit.length - (edit.replaced.end - edit.replaced.begin);
  const TextRange new_range{old_range.begin, old_range.end + distance};
  const auto procedure = parse_procedure(text, file, new_range);
  if (!procedure) return std::nullopt;
  Assembly assembly;
  assembly.add({before, {0, old_range.begin}, {0, row}});
  assembly.add({*procedure, new_range, {0, 1}});
  assembly.add({before, {old_range.end, largest}, {row + 1, before.declarations.size()}, distance});
  return Reparsed{std::move(assembly).result(), row};
}

Rows names_of(const SyntaxTree& tree, const ProcedureDeclaration& procedure) {
  return rows_within(tree.names.rows(), procedure.range);
}

}  // namespace lockwood::lw
