#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"

namespace lockwood::java::library {

// One error per entry is enough, and after so many nobody reads on.
inline constexpr std::size_t max_model_errors = 20;

enum class TokenKind : std::uint8_t {
  Word,         // add, <init>, not-null, 1
  String,       // "the latch", without its quotes
  Punctuation,  // . , ; : :: ( ) { } [ ] <- = *
  LineEnd,      // only where an entry may end
  End,
};

struct Token {
  TokenKind kind;
  std::string_view text;
  std::size_t offset;
};

// The errors of one text.
class ModelErrors {
 public:
  ModelErrors(std::string_view file, std::string_view text);
  void add(std::size_t offset, std::size_t width, std::string message, std::string hint = {});
  [[nodiscard]] bool full() const { return diagnostics_.size() >= max_model_errors; }
  [[nodiscard]] std::vector<Diagnostic>& diagnostics() { return diagnostics_; }
  [[nodiscard]] std::string_view file() const { return file_; }
  [[nodiscard]] Position position(std::size_t offset) const;

 private:
  std::string_view file_;
  std::string_view text_;
  std::vector<std::size_t> lines_;  // where they begin
  std::vector<Diagnostic> diagnostics_;
};

// Thrown after an error was noted, to be caught where the next entry begins.
struct BrokenEntry {};

// Cuts the text into tokens; the last one is End. A line ends an entry unless it ends with one of `; , :`, or within
// braces and parentheses.
[[nodiscard]] std::vector<Token> scan_models(std::string_view text, ModelErrors& errors);

}  // namespace lockwood::java::library
