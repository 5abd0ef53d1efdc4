#include "frontend/lw/parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "base/text/suggestion.hpp"
#include "frontend/lw/foreign.hpp"
#include "frontend/lw/max_errors.hpp"
#include "frontend/lw/scanner.hpp"

namespace lockwood::lw {
namespace {

constexpr std::array<std::string_view, 30> all_keywords{
    "var", "lock",  "proc",     "local",  "bool",  "int",  "if",    "else",   "while",     "choose",
    "or",  "break", "continue", "return", "spawn", "sync", "wait",  "notify", "notifyAll", "throw",
    "try", "catch", "print",    "assert", "skip",  "true", "false", "thread", "join",      "finish"};

// Thrown after an error was noted, to be caught where reading can go on.
struct SyntaxError {};
// Thrown when going on helps nobody.
struct GiveUp {};

struct BinaryOperator {
  std::string_view text;
  Operator op;
  int precedence;
};
// The scanner has complained about `|` and `&`; here they are read on as what they should be.
constexpr std::array<BinaryOperator, 15> binary_operators{{{"||", Operator::Or, 1},
                                                           {"|", Operator::Or, 1},
                                                           {"&", Operator::And, 2},
                                                           {"&&", Operator::And, 2},
                                                           {"==", Operator::Equal, 3},
                                                           {"!=", Operator::NotEqual, 3},
                                                           {"<", Operator::Less, 4},
                                                           {"<=", Operator::LessEqual, 4},
                                                           {">", Operator::Greater, 4},
                                                           {">=", Operator::GreaterEqual, 4},
                                                           {"+", Operator::Add, 5},
                                                           {"-", Operator::Subtract, 5},
                                                           {"*", Operator::Multiply, 6},
                                                           {"/", Operator::Divide, 6},
                                                           {"%", Operator::Remainder, 6}}};

struct AssignmentOperator {
  std::string_view text;
  std::optional<Operator> op;
};
constexpr std::array<AssignmentOperator, 6> assignment_operators{{{"=", std::nullopt},
                                                                  {"+=", Operator::Add},
                                                                  {"-=", Operator::Subtract},
                                                                  {"*=", Operator::Multiply},
                                                                  {"/=", Operator::Divide},
                                                                  {"%=", Operator::Remainder}}};

class Parser {
 public:
  Parser(std::string_view text, std::string_view file, Scan scan, StopToken stop)
      : text_{text}, file_{file}, scan_{std::move(scan)}, stop_{stop} {
    errors_ = std::move(scan_.errors);
    tree_.comments = std::move(scan_.comments);
  }

  SyntaxTree run() && {
    try {
      while (!at_end()) declaration_or_recover();
    } catch (const GiveUp&) {  // the errors say why
    }
    return result();
  }

  // Reads a declaration. Nothing if it ends before the tokens do, or if somebody wanted to know what comes behind them.
  std::optional<SyntaxTree> run_once() && {
    try {
      declaration_or_recover();
      if (at_ + 1 < scan_.tokens.size()) return std::nullopt;
    } catch (const GiveUp&) {  // nor does anybody else go on
    }
    if (saw_end_) return std::nullopt;
    return result();
  }

 private:
  SyntaxTree result() {
    if (errors_.empty()) return std::move(tree_);
    std::ranges::stable_sort(errors_, {}, &Diagnostic::at);
    if (errors_.size() > max_errors) errors_.resize(max_errors);
    throw InputError{std::move(errors_)};
  }

  // ---- Tokens

