#pragma once

#include <string>
#include <vector>

#include "frontend/sets/syntax.hpp"

namespace lockwood::sets {

enum class TokenKind {
  Word,         // letters, digits and _; also post*
  Numeral,      // digits, perhaps after -, if that cannot be a difference
  Text,         // in double quotes
  Punctuation,  // ( ) { } , ; : = & | - ~ <= >= == != < > /, and in patterns . * + ?
  End,
};

struct Token {
  TokenKind kind;
  std::string text;  // of a text: without its quotes, escapes resolved
  Extent at;
  bool begins_line = false;  // nothing is before it on its line
  bool follows_blank = false;
};

// The tokens of a script, the last one being End. `//` begins a comment. A text ends on its line; \" and \\ are its
// escapes. A pattern stands between two `/` on one line. Appends what is wrong to `problems`, and
// leaves that out.
[[nodiscard]] std::vector<Token> tokens_of(const Source& source, std::vector<Diagnostic>& problems);

}  // namespace lockwood::sets
