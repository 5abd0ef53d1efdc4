#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/diagnostic.hpp"

namespace lockwood::verify {

using Json = nlohmann::json;

// A number as such: the library would take 1.5, -1 and true for one as well.
struct Natural {
  std::size_t value = 0;
};
inline void from_json(const Json& json, Natural& natural) {
  if (!json.is_number_unsigned())
    throw InputError{"", "there should be a natural number instead of some " + std::string{json.type_name()}};
  natural.value = json.get<std::size_t>();
}

template <class T>
struct Member {
  const char* name;
  T& place;
};
template <class T>
Member(const char*, T&) -> Member<T>;

template <class T>
void assign(T& place, const Json& json) {
  place = json.get<T>();
}
template <class T>
void assign(std::optional<T>& place, const Json& json) {
  place = json.get<T>();
}
// To be read later. Copies would take a stack as deep as the document.
inline void assign(const Json*& place, const Json& json) { place = &json; }

// Reads the members of an object that are there. Others than the given ones are refused: what is not understood could
// change the meaning of the rest. Throws InputError.
template <class... T>
void read_members(const Json& object, const Member<T>&... members) {
  if (!object.is_object())
    throw InputError{"", "there should be an object instead of some " + std::string{object.type_name()}};
  for (const auto& [name, value] : object.items()) {
    bool known = false;
    try {
      ((name == members.name ? (assign(members.place, value), known = true) : false), ...);
    } catch (const Json::exception& error) {
      throw InputError{"", "the member '" + name + "': " + error.what()};
    }
    if (!known) throw InputError{"", "an object has the member '" + name + "', which it cannot have"};
  }
}

// The elements of an array; nothing is an empty one.
[[nodiscard]] inline const Json& elements(const Json* array) {
  static const Json none = Json::array();
  if (array == nullptr) return none;
  if (!array->is_array())
    throw InputError{"", "there should be an array instead of some " + std::string{array->type_name()}};
  return *array;
}

}  // namespace lockwood::verify
