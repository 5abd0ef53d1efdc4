#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// The JSON library, with values that need no memory in order to go. Include this, never <nlohmann/json.hpp>: whoever
// uses the values must know of these specializations (references_test.py looks).
//
// The library's own `destroy` moves everything in a value to a list first, so that deep nesting takes no stack. If
// there is no memory for the list, std::bad_alloc leaves a destructor, which ends the program. This happens when memory
// has run out already and what was half done is cleared away. Ours destroys a value where it is, by a recursion as deep
// as the value: values of others are at most JsonReading::depth_limit deep, ours a few levels.
//
// Neither may the destructor insist on the invariant: a value that was about to become an array or object is said to be
// one, but has none, if there was no memory for it.
template <>
void nlohmann::json::json_value::destroy(value_t type);
template <>
void nlohmann::ordered_json::json_value::destroy(value_t type);
template <>
inline void nlohmann::json::assert_invariant(bool /*check_parents*/) const noexcept {}
template <>
inline void nlohmann::ordered_json::assert_invariant(bool /*check_parents*/) const noexcept {}

namespace lockwood {

// Whether the value is this text. The library's `value == "text"` first makes a value of the text, in a function that
// promises not to throw: without memory, that is the end of the program, too.
template <class Json>
[[nodiscard]] bool says(const Json& value, std::string_view text) {
  const auto* content = value.template get_ptr<const std::string*>();
  return content != nullptr && *content == text;
}

}  // namespace lockwood
