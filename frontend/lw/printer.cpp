#include "frontend/lw/printer.hpp"

namespace lockwood::lw {
namespace {

struct Written {
  const char* text;
  int precedence;
};

Written written(Operator op) {
  switch (op) {
    case Operator::Or: return {"||", 1};
    case Operator::And: return {"&&", 2};
    case Operator::Equal: return {"==", 3};
    case Operator::NotEqual: return {"!=", 3};
    case Operator::Less: return {"<", 4};
    case Operator::LessEqual: return {"<=", 4};
    case Operator::Greater: return {">", 4};
    case Operator::GreaterEqual: return {">=", 4};
    case Operator::Add: return {"+", 5};
    case Operator::Subtract: return {"-", 5};
    case Operator::Multiply: return {"*", 6};
    case Operator::Divide: return {"/", 6};
    case Operator::Remainder: return {"%", 6};
    case Operator::Negate: return {"-", 7};
    case Operator::Not: return {"!", 7};
    case Operator::Truth: break;
  }
  return {"", 8};
}

class Printer {
 public:
  explicit Printer(const SyntaxTree& tree) : tree_{tree} {}

  std::string all() && {
    for (const Declaration& declaration : tree_.declarations) std::visit(*this, declaration);
    return std::move(out_);
  }
  std::string one(ExpressionId expression) && {
    print(expression, 0);
    return std::move(out_);
  }

  void operator()(const SharedVariables& variables) {
    out_ += "var ";
    for (std::size_t i = 0; i < variables.items.size(); ++i) {
      out_ += (i == 0 ? "" : ", ") + text(variables.items[i].name);
      if (variables.items[i].initial) out_ += " = " + std::to_string(*variables.items[i].initial);
    }
    out_ += ";\n";
  }
  void operator()(const Locks& locks) {
    out_ += "lock ";
    for (std::size_t i = 0; i < locks.names.size(); ++i) out_ += (i == 0 ? "" : ", ") + text(locks.names[i]);
    out_ += ";\n";
  }
  void operator()(const ProcedureDeclaration& procedure) {
    out_ += (out_.empty() ? "proc " : "\nproc ") + text(procedure.name) + '(';
    for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
      const auto& [type, name] = procedure.parameters[i];
      out_ += (i == 0 ? "" : ", ") + std::string{type == Type::Bool ? "bool " : ""} + text(name);
    }
    out_ += ")";
    if (procedure.result) out_ += *procedure.result == Type::Bool ? ": bool" : ": int";
    out_ += ' ';
    print(procedure.body);
    out_ += '\n';
  }

 private:
  [[nodiscard]] const std::string& text(NameId name) const { return tree_.names[name].text; }

  void indent() { out_.append(2 * depth_, ' '); }

  void print(const Block& block) {
    out_ += "{";
    if (block.empty()) {
      out_ += "}";
      return;
    }
    out_ += '\n';
    ++depth_;
    for (StatementId id : block) {
      indent();
      for (NameId label : tree_.statements[id].labels) out_ += text(label) + ": ";
      std::visit([this](const auto& form) { print(form); }, tree_.statements[id].form);
      out_ += '\n';
    }
    --depth_;
    indent();
    out_ += "}";
  }

