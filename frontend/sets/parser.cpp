#include "frontend/sets/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "frontend/sets/scanner.hpp"
#include "frontend/sets/words.hpp"

namespace lockwood::sets {
namespace {

constexpr std::size_t problem_limit = 20;

struct SyntaxError {};    // noted; reading goes on at the next statement
struct TooManyErrors {};  // noted; reading ends

class Parser {
 public:
  explicit Parser(SourcePtr source) : source_{std::move(source)}, tokens_{tokens_of(*source_, problems_)} {}

  Script run() {
    Script script{source_, {}};
    read_into(script);
    if (!problems_.empty()) throw InputError{std::move(problems_)};
    return script;
  }

  // Whether the first problem is that the text ends.
  bool is_unfinished() {
    Script script{source_, {}};
    read_into(script);
    return unfinished_;
  }

 private:
  void read_into(Script& script) {
    try {
      while (current().kind != TokenKind::End) {
        statement_into(script.statements);
        if (is("}")) {
          if (problems_.empty()) note(current().at, "there is no '{' that this closes");
          ++next_;
        }
      }
    } catch (const TooManyErrors&) {
    }
  }

  [[nodiscard]] const Token& current() const { return tokens_[next_]; }
  [[nodiscard]] bool is(std::string_view text) const {
    return (current().kind == TokenKind::Word || current().kind == TokenKind::Punctuation) && current().text == text;
  }
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    ++next_;
    return true;
  }

  void note(Extent at, std::string message, std::string hint = {}) {
    if (problems_.empty() && current().kind == TokenKind::End) unfinished_ = true;
    problems_.push_back(problem_at(*source_, at, std::move(message), std::move(hint)));
    if (problems_.size() >= problem_limit) throw TooManyErrors{};
  }
  [[noreturn]] void fail(Extent at, std::string message, std::string hint = {}) {
    note(at, std::move(message), std::move(hint));
    throw SyntaxError{};
  }
  [[noreturn]] void fail_expected(std::string_view expected) {
    fail(current().at,
         fmt::format("expected {}, found {}", expected,
                     current().kind == TokenKind::End ? "the end of the script" : fmt::format("'{}'", current().text)));
  }
  void expect(std::string_view text, std::string_view purpose) {
    if (!accept(text)) fail_expected(fmt::format("'{}' {}", text, purpose));
  }
  std::string expect_text(std::string_view what) {
    if (current().kind != TokenKind::Text) fail_expected(fmt::format("{} in double quotes", what));
    return tokens_[next_++].text;
  }
  std::string expect_name(std::string_view what) {
    if (current().kind != TokenKind::Word) fail_expected(what);
    const Token& token = tokens_[next_];
    if (std::ranges::find(words, token.text) != words.end())
      fail(token.at, fmt::format("'{}' is a word of the language and cannot be a name", token.text));
    ++next_;
    return token.text;
  }

  // From the token with this number to the one consumed last.
  [[nodiscard]] Extent extent_from(std::size_t first) const {
    const Extent begin = tokens_[first].at;
    const Extent end = tokens_[next_ > first ? next_ - 1 : first].at;
    return {begin.begin, end.begin + end.width - begin.begin};
  }

  void statement_into(std::vector<Statement>& statements) {
    if (accept(";")) return;
    if (is("}")) return;
    const std::size_t first = next_;
    try {
      Statement parsed{{}, statement()};
      parsed.at = extent_from(first);
      statements.push_back(std::move(parsed));
      if (!is(";") && !is("}") && current().kind != TokenKind::End && !current().begins_line)
        fail_expected("the end of the line or ';' after the statement");
    } catch (const SyntaxError&) {
      if (next_ == first) ++next_;
      while (current().kind != TokenKind::End && !current().begins_line && !is(";") && !is("}")) ++next_;
    }
  }

