#include "base/ids/symbol_table.hpp"

#include <functional>
#include <utility>

namespace lockwood {
namespace {

std::uint32_t hash_of(std::string_view name) {
  const std::size_t hash = std::hash<std::string_view>{}(name);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

}  // namespace

std::string_view NameTable::name(std::size_t number) const {
  const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
  return std::string_view{text_}.substr(begin, ends_[number] - begin);
}

std::size_t NameTable::slot_of(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].name != 0 && (slots_[at].hash != hash || this->name(slots_[at].name - 1) != name))
    at = (at + 1) & mask;
  return at;
}

std::optional<std::size_t> NameTable::find(std::string_view name) const {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t found = slots_[slot_of(name, hash_of(name))].name;
  return found == 0 ? std::nullopt : std::optional<std::size_t>{found - 1};
}

std::size_t NameTable::intern(std::string_view name) {
  if (2 * (ends_.size() + 1) > slots_.size()) grow();
  const std::uint32_t hash = hash_of(name);
  Slot& slot = slots_[slot_of(name, hash)];
  if (slot.name != 0) return slot.name - 1;
  text_.append(name);
  ends_.push_back(text_.size());
  slot = {hash, static_cast<std::uint32_t>(ends_.size())};
  return ends_.size() - 1;
}

void NameTable::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 16 : 2 * slots_.size()));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.name == 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].name != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace lockwood