  [[nodiscard]] const Token& token() const { return token(at_); }
  [[nodiscard]] const Token& token(std::size_t index) const {
    if (scan_.tokens[index].kind == TokenKind::End) saw_end_ = true;
    return scan_.tokens[index];
  }
  [[nodiscard]] std::string_view text_of(const Token& token) const {
    return text_.substr(token.range.begin, token.range.end - token.range.begin);
  }
  [[nodiscard]] std::string_view peek() const { return text_of(token()); }
  [[nodiscard]] std::string_view peek_second() const {
    return at_ + 1 < scan_.tokens.size() ? text_of(token(at_ + 1)) : std::string_view{};
  }
  [[nodiscard]] bool at_end() const { return token().kind == TokenKind::End; }
  [[nodiscard]] bool at_name() const { return token().kind == TokenKind::Word && !is_keyword(peek()); }
  [[nodiscard]] std::uint32_t last_end() const { return at_ == 0 ? 0 : scan_.tokens[at_ - 1].range.end; }
  [[nodiscard]] TextRange since(std::uint32_t begin) const { return {begin, last_end()}; }

  bool accept(std::string_view expected) {
    if (at_end() || peek() != expected) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view expected, std::string_view where, std::string hint = {}) {
    if (accept(expected)) return;
    if (const std::string_view advice = advice_here(); !advice.empty()) hint = advice;
    std::string message = "expected '" + std::string{expected} + "' " + std::string{where} + found();
    // A forgotten `;` belongs behind what came before, not in front of the next line.
    if (expected == ";" && at_ > 0)
      fail({last_end() - 1, last_end()}, std::move(message), std::move(hint));
    else
      fail(token().range, std::move(message), std::move(hint));
  }
  [[nodiscard]] std::string found() const {
    if (at_end()) return ", found the end of the file";
    constexpr std::size_t longest = 40;
    std::string_view shown = peek();
    const bool clipped = shown.size() > longest;
    return ", found '" + std::string{shown.substr(0, longest)} + (clipped ? "…'" : "'");
  }

  // What to write instead of what other languages have, if this or what is before it is such a thing.
  [[nodiscard]] std::string_view advice_here() const {
    if (at_end()) return {};
    if (const std::string_view advice = advice_on_punctuation(peek()); !advice.empty()) return advice;
    for (std::size_t index : {at_, at_ - std::min<std::size_t>(at_, 1)}) {
      const Token& here = token(index);
      if (here.kind != TokenKind::Word || is_keyword(text_of(here))) continue;
      if (const auto foreign = foreign_word(text_of(here))) return foreign->advice;
    }
    return {};
  }

  void error(TextRange where, std::string message, std::string hint = {}) {
    Diagnostic diagnostic = diagnostic_at(file_, text_, where.begin, where.end - where.begin, std::move(message));
    diagnostic.hint = std::move(hint);
    errors_.push_back(std::move(diagnostic));
    if (errors_.size() >= max_errors) throw GiveUp{};
  }
  [[noreturn]] void fail(TextRange where, std::string message, std::string hint = {}) {
    error(where, std::move(message), std::move(hint));
    throw SyntaxError{};
  }

  // Counts how deep the parser is inside itself.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_{parser} {
      if (++parser_.depth_ <= nesting_limit) return;
      --parser_.depth_;
      parser_.error(parser_.token().range, "nested more than " + std::to_string(nesting_limit) + " deep");
      throw GiveUp{};
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  NameId name(std::string_view what) {
    if (!at_name()) {
      const bool keyword = token().kind == TokenKind::Word;
      fail(token().range, "expected " + std::string{what} + found(),
           keyword ? "'" + std::string{peek()} + "' is a word of the language" : std::string{});
    }
    const Token& here = token();
    ++at_;
    return tree_.names.push_back({std::string{text_of(here)}, here.range});
  }

  // ---- Declarations

  void declaration_or_recover() {
    try {
      declaration();
    } catch (const SyntaxError&) {
      recover_in_file();
    }
  }

  void declaration() {
    const std::uint32_t begin = token().range.begin;
    if (accept("var")) return shared_variables();
    if (accept("lock")) return locks();
    if (accept("proc")) return procedure(begin);
    if (accept("}")) {
      error(scan_.tokens[at_ - 1].range, "this '}' closes nothing");
      return;
    }
    if (at_name())
      if (const auto foreign = foreign_word(peek()))
        fail(token().range, not_there(peek()), std::string{foreign->advice});
    fail(token().range, "expected 'var', 'lock' or 'proc'" + found(), hint_of_declaration());
  }