  decltype(Statement::what) statement() {
    if (accept("load")) return Load{expect_text("the name of a file")};
    if (accept("let")) return let();
    if (accept("check")) return Check{expression()};
    if (accept("show")) return Show{expression()};
    if (accept("time")) return Time{expression()};
    if (accept("explain")) return Explain{expression()};
    if (accept("save")) {
      ExpressionPtr set = expression();
      return Save{std::move(set), expect_text("the name of a file")};
    }
    if (is("dot") || is("svg")) {
      const Picture picture = is("dot") ? Picture::Dot : Picture::Svg;
      ++next_;
      expect("(", fmt::format("after '{}'", tokens_[next_ - 1].text));
      ExpressionPtr value = expression();
      expect(")", "after what is to be drawn");
      return Draw{picture, std::move(value), expect_text("the name of a file")};
    }
    if (accept("vars")) return ListNames{};
    if (accept("table")) return table();
    if (accept("for")) return loop();
    return Show{expression()};
  }

  Let let() {
    Let let{expect_name("a name"), std::nullopt, nullptr};
    if (accept("(")) {
      let.parameters.emplace();
      do {
        const Extent at = current().at;
        std::string parameter = expect_name("the name of a parameter");
        if (std::ranges::find(*let.parameters, parameter) != let.parameters->end())
          fail(at, fmt::format("there is already a parameter '{}'", parameter));
        let.parameters->push_back(std::move(parameter));
      } while (accept(","));
      expect(")", "after the parameters");
    }
    expect("=", "after the name that is defined");
    let.value = expression();
    return let;
  }

  For loop() {
    const Deeper deeper{*this};
    For loop{expect_name("the name of a variable"), nullptr, {}};
    expect("in", "after the variable");
    loop.list = expression();
    const Extent brace = current().at;
    expect("{", "before the statements of the loop");
    while (!is("}")) {
      if (current().kind == TokenKind::End) fail(brace, "this '{' is not closed");
      statement_into(loop.body);
    }
    ++next_;
    return loop;
  }

  Range range() {
    std::string variable = expect_name("the name of a variable");
    expect("in", "after the variable");
    return {std::move(variable), expression()};
  }

  Table table() {
    expect("for", "after 'table'");
    Table table;
    do {
      table.ranges.push_back(range());
    } while (accept(","));
    expect(":", "before the values of the table");
    do {
      table.columns.push_back(expression());
    } while (accept(","));
    return table;
  }

  ExpressionPtr expression() {
    const Deeper deeper{*this};
    const std::size_t first = next_;
    ExpressionPtr left = interval();
    for (const auto& [text, op] :
         {std::pair{"<=", Operator::AtMost}, std::pair{">=", Operator::AtLeast}, std::pair{"==", Operator::Equal},
          std::pair{"!=", Operator::Unequal}, std::pair{"<", Operator::Less}, std::pair{">", Operator::Greater}})
      if (accept(text)) return operation(first, op, left, interval());
    return left;
  }
  ExpressionPtr interval() {
    const std::size_t first = next_;
    ExpressionPtr left = sum();
    if (!accept("..")) return left;
    ExpressionPtr last = sum();
    const std::size_t depth = std::max(left->depth, last->depth) + 1;
    return made(first, Interval{std::move(left), std::move(last)}, depth);
  }
  ExpressionPtr sum() {
    const std::size_t first = next_;
    ExpressionPtr left = product();
    while (true) {
      if (accept("|"))
        left = operation(first, Operator::Or, left, product());
      else if (accept("-"))
        left = operation(first, Operator::Minus, left, product());
      else
        return left;
    }
  }
  ExpressionPtr product() {
    const std::size_t first = next_;
    ExpressionPtr left = factor();
    while (accept("&")) left = operation(first, Operator::And, left, factor());
    return left;
  }

  ExpressionPtr operation(std::size_t first, Operator op, ExpressionPtr left, ExpressionPtr right) {
    const std::size_t depth = std::max(left->depth, right->depth) + 1;
    return made(first, Operation{op, std::move(left), std::move(right)}, depth);
  }

  template <class What>
  ExpressionPtr made(std::size_t first, What what, std::size_t depth = 1) {
    if (depth > nesting_limit)
      fail(extent_from(first), fmt::format("this expression is nested more than {} deep", nesting_limit),
           "give parts of it names, by let");
    return std::make_shared<const Expression>(Expression{extent_from(first), depth, std::move(what)});
  }

