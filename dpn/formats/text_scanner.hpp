#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"

namespace lockwood::dpn {

// The deepest nesting of parentheses in a term. Nobody writes more by hand, and files of parentheses end early.
inline constexpr std::size_t term_depth_limit = 1000;

// Thrown by a Scanner after it noted an error, to be caught where reading can go on.
struct SyntaxError {};
// Thrown by a Scanner when there are so many errors that going on helps nobody.
struct TooManyErrors {};

// A piece of the text.
struct Extent {
  std::size_t begin = 0;
  std::size_t width = 1;
};

// Walks over the text of a `.dpn` file and collects what is wrong with it. Looks at characters, not at tokens made
// beforehand: only the parser knows whether `-` begins a negative number or a lock, and nothing is allocated for a
// token of the usual kind. Invariant: line_ and line_begin_ are those of at_.
class Scanner {
 public:
  Scanner(std::string_view text, std::string_view file);

  // Blanks and comments.
  void skip_blanks();
  // The next thing after blanks, without consuming it: a character ('\0' at the end), or a word ("" if none is there).
  [[nodiscard]] char peek();
  [[nodiscard]] std::string_view peek_word();
  [[nodiscard]] bool at_end();

  // Consumes the next thing if it is this one.
  bool accept(char character);
  bool accept(std::string_view punctuation);
  bool accept_word(std::string_view word);
  // Consumes it or fails with "expected …, found …".
  void expect(char character, std::string_view purpose);
  void expect(std::string_view punctuation, std::string_view purpose);

  // A term, as its canonical text without blanks, or a quoted name, as its content. The view is one of the input or of
  // `scratch` and lasts as long as that. `what` names the thing in errors, such as "a stack symbol".
  [[nodiscard]] std::string_view term(std::string& scratch, std::string_view what);
  // A string in double quotes, its escapes resolved.
  [[nodiscard]] std::string string(std::string_view what);

  // Skips one thing, whatever it is: a word, a string, a character. For recovery; never fails.
  void skip_anything();

  [[nodiscard]] std::size_t offset() const { return at_; }
  // Where the thing that was consumed last ended.
  [[nodiscard]] std::size_t last_end() const { return last_end_; }
  [[nodiscard]] Position position() const;
  [[nodiscard]] std::string_view text() const { return text_; }
  // The thing at the cursor, as it is underlined and quoted in errors.
  [[nodiscard]] Extent extent_here();
  [[nodiscard]] std::string found();

  // Notes an error and goes on; throws TooManyErrors at the limit.
  void error(Extent where, std::string message, std::string hint = {});
  // Notes an error and throws SyntaxError.
  [[noreturn]] void fail(Extent where, std::string message, std::string hint = {});
  // "expected …, found …" at the cursor.
  [[noreturn]] void fail_expected(std::string_view expected, std::string hint = {});
  [[nodiscard]] std::vector<Diagnostic>& errors() { return errors_; }

  // Offsets of the comments `// expect…` passed so far, ascending.
  [[nodiscard]] const std::vector<std::size_t>& expectations() const { return expectations_; }

 private:
  struct Flaw {
    Extent where;
    std::string message;
    std::string hint;
  };

  void skip_block_comment();
  void skip_line_comment();
  void newline() {
    ++line_;
    line_begin_ = at_ + 1;
  }
  [[nodiscard]] bool looking_at(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }
  [[nodiscard]] std::size_t atom_length() const;
  void quoted(std::string& content, char quote, std::string_view what);
  bool escape(std::string& content);
  std::string_view tuple_term(std::string& scratch, std::string_view what);

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t last_end_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_begin_ = 0;
  std::vector<Diagnostic> errors_;
  std::vector<std::size_t> expectations_;
};

// The name as it is written in a file: itself if it is a term, else in single quotes.
[[nodiscard]] std::string written_name(std::string_view name);
// The text in quotes of this kind, with escapes, readable by a Scanner.
[[nodiscard]] std::string in_quotes(std::string_view content, char quote);

}  // namespace lockwood::dpn
