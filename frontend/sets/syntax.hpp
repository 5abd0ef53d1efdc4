#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/text/diagnostic.hpp"

// The syntax tree of a script about sets of execution trees (docs/sets.md). Everything knows its place in the text.
namespace lockwood::sets {

// The text of a script, which its syntax tree points into.
struct Source {
  std::string file;
  std::string text;
  std::uint32_t first_line = 1;  // the number of its first line, if there were others before
};
using SourcePtr = std::shared_ptr<const Source>;

// A piece of the text.
struct Extent {
  std::size_t begin = 0;
  std::size_t width = 1;
};

// Expressions and blocks nest at most so deep, so that recursion over them is harmless.
constexpr std::size_t nesting_limit = 200;

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

// A member of `{…}`: a symbol of the model, or a variable that stands for one. In quotes, never a variable.
struct Word {
  std::string text;
  Extent at;
  bool quoted = false;
};

// What the stack of a thread looks like, from its bottom to its top: /main (f | g)* r1/.
struct Pattern;
using PatternPtr = std::shared_ptr<const Pattern>;
struct OneSymbol {  // a, {a b}, ~{a b} or .
  std::vector<Word> words;
  bool others = false;  // any symbol but these
};
struct Sequence {
  std::vector<PatternPtr> parts;
};
struct Choice {
  std::vector<PatternPtr> parts;
};
enum class Times { Any, Some, Optional };  // *, + and ?
struct Repetition {
  Times times;
  PatternPtr part;
};
struct Pattern {
  Extent at;
  std::variant<OneSymbol, Sequence, Choice, Repetition> what;
};

struct InitialSet {};  // init
struct NameUse {       // a variable
  std::string name;
};
struct NumberLiteral {
  std::string digits;
};
struct TextLiteral {
  std::string text;
};
struct TruthLiteral {
  bool holds;
};
struct ListLiteral {  // {a, b c}
  std::vector<Word> words;
};
struct AutomatonFile {  // automaton "FILE"
  std::string path;
};
struct Interval {  // m..n
  ExpressionPtr first;
  ExpressionPtr last;
};
enum class Measure { Threads, Depth };
struct Bound {  // threads >= n, threads > n
  Measure measure;
  ExpressionPtr least;
  bool strict = false;  // more than that
};
struct StackSet {  // thread(/…/)
  PatternPtr pattern;
};
struct Negation {  // ~a
  ExpressionPtr operand;
};
enum class Operator { And, Or, Minus, AtMost, AtLeast, Less, Greater, Equal, Unequal };
struct Operation {
  Operator op;
  ExpressionPtr left;
  ExpressionPtr right;
};
enum class Restriction { Only, Avoiding };
struct RestrictedActions {
  Restriction restriction;
  ExpressionPtr actions;
};
enum class Direction { Forward, Backward };
struct Star {  // post*(S, nolocks, avoiding {…}), pre*(S, nolocks, avoiding {…})
  Direction direction;
  ExpressionPtr of;
  bool nolocks = false;
  std::vector<RestrictedActions> restrictions;
};
struct Argument {
  std::optional<std::string> name;  // of `nodes = 12`
  ExpressionPtr value;
};
struct Call {  // a function of the language or of the script
  std::string name;
  Extent name_at;
  std::vector<Argument> arguments;
};

struct Range {
  std::string variable;
  ExpressionPtr list;
};
struct UnionOver {  // union(x in {…}, S)
  Range range;
  ExpressionPtr each;
};

struct Expression {
  Extent at;
  std::size_t depth = 1;
  std::variant<InitialSet, NameUse, NumberLiteral, TextLiteral, TruthLiteral, ListLiteral, AutomatonFile, Interval,
               Bound, StackSet, Negation, Operation, Star, Call, UnionOver>
      what;
};

struct Load {
  std::string path;
};
struct Let {
  std::string name;
  std::optional<std::vector<std::string>> parameters;  // of a function
  ExpressionPtr value;
};
struct Check {
  ExpressionPtr claim;
};
struct Show {  // also an expression on its own
  ExpressionPtr value;
};
struct Save {
  ExpressionPtr set;
  std::string path;
};
enum class Picture { Dot, Svg };
struct Draw {  // dot(A) "FILE", svg(A) "FILE"
  Picture picture;
  ExpressionPtr value;
  std::string path;
};
struct Time {
  ExpressionPtr value;
};
struct Explain {
  ExpressionPtr value;
};
struct Table {  // table for x in {…}, y in {…} : value, value
  std::vector<Range> ranges;
  std::vector<ExpressionPtr> columns;
};
struct ListNames {};  // vars
struct Statement;
struct For {
  std::string variable;
  ExpressionPtr list;
  std::vector<Statement> body;
};
struct Statement {
  Extent at;
  std::variant<Load, Let, Check, Show, Save, Draw, Time, Explain, Table, ListNames, For> what;
};

struct Script {
  SourcePtr source;
  std::vector<Statement> statements;
};

// The piece of the text on one line: runs of white space become one blank, comments are left out.
[[nodiscard]] std::string quoted_line(const Source& source, Extent at);

// What is wrong, and a note about how the script comes to it; after a few of these, no more are added.
[[nodiscard]] InputError with_note(const Source& source, Extent at, std::string note, const InputError& problems);

[[nodiscard]] Diagnostic problem_at(const Source& source, Extent at, std::string message, std::string hint = {});

}  // namespace lockwood::sets