  ExpressionPtr factor() {
    const Deeper deeper{*this};
    const std::size_t first = next_;
    const Token& token = current();
    if (accept("~")) {
      ExpressionPtr operand = factor();
      const std::size_t depth = operand->depth + 1;
      return made(first, Negation{std::move(operand)}, depth);
    }
    if (accept("(")) {
      ExpressionPtr inner = expression();
      expect(")", "after the expression");
      return inner;
    }
    if (is("{")) return list();
    if (token.kind == TokenKind::Numeral) {
      ++next_;
      return made(first, NumberLiteral{token.text});
    }
    if (token.kind == TokenKind::Text) {
      ++next_;
      return made(first, TextLiteral{token.text});
    }
    if (token.kind != TokenKind::Word) fail_expected("an expression");
    return word();
  }

  ExpressionPtr word() {
    const std::size_t first = next_;
    const Token& token = tokens_[next_++];
    if (token.text == "init") return made(first, InitialSet{});
    if (token.text == "true" || token.text == "false") return made(first, TruthLiteral{token.text == "true"});
    if (token.text == "automaton") {
      std::string path = expect_text("the name of a file");
      return made(first, AutomatonFile{std::move(path)});
    }
    if (token.text == "threads" || token.text == "depth") {
      if (is("<=") || is("<"))
        fail(current().at, fmt::format("'{}' is only bounded from below", token.text),
             fmt::format("~({} >= n) are the trees with less than n", token.text));
      const bool strict = accept(">");
      if (!strict) expect(">=", fmt::format("after '{}'", token.text));
      ExpressionPtr least = factor();
      const std::size_t depth = least->depth + 1;
      const Measure measure = token.text == "threads" ? Measure::Threads : Measure::Depth;
      return made(first, Bound{measure, std::move(least), strict}, depth);
    }
    if (token.text == "post*") return star(first, Direction::Forward);
    if (token.text == "pre*") return star(first, Direction::Backward);
    if (token.text == "union") return union_over(first);
    if (token.text == "thread") {
      expect("(", "after 'thread'");
      expect("/", "before the pattern of a stack");
      PatternPtr stack = choice();
      expect("/", "after the pattern of a stack");
      expect(")", "after the pattern");
      return made(first, StackSet{std::move(stack)});
    }
    if (is("(") && !current().follows_blank) return call(first);
    if (token.text == "symbols" || token.text == "actions" || token.text == "locks")
      return made(first, NameUse{token.text});
    if (std::ranges::find(words, token.text) != words.end()) {
      --next_;
      fail_expected("an expression");
    }
    return made(first, NameUse{token.text});
  }

  ExpressionPtr star(std::size_t first, Direction direction) {
    expect("(", fmt::format("after '{}'", tokens_[first].text));
    Star star{direction, expression(), false, {}};
    std::size_t depth = star.of->depth;
    while (accept(",")) {
      const bool only = is("only");
      if (accept("nolocks")) {
        star.nolocks = true;
      } else if (accept("only") || accept("avoiding")) {
        star.restrictions.push_back({only ? Restriction::Only : Restriction::Avoiding, factor()});
        depth = std::max(depth, star.restrictions.back().actions->depth);
      } else {
        fail_expected("'nolocks', 'only' or 'avoiding'");
      }
    }
    expect(")", direction == Direction::Forward ? "after what post* starts from" : "after what pre* leads to");
    return made(first, std::move(star), depth + 1);
  }

  ExpressionPtr union_over(std::size_t first) {
    expect("(", "after 'union'");
    Range over = range();
    expect(",", "before the set that is joined");
    UnionOver joined{std::move(over), expression()};
    expect(")", "after the set that is joined");
    const std::size_t depth = std::max(joined.range.list->depth, joined.each->depth);
    return made(first, std::move(joined), depth + 1);
  }

