#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "frontend/lw/syntax.hpp"

namespace lockwood::lw {

enum class TokenKind : std::uint8_t { Word, Number, Punctuation, End };

struct Token {
  TokenKind kind;
  TextRange range;
};

struct Scan {
  std::vector<Token> tokens;  // the last one is End, and stands just behind the one before
  std::vector<Comment> comments;
  std::vector<Diagnostic> errors;
};

// Cuts the text into tokens. What is no token is an error and left out.
[[nodiscard]] Scan scan(std::string_view text, std::string_view file);

// The same for those tokens and comments only that begin within these bytes of it; one has to begin at the first.
[[nodiscard]] Scan scan(std::string_view text, std::string_view file, TextRange within);

}  // namespace lockwood::lw