  [[nodiscard]] std::string hint_of_declaration() const {
    if (token().kind != TokenKind::Word) return {};
    const std::string_view word = peek();
    if (word == "int" || word == "bool" || word == "local")
      return "a shared variable is declared by 'var x;', a procedure by 'proc f() { … }'";
    if (word == "thread") return "a thread handle is declared in a procedure: 'thread t = spawn f();'";
    if (is_keyword(word)) return "statements are inside of procedures: 'proc main() { … }'";
    return suggestion_hint(word, std::array<std::string_view, 3>{"var", "lock", "proc"});
  }
  [[nodiscard]] static std::string not_there(std::string_view word) {
    return "there is no '" + std::string{word} + "' in this language";
  }

  void shared_variables() {
    SharedVariables variables;
    do {
      const NameId variable = name("the name of a variable");
      std::optional<Integer> initial;
      if (accept("=")) initial = initial_value();
      variables.items.push_back({variable, initial});
    } while (accept(","));
    expect(";", "after the declaration");
    tree_.declarations.emplace_back(std::move(variables));
  }

  Integer initial_value() {
    if (accept("true")) return 1;
    if (accept("false")) return 0;
    const bool negative = accept("-");
    if (token().kind != TokenKind::Number) fail(token().range, "expected a number" + found());
    return number(negative);
  }

  void locks() {
    Locks declared;
    do declared.names.push_back(name("the name of a lock"));
    while (accept(","));
    expect(";", "after the declaration");
    tree_.declarations.emplace_back(std::move(declared));
  }

  void procedure(std::uint32_t begin) {
    if (peek() == "int" || peek() == "bool")
      fail(token().range, "expected the name of a procedure" + found(),
           "the type of the result is written behind the parameters: 'proc f(): " + std::string{peek()} + " { … }'");
    const NameId procedure_name = name("the name of a procedure");
    ProcedureDeclaration declared{.name = procedure_name, .parameters = {}, .result = {}, .body = {}, .range = {}};
    expect("(", "after the name of the procedure");
    if (!accept(")")) {
      do {
        if (peek() == "thread" || peek() == "lock") {
          error(token().range, "expected the name of a parameter" + found(),
                "locks and thread handles are not passed: a procedure names the lock, and joins what it has started");
          ++at_;
        }
        const bool is_bool = accept("bool");
        if (!is_bool) accept("int");
        declared.parameters.push_back({is_bool ? Type::Bool : Type::Int, name("the name of a parameter")});
      } while (accept(","));
      expect(")", "after the parameters");
    }
    if (accept(":")) {
      if (accept("bool"))
        declared.result = Type::Bool;
      else if (accept("int"))
        declared.result = Type::Int;
      else
        fail(token().range, "expected 'int' or 'bool'" + found(), std::string{advice_here()});
    }
    declared.body = block("as the body of the procedure");
    declared.range = since(begin);
    tree_.declarations.emplace_back(std::move(declared));
  }

  // To the next declaration. A procedure is never inside of a block.
  void recover_in_file() {
    std::size_t open = 0;
    while (!at_end()) {
      const std::string_view word = peek();
      if (word == "proc" || (open == 0 && (word == "var" || word == "lock"))) return;
      ++at_;
      if (word == "{") ++open;
      if (word == "}" && open > 0) --open;
    }
  }

  // ---- Statements

  Block block(std::string_view purpose) {
    const TextRange opening = token().range;
    expect("{", purpose);
    const Nesting nesting{*this};
    Block statements;
    while (!accept("}")) {
      if (at_end() || peek() == "proc") {
        unclosed(opening);
        return statements;
      }
      try {
        statements.push_back(statement());
      } catch (const SyntaxError&) {
        recover_in_block();
      }
    }
    return statements;
  }

  // The same end may be missing for several blocks: one error is enough.
  void unclosed(TextRange opening) {
    if (unclosed_at_ == at_) return;
    unclosed_at_ = at_;
    error(opening, "this block is not closed" + found());
  }