  ExpressionPtr call(std::size_t first) {
    const Token& name = tokens_[first];
    expect("(", "");
    Call call{name.text, name.at, {}};
    std::size_t depth = 0;
    if (!is(")")) {
      do {
        std::optional<std::string> argument;
        if (current().kind == TokenKind::Word && tokens_[next_ + 1].kind == TokenKind::Punctuation &&
            tokens_[next_ + 1].text == "=") {
          argument = current().text;
          next_ += 2;
        }
        call.arguments.push_back({std::move(argument), expression()});
        depth = std::max(depth, call.arguments.back().value->depth);
      } while (accept(","));
    }
    expect(")", fmt::format("after what '{}' is given", name.text));
    return made(first, std::move(call), depth + 1);
  }

  ExpressionPtr list() {
    const std::size_t first = next_;
    return made(first, ListLiteral{words_in_braces()});
  }
  std::vector<Word> words_in_braces() {
    const std::size_t first = next_++;
    std::vector<Word> list;
    while (!accept("}")) {
      if (current().kind == TokenKind::End) fail(tokens_[first].at, "this '{' is not closed");
      if (current().kind == TokenKind::Punctuation) fail_expected("a name or '}'");
      list.push_back(symbol());
      accept(",");
    }
    return list;
  }
  Word symbol() {
    const Token& token = tokens_[next_++];
    return {token.text, token.at, token.kind == TokenKind::Text};
  }

  // Patterns of stacks.
  PatternPtr choice() {
    const Deeper deeper{*this};
    const std::size_t first = next_;
    Choice choice{{sequence()}};
    while (accept("|")) choice.parts.push_back(sequence());
    if (choice.parts.size() == 1) return choice.parts.front();
    return pattern(first, std::move(choice));
  }
  PatternPtr sequence() {
    const std::size_t first = next_;
    Sequence sequence;
    while (!is("|") && !is(")") && !is("/")) {
      if (current().kind == TokenKind::End || current().begins_line) fail_expected("'/' on the line of the pattern");
      sequence.parts.push_back(repetition());
    }
    if (sequence.parts.size() == 1) return sequence.parts.front();
    return pattern(first, std::move(sequence));
  }
  PatternPtr repetition() {
    const std::size_t first = next_;
    PatternPtr part = one_symbol();
    for (std::size_t nested = 0;; ++nested) {
      if (nested == nesting_limit) fail(current().at, "so many repetitions of a repetition say nothing more");
      const std::optional<Times> times = accept("*")   ? std::optional{Times::Any}
                                         : accept("+") ? std::optional{Times::Some}
                                         : accept("?") ? std::optional{Times::Optional}
                                                       : std::nullopt;
      if (!times) return part;
      part = pattern(first, Repetition{*times, std::move(part)});
    }
  }
  PatternPtr one_symbol() {
    const std::size_t first = next_;
    if (accept("(")) {
      PatternPtr inner = choice();
      expect(")", "in the pattern");
      return inner;
    }
    if (accept(".")) return pattern(first, OneSymbol{{}, true});
    const bool others = accept("~");
    if (is("{")) return pattern(first, OneSymbol{words_in_braces(), others});
    if (others) fail_expected("'{' after '~' in a pattern");
    if (current().kind == TokenKind::Punctuation) fail_expected("a symbol, '.', '{' or '('");
    return pattern(first, OneSymbol{{symbol()}, false});
  }
  template <class What>
  PatternPtr pattern(std::size_t first, What what) {
    return std::make_shared<const Pattern>(Pattern{extent_from(first), std::move(what)});
  }

  // Limits the recursion of the parser itself.
  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_{parser} {
      if (++parser_.depth_ <= 2 * nesting_limit) return;
      --parser_.depth_;  // the destructor will not run
      parser_.fail(parser_.current().at, fmt::format("this is nested more than {} deep", nesting_limit));
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
  };

  SourcePtr source_;
  std::vector<Diagnostic> problems_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  std::size_t depth_ = 0;
  bool unfinished_ = false;
};

}  // namespace

Script parse_script(std::string text, std::string file, std::uint32_t first_line) {
  return Parser{std::make_shared<const Source>(Source{std::move(file), std::move(text), first_line})}.run();
}

bool is_unfinished(std::string text) {
  return Parser{std::make_shared<const Source>(Source{"", std::move(text)})}.is_unfinished();
}

}  // namespace lockwood::sets
