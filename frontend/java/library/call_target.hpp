#pragma once

#include <optional>
#include <span>
#include <string>

#include "frontend/java/library/library.hpp"
#include "frontend/java/library/token_cursor.hpp"

namespace lockwood::java::library {

// A call in a model, as it is written.
struct CallText {
  std::optional<std::string> explicit_owner;  // `Type::` before the name
  std::optional<TypeName> receiver_type;      // as far as it is known
  bool is_static = false;
  Token name;
  std::optional<std::string> parameters;  // `(Object)` before the arguments
};

// The method that a call means: that of the owner or a supertype with this name and number of parameters, where numbers
// and objects are told apart, and exact types decide between what is left. Fails if there is none, or several.
[[nodiscard]] MethodName call_target(const Library& library, const CallText& text,
                                     std::span<const std::optional<TypeName>> arguments, TokenCursor& cursor);

}  // namespace lockwood::java::library
