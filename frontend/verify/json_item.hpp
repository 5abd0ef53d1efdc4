#pragma once

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "dpn/network.hpp"

namespace lockwood::verify {

// A value of a JSON document that knows its place in it. Every function throws InputError if the value is not what it
// is taken for. The value and the name of the file must outlive the item.
class JsonItem {
 public:
  JsonItem(const nlohmann::json& value, std::string place, std::string_view file)
      : value_{&value}, place_{std::move(place)}, file_{file} {}

  [[noreturn]] void reject(const std::string& message) const {
    throw InputError{std::string{file_}, (place_.empty() ? "" : place_ + ": ") + message};
  }
  // An object without members of other names: what is not understood could change the meaning of the rest.
  void require_members(std::initializer_list<std::string_view> names) const {
    if (!value_->is_object()) reject("this must be an object");
    for (const auto& [name, value] : value_->items())
      if (std::ranges::find(names, name) == names.end()) reject("there is no member '" + name + "' here");
  }
  [[nodiscard]] std::optional<JsonItem> find(const char* name) const {
    const auto at = value_->find(name);
    if (at == value_->end()) return std::nullopt;
    return JsonItem{*at, place_.empty() ? name : place_ + "." + name, file_};
  }
  [[nodiscard]] JsonItem member(const char* name) const {
    if (auto found = find(name)) return *std::move(found);
    reject("the member '" + std::string{name} + "' is missing");
  }
  [[nodiscard]] std::vector<JsonItem> list() const {
    if (!value_->is_array()) reject("this must be an array");
    std::vector<JsonItem> items;
    for (const auto& value : *value_)
      items.emplace_back(value, place_ + "[" + std::to_string(items.size()) + "]", file_);
    return items;
  }
  // Of a member, empty if there is none.
  [[nodiscard]] std::vector<JsonItem> list(const char* name) const {
    const auto found = find(name);
    return found ? found->list() : std::vector<JsonItem>{};
  }
  [[nodiscard]] const std::string& text() const {
    if (!value_->is_string()) reject("this must be a string");
    return value_->get_ref<const std::string&>();
  }
  [[nodiscard]] std::size_t number(std::size_t least, std::size_t most) const {
    if (value_->is_number_unsigned())
      if (const auto number = value_->get<std::uint64_t>(); least <= number && number <= most) return number;
    reject("this must be a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  [[nodiscard]] bool flag() const {
    if (!value_->is_boolean()) reject("this must be true or false");
    return value_->get<bool>();
  }
  template <class Key>
  [[nodiscard]] Key symbol(const dpn::Vocabulary<Key>& vocabulary) const {
    if (const auto key = vocabulary.find(text())) return *key;
    reject("the model has no '" + text() + "' of this kind");
  }
  template <class Key>
  [[nodiscard]] std::set<Key> symbols(const dpn::Vocabulary<Key>& vocabulary) const {
    std::set<Key> set;
    for (const JsonItem& name : list()) set.insert(name.symbol(vocabulary));
    return set;
  }
  [[nodiscard]] std::string dump() const { return value_->dump(); }

 private:
  const nlohmann::json* value_;
  std::string place_;
  std::string_view file_;
};

}  // namespace lockwood::verify