  // Behind the next `;` or block, or before the `}` that ends the current block.
  void recover_in_block() {
    std::size_t open = 0;
    while (!at_end() && peek() != "proc") {
      const std::string_view here = peek();
      if (here == "}" && open == 0) return;
      ++at_;
      if (here == "{") ++open;
      if (here == "}" && --open == 0) return;
      if (here == ";" && open == 0) return;
    }
  }

  Block body(std::string_view purpose) {
    if (peek() == "{") return block(purpose);
    const Nesting nesting{*this};
    return {statement()};
  }

  StatementId statement() {
    stop_.check();
    std::vector<NameId> labels;
    while (at_name() && peek_second() == ":") {
      labels.push_back(name("a label"));
      ++at_;
      if (peek() == "=") fail(token().range, "expected a statement" + found(), "an assignment is written 'x = 1;'");
    }
    const std::uint32_t begin = token().range.begin;
    StatementForm form = plain_statement();
    return tree_.statements.push_back({std::move(labels), std::move(form), since(begin)});
  }

  StatementForm plain_statement() {
    const std::uint32_t begin = token().range.begin;
    if (peek() == "{") return BlockStatement{block("")};
    if (accept("local")) return locals(Type::Int);
    if (accept("bool")) return locals(Type::Bool);
    if (accept("int")) return locals(Type::Int);
    if (accept("if")) return if_statement();
    if (accept("while")) {
      const ExpressionId condition = parenthesised("after 'while'");
      return WhileStatement{condition, body("as the body of the loop")};
    }
    if (accept("choose")) return choose();
    if (accept("sync")) {
      expect("(", "after 'sync'", "name a lock: 'sync (a) { … }'");
      const NameId lock = name("the name of a lock");
      expect(")", "after the lock");
      const TextRange header = since(begin);
      return SyncStatement{lock, body("after the lock"), header};
    }
    if (accept("finish")) {
      const TextRange header = since(begin);
      return FinishStatement{block("after 'finish'"), header};
    }
    if (accept("thread")) return threads();
    if (accept("try")) {
      Block tried = block("after 'try'");
      expect("catch", "after the block");
      if (peek() == "(") {
        error(token().range, "expected '{' after 'catch'" + found(), "there is one kind of exception: 'catch { … }'");
        skip_parentheses();
      }
      return TryStatement{std::move(tried), block("after 'catch'")};
    }
    if (const auto foreign = foreign_statement()) return read_foreign(*foreign);
    StatementForm form = simple_statement();
    return form;
  }

  // ---- Statements of other languages

  // What begins here, if the word cannot be a name where it is: it is not assigned to, counted up or called.
  [[nodiscard]] std::optional<ForeignWord> foreign_statement() const {
    if (!at_name()) return std::nullopt;
    const std::string_view next = peek_second();
    if (next == "++" || next == "--" ||
        std::ranges::find(assignment_operators, next, &AssignmentOperator::text) != assignment_operators.end())
      return std::nullopt;
    if (next == "(" && text_of(token(behind_parentheses(at_ + 1))) == ";") return std::nullopt;
    return foreign_word(peek());
  }

  // Behind the parenthesis that closes the one at this token; at the end if none does.
  [[nodiscard]] std::size_t behind_parentheses(std::size_t opening) const {
    std::size_t open = 0;
    for (std::size_t index = opening; index + 1 < scan_.tokens.size(); ++index) {
      const std::string_view here = text_of(token(index));
      if (here == "(") ++open;
      if (here == ")" && --open == 0) return index + 1;
    }
    return scan_.tokens.size() - 1;
  }
  void skip_parentheses() { at_ = behind_parentheses(at_); }

