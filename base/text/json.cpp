#include "base/text/json.hpp"

#include <memory>

namespace {

// What `std::allocator` made; nothing if there was no memory for it.
template <class Content>
void discard(Content* content) {
  if (content == nullptr) return;
  std::destroy_at(content);
  std::allocator<Content>{}.deallocate(content, 1);
}

template <class JsonValue>
void discard(const JsonValue& value, nlohmann::detail::value_t type) {
  using Type = nlohmann::detail::value_t;
  if (type == Type::object) discard(value.object);
  if (type == Type::array) discard(value.array);
  if (type == Type::string) discard(value.string);
  if (type == Type::binary) discard(value.binary);
}

}  // namespace

template <>
void nlohmann::json::json_value::destroy(value_t type) {
  discard(*this, type);
}

template <>
void nlohmann::ordered_json::json_value::destroy(value_t type) {
  discard(*this, type);
}