  void print(const DeclareLocals& declared) {
    out_ += declared.type == Type::Bool ? "bool " : "local ";
    for (std::size_t i = 0; i < declared.items.size(); ++i) {
      out_ += (i == 0 ? "" : ", ") + text(declared.items[i].name);
      if (!declared.items[i].initial) continue;
      out_ += " = ";
      print(*declared.items[i].initial, 0);
    }
    out_ += ";";
  }
  void print(const Assignment& assignment) {
    out_ += text(assignment.target) + ' ' + (assignment.op ? written(*assignment.op).text : "") + "= ";
    print(assignment.value, 0);
    out_ += ";";
  }
  void print(const CallStatement& called) {
    print(called.call, 0);
    out_ += ";";
  }
  void print(const SpawnStatement& spawned) {
    if (spawned.handle) out_ += text(*spawned.handle) + " = ";
    out_ += "spawn ";
    print(spawned.call, 0);
    out_ += ";";
  }
  void print(const DeclareThreads& declared) {
    out_ += "thread ";
    for (std::size_t i = 0; i < declared.items.size(); ++i) {
      out_ += (i == 0 ? "" : ", ") + text(declared.items[i].name);
      if (!declared.items[i].call) continue;
      out_ += " = spawn ";
      print(*declared.items[i].call, 0);
    }
    out_ += ";";
  }
  void print(const JoinStatement& join) { out_ += join.handle ? "join " + text(*join.handle) + ";" : "join;"; }
  void print(const FinishStatement& finish) {
    out_ += "finish ";
    print(finish.block);
  }
  void print(const PrintStatement& printed) {
    out_ += "print";
    print(printed.values);
    out_ += ";";
  }
  void print(const AssertStatement& assertion) {
    out_ += "assert";
    condition(assertion.condition);
    out_ += ";";
  }
  void print(const SkipStatement&) { out_ += "skip;"; }
  void print(const IfStatement& chosen) {
    for (std::size_t i = 0; i < chosen.arms.size(); ++i) {
      out_ += i == 0 ? "if " : " else if ";
      condition(chosen.arms[i].condition);
      out_ += ' ';
      print(chosen.arms[i].block);
    }
    if (!chosen.otherwise) return;
    out_ += " else ";
    print(*chosen.otherwise);
  }
  void print(const WhileStatement& loop) {
    out_ += "while ";
    condition(loop.condition);
    out_ += ' ';
    print(loop.block);
  }
  void print(const ChooseStatement& chosen) {
    for (std::size_t i = 0; i < chosen.branches.size(); ++i) {
      out_ += i == 0 ? "choose " : " or ";
      print(chosen.branches[i]);
    }
  }
  void print(const BreakStatement&) { out_ += "break;"; }
  void print(const ContinueStatement&) { out_ += "continue;"; }
  void print(const ReturnStatement& ret) {
    out_ += ret.value ? "return " : "return";
    if (ret.value) print(*ret.value, 0);
    out_ += ";";
  }
  void print(const ThrowStatement&) { out_ += "throw;"; }
  void print(const SyncStatement& sync) {
    out_ += "sync (" + text(sync.lock) + ") ";
    print(sync.block);
  }
  void print(const WaitStatement& wait) { out_ += "wait(" + text(wait.lock) + ");"; }
  void print(const NotifyStatement& notify) {
    out_ += (notify.all ? "notifyAll(" : "notify(") + text(notify.lock) + ");";
  }
  void print(const TryStatement& attempt) {
    out_ += "try ";
    print(attempt.block);
    out_ += " catch ";
    print(attempt.handler);
  }
  void print(const BlockStatement& inner) { print(inner.block); }

  void condition(ExpressionId id) {
    out_ += '(';
    print(id, 0);
    out_ += ')';
  }

  void print(const std::vector<ExpressionId>& list) {
    out_ += '(';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out_ += ", ";
      print(list[i], 0);
    }
    out_ += ')';
  }

  // In parentheses where an operator that binds at least this tightly stands around it.
  void print(ExpressionId id, int least) {
    const Expression& expression = tree_.expressions[id];
    if (const auto* number = std::get_if<Number>(&expression.form)) {
      out_ += std::to_string(number->value);
    } else if (const auto* truth = std::get_if<Truth>(&expression.form)) {
      out_ += truth->value ? "true" : "false";
    } else if (std::holds_alternative<Anything>(expression.form)) {
      out_ += '*';
    } else if (const auto* used = std::get_if<NameUse>(&expression.form)) {
      out_ += text(used->name);
    } else if (const auto* call = std::get_if<CallExpression>(&expression.form)) {
      out_ += text(call->procedure);
      print(call->arguments);
    } else if (const auto* unary = std::get_if<Unary>(&expression.form)) {
      out_ += written(unary->op).text;
      // `--x` is another token, and `-5` is a number, not the negation of one.
      const bool doubled = unary->op == Operator::Negate && begins_with_minus(unary->operand);
      out_ += doubled ? "(" : "";
      print(unary->operand, doubled ? 0 : 7);
      out_ += doubled ? ")" : "";
    } else {
      const auto& binary = std::get<Binary>(expression.form);
      const auto [symbol, precedence] = written(binary.op);
      out_ += precedence < least ? "(" : "";
      print(binary.left, precedence);
      out_ += std::string{" "} + symbol + ' ';
      print(binary.right, precedence + 1);
      out_ += precedence < least ? ")" : "";
    }
  }

  [[nodiscard]] bool begins_with_minus(ExpressionId id) const {
    const Expression& expression = tree_.expressions[id];
    if (std::holds_alternative<Number>(expression.form)) return true;
    const auto* unary = std::get_if<Unary>(&expression.form);
    return unary != nullptr && unary->op == Operator::Negate;
  }

  const SyntaxTree& tree_;
  std::string out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string to_text(const SyntaxTree& tree) { return Printer{tree}.all(); }
std::string to_text(const SyntaxTree& tree, ExpressionId expression) { return Printer{tree}.one(expression); }

}  // namespace lockwood::lw