  // Says what to write instead, and reads on, for what is inside may have errors, too. The tree is thrown away.
  StatementForm read_foreign(const ForeignWord& foreign) {
    const std::string word{peek()};
    error(token().range, not_there(word), std::string{foreign.advice});
    ++at_;
    switch (foreign.kind) {
      case ForeignKind::Modifier:
        if (at_name() && (peek_second() == ";" || peek_second() == ",")) return locals(Type::Int);
        return plain_statement();
      case ForeignKind::TypeName:
        if (at_name()) return locals(Type::Int);
        break;
      case ForeignKind::Compound: {
        const bool has_header = peek() == "(";
        if (has_header) skip_parentheses();
        if (!has_header && peek() != "{") break;
        Block inner = body("");
        if (word == "do" && accept("while")) {
          if (peek() == "(") skip_parentheses();
          accept(";");
        }
        return BlockStatement{std::move(inner)};
      }
      case ForeignKind::Other: break;
    }
    throw SyntaxError{};
  }

  StatementForm simple_statement() {
    StatementForm form = SkipStatement{};
    const std::size_t first = at_;
    if (accept("skip")) {
    } else if (accept("break")) {
      form = BreakStatement{};
    } else if (accept("continue")) {
      form = ContinueStatement{};
    } else if (accept("throw")) {
      form = ThrowStatement{};
    } else if (accept("return")) {
      form = ReturnStatement{peek() == ";" ? std::nullopt : std::optional{expression()}};
    } else if (accept("print")) {
      expect("(", "after 'print'");
      form = PrintStatement{arguments()};
    } else if (accept("assert")) {
      form = AssertStatement{parenthesised("after 'assert'")};
    } else if (accept("spawn")) {
      if (peek() == "{")
        fail(token().range, "expected the name of a procedure" + found(), "a thread runs a procedure: 'spawn f();'");
      form = SpawnStatement{call(name("the name of a procedure"))};
    } else if (accept("join")) {
      if (peek() == "(")
        fail(token().range, "expected the name of a thread handle, or ';'" + found(), "write 'join t;', or 'join;'");
      form = JoinStatement{peek() == ";" ? std::nullopt : std::optional{name("the name of a thread handle, or ';'")}};
    } else if (accept("wait")) {
      form = WaitStatement{lock_in_parentheses()};
    } else if (accept("notify")) {
      form = NotifyStatement{lock_in_parentheses(), false};
    } else if (accept("notifyAll")) {
      form = NotifyStatement{lock_in_parentheses(), true};
    } else if (at_name()) {
      form = assignment_or_call();
    } else {
      fail(token().range, "expected a statement" + found(), hint_of_statement());
    }
    std::string hint;
    if (scan_.tokens[first].kind == TokenKind::Word && !is_keyword(text_of(scan_.tokens[first])) && !at_end())
      hint = suggestion_hint(text_of(scan_.tokens[first]), keywords_of_statements());
    expect(";", "after the statement", std::move(hint));
    return form;
  }

  [[nodiscard]] std::string hint_of_statement() const {
    if (peek() == "lock" && peek_second() == "(")
      return "a lock is held by 'sync (" +
             (at_ + 2 < scan_.tokens.size() ? std::string{text_of(token(at_ + 2))} : "a") +
             ") { … }', which also gives it back";
    if (peek() == "lock") return "locks are declared outside of procedures";
    if (peek() == "var")
      return "shared variables are declared outside of procedures; a local is 'local i;' or 'bool b;'";
    if (peek() == "++" || peek() == "--") return "write it behind the name: 'x" + std::string{peek()} + ";'";
    if (peek() == "else") return "there is no 'if' before it, or the 'if' has ended";
    return {};
  }

  static std::vector<std::string_view> keywords_of_statements() {
    return {all_keywords.begin() + 3, all_keywords.end()};
  }

  StatementForm assignment_or_call() {
    const NameId target = name("a name");
    if (peek() == "(") return CallStatement{call(target)};
    if (peek() == "=" && peek_second() == "spawn") {
      at_ += 2;
      return SpawnStatement{call(name("the name of a procedure")), target};
    }
    for (const auto& [step, op] : {std::pair{"++", Operator::Add}, std::pair{"--", Operator::Subtract}}) {
      const TextRange range = token().range;
      if (accept(step)) return Assignment{target, op, tree_.expressions.push_back({Number{1}, range})};
    }
    for (const auto& [text, op] : assignment_operators)
      if (accept(text)) return Assignment{target, op, expression()};
    const std::string_view written = tree_.names[target].text;
    std::string hint = suggestion_hint(written, keywords_of_statements());
    if (hint.empty() && at_name()) hint = "a local variable is declared by 'int i;', 'local i;' or 'bool b;'";
    fail(token().range, "expected '=' or '(' after '" + std::string{written} + "'" + found(), std::move(hint));
  }

