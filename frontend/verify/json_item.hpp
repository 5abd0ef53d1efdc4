#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dpn/network.hpp"

namespace lockwood::verify {

// A value of a JSON document that knows its place in it. Every function throws InputError if the value is not what it
// is taken for.
class JsonItem {
 public:
  // The value and the name of the file must outlive the item.
  JsonItem(const nlohmann::json& value, std::string place, std::string_view file)
      : value_{&value}, place_{std::move(place)}, file_{file} {}

  [[noreturn]] void reject(const std::string& message) const;
  // An object without members of other names: what is not understood could change the meaning of the rest.
  const JsonItem& with_members(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] std::optional<JsonItem> find(const char* name) const;
  [[nodiscard]] JsonItem member(const char* name) const;
  [[nodiscard]] std::vector<JsonItem> list() const;
  [[nodiscard]] std::vector<JsonItem> list(const char* name) const;  // of a member, empty if there is none
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] std::size_t number(std::size_t least, std::size_t most) const;
  [[nodiscard]] bool flag(const char* name) const;  // of a member, false if there is none

  // The symbol with this name.
  template <class Key>
  [[nodiscard]] Key symbol(const dpn::Vocabulary<Key>& vocabulary) const {
    if (const auto key = vocabulary.find(text())) return *key;
    reject("the model has no '" + text() + "' of this kind");
  }

 private:
  const nlohmann::json* value_;
  std::string place_;
  std::string_view file_;
};

}  // namespace lockwood::verify
