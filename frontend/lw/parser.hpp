#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/process/stop.hpp"
#include "frontend/lw/syntax.hpp"

namespace lockwood::lw {

// How deep statements and expressions may be nested. Nobody writes more by hand, and a text of parentheses ends early.
inline constexpr std::size_t nesting_limit = 500;

// Reads a program; docs/language.md has the grammar. `file` is the name shown in diagnostics. Throws InputError with
// all errors found, up to a limit; reading goes on behind the next `;` or at the end of the block after an error.
// Throws Interrupted if asked to stop.
[[nodiscard]] SyntaxTree parse(std::string_view text, std::string_view file, StopToken stop = {});

// Reads the procedure at these bytes of a text that has no errors elsewhere. It must begin and end there, and what is
// found in it must not depend on what stands behind; else nothing. Throws InputError with the errors that there are in
// the whole text.
[[nodiscard]] std::optional<SyntaxTree> parse_procedure(std::string_view text, std::string_view file, TextRange where);

// The words that have a meaning of their own.
[[nodiscard]] std::span<const std::string_view> keywords();

// Whether the word has a meaning of its own and cannot be a name.
[[nodiscard]] bool is_keyword(std::string_view word);

}  // namespace lockwood::lw