  StatementForm locals(Type type) {
    DeclareLocals declared{type, {}};
    do {
      const NameId local = name("the name of a local variable");
      std::optional<ExpressionId> initial;
      if (accept("=")) initial = expression();
      declared.items.push_back({local, initial});
    } while (accept(","));
    expect(";", "after the declaration");
    return declared;
  }

  StatementForm threads() {
    DeclareThreads declared;
    do {
      const NameId handle = name("the name of a thread handle");
      std::optional<ExpressionId> started;
      if (accept("=")) {
        expect("spawn", "after '='", "a handle is assigned by a spawn only: thread t = spawn f();");
        started = call(name("the name of a procedure"));
      }
      declared.items.push_back({handle, started});
    } while (accept(","));
    expect(";", "after the declaration");
    return declared;
  }

  StatementForm if_statement() {
    IfStatement chosen;
    do {
      const ExpressionId condition = parenthesised("after 'if'");
      chosen.arms.push_back({condition, body("after the condition")});
      if (!accept("else")) return chosen;
    } while (accept("if"));
    chosen.otherwise = body("after 'else'");
    return chosen;
  }

  StatementForm choose() {
    ChooseStatement chosen;
    do chosen.branches.push_back(block("as a branch of 'choose'"));
    while (accept("or"));
    return chosen;
  }

  NameId lock_in_parentheses() {
    expect("(", "before the lock");
    if (peek() == ")") fail(token().range, "expected the name of a lock" + found(), "a lock is waited at: 'wait(a);'");
    const NameId lock = name("the name of a lock");
    expect(")", "after the lock");
    return lock;
  }

  // ---- Expressions

  ExpressionId parenthesised(std::string_view where) {
    expect("(", where, "a condition is in parentheses");
    const ExpressionId inner = expression();
    expect(")", "after the condition");
    return inner;
  }

  // After the opening parenthesis, to the closing one.
  std::vector<ExpressionId> arguments() {
    std::vector<ExpressionId> list;
    if (accept(")")) return list;
    do list.push_back(expression());
    while (accept(","));
    expect(")", "after the arguments");
    return list;
  }

  ExpressionId call(NameId procedure) {
    expect("(", "after the name of the procedure");
    std::vector<ExpressionId> list = arguments();
    std::size_t height = 0;
    for (ExpressionId argument : list) height = std::max(height, heights_[argument]);
    return make(CallExpression{procedure, std::move(list)}, since(tree_.names[procedure].range.begin), height + 1);
  }

  ExpressionId expression() { return binary(1); }

  ExpressionId binary(int least) {
    ExpressionId left = unary();
    while (true) {
      const auto* found = std::ranges::find_if(binary_operators, [&](const BinaryOperator& each) {
        return each.precedence >= least && !at_end() && each.text == peek();
      });
      if (found == binary_operators.end()) return left;
      ++at_;
      const ExpressionId right = binary(found->precedence + 1);
      const TextRange range{tree_.expressions[left].range.begin, tree_.expressions[right].range.end};
      left = make(Binary{found->op, left, right}, range, std::max(heights_[left], heights_[right]) + 1);
    }
  }

  ExpressionId unary() {
    const Nesting nesting{*this};
    const std::uint32_t begin = token().range.begin;
    if (accept("!")) {
      const ExpressionId operand = unary();
      return make(Unary{Operator::Not, operand}, since(begin), heights_[operand] + 1);
    }
    if (accept("-")) {
      if (token().kind == TokenKind::Number) {
        const Integer value = number(true);
        return make(Number{value}, since(begin), 1);
      }
      const ExpressionId operand = unary();
      return make(Unary{Operator::Negate, operand}, since(begin), heights_[operand] + 1);
    }
    return primary();
  }

