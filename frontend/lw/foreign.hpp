#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

// What people write who come from other languages, and what to write here instead. None of these words is a word of the
// language: each may be a name. So nobody asks before something is wrong.
namespace lockwood::lw {

// How to go on reading behind the word, so that it is one error.
enum class ForeignKind {
  Modifier,  // what follows is read as if the word were not there
  TypeName,  // a declaration may follow
  Compound,  // a statement or block of statements follows, perhaps behind parentheses
  Other      // what follows up to the `;` or `}` is not read
};

struct ForeignWord {
  ForeignKind kind;
  std::string_view advice;
};

// Nothing if the word is none of these.
[[nodiscard]] std::optional<ForeignWord> foreign_word(std::string_view word);

// A piece of one line that cannot be cut into tokens.
struct ForeignText {
  std::size_t width;  // bytes
  std::string_view advice;
  bool is_value = false;  // it stands where an expression would
};

// The piece that `rest` begins with. Nothing if there is nothing to say about it.
[[nodiscard]] std::optional<ForeignText> foreign_text(std::string_view rest);

// Advice about punctuation, found where it does not fit; empty if there is none.
[[nodiscard]] std::string_view advice_on_punctuation(std::string_view token);

}  // namespace lockwood::lw
