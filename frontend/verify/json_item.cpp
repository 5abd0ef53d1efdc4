#include "frontend/verify/json_item.hpp"

#include <algorithm>

#include "base/diagnostic.hpp"

namespace lockwood::verify {

void JsonItem::reject(const std::string& message) const {
  throw InputError{std::string{file_}, (place_.empty() ? "" : place_ + ": ") + message};
}

const JsonItem& JsonItem::with_members(std::initializer_list<std::string_view> names) const {
  if (!value_->is_object()) reject("this must be an object");
  for (const auto& [name, value] : value_->items())
    if (std::ranges::find(names, name) == names.end()) reject("there is no member '" + name + "' here");
  return *this;
}

std::optional<JsonItem> JsonItem::find(const char* name) const {
  const auto at = value_->find(name);
  if (at == value_->end()) return std::nullopt;
  return JsonItem{*at, place_.empty() ? name : place_ + "." + name, file_};
}

JsonItem JsonItem::member(const char* name) const {
  auto found = find(name);
  if (!found) reject("the member '" + std::string{name} + "' is missing");
  return *std::move(found);
}

std::vector<JsonItem> JsonItem::list() const {
  if (!value_->is_array()) reject("this must be an array");
  std::vector<JsonItem> items;
  for (const auto& value : *value_) items.emplace_back(value, place_ + "[" + std::to_string(items.size()) + "]", file_);
  return items;
}

std::vector<JsonItem> JsonItem::list(const char* name) const {
  const auto found = find(name);
  return found ? found->list() : std::vector<JsonItem>{};
}

const std::string& JsonItem::text() const {
  if (!value_->is_string()) reject("this must be a string");
  return value_->get_ref<const std::string&>();
}

std::size_t JsonItem::number(std::size_t least, std::size_t most) const {
  if (value_->is_number_unsigned())
    if (const auto number = value_->get<std::uint64_t>(); least <= number && number <= most) return number;
  reject(least > most ? "there is nothing that this number could mean"
                      : "this must be a number from " + std::to_string(least) + " to " + std::to_string(most));
}

bool JsonItem::flag(const char* name) const {
  const auto found = find(name);
  if (found && !found->value_->is_boolean()) found->reject("this must be true or false");
  return found && found->value_->get<bool>();
}

}  // namespace lockwood::verify
