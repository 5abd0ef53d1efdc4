#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

// Any plain value as a text: structs field by field, tables row by row. What is compared by it is compared entirely,
// and nobody has to list the fields.
namespace lockwood::dumping {

struct Anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): it stands for a field of any type
};

template <class T, std::size_t... index>
constexpr bool has_fields(std::index_sequence<index...> /*unused*/) {
  return requires { T{(static_cast<void>(index), Anything{})...}; };
}

template <class T, std::size_t most = 10>
constexpr std::size_t field_count() {
  if constexpr (has_fields<T>(std::make_index_sequence<most>{}))
    return most;
  else
    return field_count<T, most - 1>();
}

template <class T>
auto fields(const T& value) {
  constexpr std::size_t count = field_count<T>();
  if constexpr (count == 1) {
    const auto& [a] = value;
    return std::tie(a);
  } else if constexpr (count == 2) {
    const auto& [a, b] = value;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    const auto& [a, b, c] = value;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    const auto& [a, b, c, d] = value;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    const auto& [a, b, c, d, e] = value;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    const auto& [a, b, c, d, e, f] = value;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    const auto& [a, b, c, d, e, f, g] = value;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    const auto& [a, b, c, d, e, f, g, h] = value;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    const auto& [a, b, c, d, e, f, g, h, i] = value;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    const auto& [a, b, c, d, e, f, g, h, i, j] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else {
    static_assert(count == 0, "a struct with more fields");
    return std::tuple<>{};
  }
}

template <class T>
void append(std::string& text, const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    text += '"';
    text += std::string_view{value};
    text += '"';
  } else if constexpr (std::is_enum_v<T>) {
    text += std::to_string(static_cast<long long>(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    text += std::to_string(value);
  } else if constexpr (requires { value.index(), value.valueless_by_exception(); }) {
    text += std::to_string(value.index()) + ':';
    std::visit([&](const auto& alternative) { append(text, alternative); }, value);
  } else if constexpr (std::same_as<T, std::monostate>) {
    text += '-';
  } else if constexpr (requires { value.has_value(); }) {
    if (value)
      append(text, *value);
    else
      text += '-';
  } else if constexpr (requires { value.begin(), value.end(); }) {
    text += '[';
    for (const auto& each : value) {
      append(text, each);
      text += ' ';
    }
    text += "]\n";
  } else if constexpr (requires { value.first, value.second; }) {
    append(text, value.first);
    text += '=';
    append(text, value.second);
  } else if constexpr (requires { value.index(); }) {  // an id
    text += '#' + std::to_string(value.index());
  } else {
    text += '{';
    std::apply([&](const auto&... each) { ((append(text, each), text += ','), ...); }, fields(value));
    text += '}';
  }
}

template <class T>
std::string dump(const T& value) {
  std::string text;
  append(text, value);
  return text;
}

}  // namespace lockwood::dumping
