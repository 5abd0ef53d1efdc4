#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lockwood {

// A place in a text, counted from 1; columns count bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend auto operator<=>(const Position&, const Position&) = default;
};

enum class Severity { Error, Warning, Note };

// A remark about an input: where, what, the line it is in, and what to do about it. Carries its own excerpt, so
// that it can be shown after the text is gone.
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string file;
  std::optional<Position> at;
  std::string message;
  std::string excerpt;    // the line, clipped around the place if it is long
  std::size_t caret = 0;  // bytes of the excerpt before the place
  std::size_t width = 1;  // bytes to underline
  std::string hint;       // "did you mean 'n3'?", may be empty
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

// The user's input is at fault. Carries all problems found, at least one.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  // A problem without a place, such as a file that cannot be read.
  InputError(std::string file, std::string message);
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

// The diagnostic for `width` bytes at `offset` of `text`, with line, column and excerpt filled in.
[[nodiscard]] Diagnostic diagnostic_at(std::string_view file, std::string_view text, std::size_t offset,
                                       std::size_t width, std::string message);

// `file:line:col: error: message`, then the line with a caret and the hint, each line ended by a newline.
[[nodiscard]] std::string to_text(const Diagnostic& diagnostic);

}  // namespace lockwood
