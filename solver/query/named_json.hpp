#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/process/stop.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/printable.hpp"
#include "dpn/model/network.hpp"

// Values about a model in JSON, in the names of the model. What reads throws Rejected.
namespace lockwood::problem {

using Json = nlohmann::json;

// A value is not what it should be. Which one it is, its address tells, to those who still have the document.
struct Rejected : InputError {
  Rejected(const Json& rejected, std::string reason) : InputError{"", std::move(reason)}, value{&rejected} {}
  const Json* value;
};

[[noreturn]] inline void reject(const Json& value, std::string reason) { throw Rejected{value, std::move(reason)}; }

inline void expect(bool is, const Json& value, const char* what) {
  if (!is) reject(value, std::string{"there should be "} + what + " instead of some " + value.type_name());
}

[[nodiscard]] inline const Json& list(const Json& json) {
  expect(json.is_array(), json, "an array");
  return json;
}

[[nodiscard]] inline const std::string& text(const Json& json) {
  expect(json.is_string(), json, "a string");
  return json.get_ref<const std::string&>();
}

// An object with some of the given members. Others are refused: what is not understood could change the meaning of the
// rest. Members are never copied, since that would take a stack as deep as the document.
class Object {
 public:
  Object(const Json& json, std::initializer_list<std::string_view> members) : json_{json} {
    expect(json.is_object(), json, "an object");
    for (const auto& [name, value] : json.items())
      if (std::ranges::find(members, name) == members.end())
        reject(value, "there cannot be a member '" + shown_name(name) + "'");
  }
  [[nodiscard]] bool has(const char* name) const { return json_.contains(name); }
  [[nodiscard]] const Json& operator[](const char* name) const {
    if (!has(name)) reject(json_, "there is no member '" + std::string{name} + "'");
    return json_[name];
  }
  // An array; empty if it is not there.
  [[nodiscard]] const Json& list(const char* name) const {
    static const Json none = Json::array();
    return has(name) ? problem::list(json_[name]) : none;
  }

 private:
  const Json& json_;
};

// Files count from 1, up to `count`; programs from 0.
[[nodiscard]] inline std::size_t number(const Json& json, std::size_t count, const char* what) {
  if (!json.is_number_unsigned() || json.get<std::size_t>() == 0 || json.get<std::size_t>() > count)
    reject(json, "there should be the number of a " + std::string{what} + ", from 1 to " + std::to_string(count));
  return json.get<std::size_t>() - 1;
}

template <class Key>
[[nodiscard]] Key symbol(const dpn::Vocabulary<Key>& vocabulary, const Json& json) {
  const auto key = vocabulary.find(text(json));
  if (!key) reject(json, "the model has no '" + shown_name(text(json)) + "'");
  return *key;
}

template <class Key>
[[nodiscard]] std::vector<Key> symbols(const dpn::Vocabulary<Key>& vocabulary, const Json& names) {
  std::vector<Key> keys;
  for (const Json& name : list(names)) keys.push_back(symbol(vocabulary, name));
  return keys;
}

template <class Key>
[[nodiscard]] std::vector<Key> sorted_symbols(const dpn::Vocabulary<Key>& vocabulary, const Json& names) {
  std::vector<Key> keys = symbols(vocabulary, names);
  std::ranges::sort(keys);
  return keys;
}

template <class Key>
[[nodiscard]] nlohmann::ordered_json names(const dpn::Vocabulary<Key>& vocabulary, const std::vector<Key>& keys) {
  nlohmann::ordered_json written = nlohmann::ordered_json::array();
  for (Key key : keys) written.push_back(vocabulary.name(key));
  return written;
}

}  // namespace lockwood::problem