  ExpressionId primary() {
    const TextRange range = token().range;
    if (accept("(")) {
      const ExpressionId inner = expression();
      expect(")", "after the expression");
      return inner;
    }
    if (accept("true")) return make(Truth{true}, range, 1);
    if (accept("false")) return make(Truth{false}, range, 1);
    if (accept("*")) return make(Anything{}, range, 1);
    if (token().kind == TokenKind::Number) return make(Number{number(false)}, range, 1);
    if (at_name()) {
      // Two words one after the other, as in `new T()`.
      if (const auto foreign = at_ + 1 < scan_.tokens.size() && token(at_ + 1).kind == TokenKind::Word
                                   ? foreign_word(peek())
                                   : std::nullopt;
          foreign && !is_keyword(peek_second())) {
        error(range, not_there(peek()), std::string{foreign->advice});
        ++at_;
        return primary();
      }
      const NameId used = name("a name");
      if (peek() == "(") return call(used);
      return make(NameUse{used}, range, 1);
    }
    fail(range, "expected an expression" + found(), hint_of_expression());
  }

  [[nodiscard]] std::string hint_of_expression() const {
    const std::string_view here = at_end() ? std::string_view{} : peek();
    if (here == "spawn") return "a handle is assigned by a statement alone: t = spawn f();";
    if (here == "join") return "'join t;' is a statement, and has no value";
    // `<<`: the first one was read as an operator.
    if ((here == "<" || here == ">") && last_end() != token().range.begin) return {};
    return std::string{here.empty() || here == "=" ? std::string_view{} : advice_on_punctuation(here)};
  }

  Integer number(bool negative) {
    const Token& here = token();
    const std::string_view digits = text_of(here);
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const auto greatest = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max()) + (negative ? 1 : 0);
    ++at_;
    if (problem != std::errc{} || value > greatest) {
      error(here.range, "this number does not fit into 64 bits");
      return 0;
    }
    return static_cast<Integer>(negative ? 0 - value : value);
  }

  // An expression of this height: as many nodes on its longest way down. A long sum is as high as it has terms.
  template <class Form>
  ExpressionId make(Form form, TextRange range, std::size_t height) {
    if (height > nesting_limit) {
      error(range, "this expression has more than " + std::to_string(nesting_limit) + " levels",
            "compute a part of it into a local variable first");
      throw GiveUp{};
    }
    heights_.resize(tree_.expressions.size());
    heights_.push_back(height);
    return tree_.expressions.push_back({std::move(form), range});
  }

  std::string_view text_;
  std::string_view file_;
  Scan scan_;
  StopToken stop_;
  std::size_t at_ = 0;
  mutable bool saw_end_ = false;  // somebody has looked behind the last token
  std::size_t depth_ = 0;
  std::optional<std::size_t> unclosed_at_;
  SyntaxTree tree_;
  IdVector<ExpressionId, std::size_t> heights_;
  std::vector<Diagnostic> errors_;
};

}  // namespace

std::span<const std::string_view> keywords() { return all_keywords; }

bool is_keyword(std::string_view word) { return std::ranges::find(all_keywords, word) != all_keywords.end(); }

SyntaxTree parse(std::string_view text, std::string_view file, StopToken stop) {
  if (text.size() >= std::numeric_limits<std::uint32_t>::max())
    throw InputError{std::string{file}, "the text is larger than 4 GiB"};
  return Parser{text, file, scan(text, file), stop}.run();
}

std::optional<SyntaxTree> parse_procedure(std::string_view text, std::string_view file, TextRange where) {
  Scan piece = scan(text, file, where);
  if (piece.tokens.size() < 2) return std::nullopt;
  const TextRange last = piece.tokens[piece.tokens.size() - 2].range;
  if (last.end != where.end || text.substr(last.begin, last.end - last.begin) != "}") return std::nullopt;
  return Parser{text, file, std::move(piece), {}}.run_once();
}

}  // namespace lockwood::lw
