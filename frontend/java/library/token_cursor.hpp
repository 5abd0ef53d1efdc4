#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "frontend/java/library/model_scanner.hpp"

namespace lockwood::java::library {

// Walks over the tokens of a model. Errors are noted and leave by BrokenEntry. Invariant: at_ is within the tokens,
// whose last one is End.
class TokenCursor {
 public:
  TokenCursor(std::span<const Token> tokens, ModelErrors& errors) : tokens_{tokens}, errors_{errors} {}

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  Token next();
  [[nodiscard]] bool at(std::string_view text) const;
  [[nodiscard]] bool at_word() const { return peek().kind == TokenKind::Word; }
  // At the end of an entry or of the text.
  [[nodiscard]] bool at_line_end() const;
  bool accept(std::string_view text);
  void expect(std::string_view text, std::string_view purpose);
  // A name or a keyword; `what` names it in the error.
  Token expect_word(std::string_view what);
  void expect_line_end();
  void skip_entry();

  [[nodiscard]] std::size_t index() const { return at_; }
  void jump(std::size_t index);

  [[noreturn]] void fail(const Token& token, std::string message, std::string hint = {});
  [[noreturn]] void fail_expected(std::string_view expected);
  [[nodiscard]] ModelErrors& errors() { return errors_; }

 private:
  std::span<const Token> tokens_;
  ModelErrors& errors_;
  std::size_t at_ = 0;
};

}  // namespace lockwood::java::library
