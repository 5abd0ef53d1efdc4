#include "base/symbol_table.hpp"

#include <functional>

namespace lockwood {

std::string_view NameTable::name(std::size_t number) const {
  const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
  return std::string_view{text_}.substr(begin, ends_[number] - begin);
}

std::size_t NameTable::slot_of(std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(name)&mask;
  while (slots_[slot] != 0 && this->name(slots_[slot] - 1) != name) slot = (slot + 1) & mask;
  return slot;
}

std::optional<std::size_t> NameTable::find(std::string_view name) const {
  if (slots_.empty()) return std::nullopt;
  const std::uint32_t found = slots_[slot_of(name)];
  return found == 0 ? std::nullopt : std::optional<std::size_t>{found - 1};
}

std::size_t NameTable::intern(std::string_view name) {
  if (2 * (ends_.size() + 1) > slots_.size()) grow();
  const std::size_t slot = slot_of(name);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  text_.append(name);
  ends_.push_back(text_.size());
  slots_[slot] = static_cast<std::uint32_t>(ends_.size());
  return ends_.size() - 1;
}

void NameTable::grow() {
  slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), 0);
  for (std::size_t number = 0; number < ends_.size(); ++number)
    slots_[slot_of(name(number))] = static_cast<std::uint32_t>(number + 1);
}

}  // namespace lockwood
