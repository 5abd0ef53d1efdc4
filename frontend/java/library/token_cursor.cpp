#include "frontend/java/library/token_cursor.hpp"

#include <algorithm>
#include <cassert>

#include "base/text/printable.hpp"

namespace lockwood::java::library {

const Token& TokenCursor::peek(std::size_t ahead) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }

Token TokenCursor::next() {
  const Token token = peek();
  if (token.kind != TokenKind::End) ++at_;
  return token;
}

bool TokenCursor::at(std::string_view text) const {
  const Token& token = peek();
  return (token.kind == TokenKind::Word || token.kind == TokenKind::Punctuation) && token.text == text;
}

bool TokenCursor::at_line_end() const { return peek().kind == TokenKind::LineEnd || peek().kind == TokenKind::End; }

bool TokenCursor::accept(std::string_view text) {
  if (!at(text)) return false;
  ++at_;
  return true;
}

void TokenCursor::expect(std::string_view text, std::string_view purpose) {
  if (accept(text)) return;
  std::string expected = "'";
  expected += text;
  expected += "' ";
  expected += purpose;
  fail_expected(expected);
}

Token TokenCursor::expect_word(std::string_view what) {
  if (!at_word()) fail_expected(what);
  return next();
}

void TokenCursor::expect_line_end() {
  if (!at_line_end()) fail_expected("the end of the line");
  if (peek().kind == TokenKind::LineEnd) ++at_;
}

void TokenCursor::skip_entry() {
  while (!at_line_end()) ++at_;
  if (peek().kind == TokenKind::LineEnd) ++at_;
}

void TokenCursor::jump(std::size_t index) {
  assert(index < tokens_.size());
  at_ = index;
}

void TokenCursor::fail(const Token& token, std::string message, std::string hint) {
  errors_.add(token.offset, std::max<std::size_t>(1, token.text.size()), std::move(message), std::move(hint));
  throw BrokenEntry{};
}

void TokenCursor::fail_expected(std::string_view expected) {
  const Token& token = peek();
  std::string message = "expected ";
  message += expected;
  message += ", found ";
  if (token.kind == TokenKind::LineEnd) {
    message += "the end of the line";
  } else if (token.kind == TokenKind::End) {
    message += "the end of the file";
  } else {
    message += "'" + shown_name(token.text) + "'";
  }
  fail(token, std::move(message));
}

}  // namespace lockwood::java::library
