#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids/sequence_table.hpp"
#include "frontend/java/pointsto/ids.hpp"

namespace lockwood::java {

// An element of a context: an allocation, or a call. One number for both keeps contexts small.
class ContextElement {
 public:
  static ContextElement allocation(SiteId site) { return ContextElement{static_cast<std::uint32_t>(2 * site.index())}; }
  // Calls of all procedures are numbered together.
  static ContextElement call(std::uint32_t number) { return ContextElement{2 * number + 1}; }
  static ContextElement from_bits(std::uint32_t bits) { return ContextElement{bits}; }
  [[nodiscard]] bool is_call() const { return (bits_ & 1U) != 0; }
  [[nodiscard]] SiteId site() const {
    assert(!is_call());
    return SiteId{bits_ / 2};
  }
  [[nodiscard]] std::uint32_t call_number() const {
    assert(is_call());
    return bits_ / 2;
  }
  [[nodiscard]] std::uint32_t bits() const { return bits_; }

 private:
  explicit ContextElement(std::uint32_t bits) : bits_{bits} {}
  std::uint32_t bits_;
};

// Contexts, each once: lists of elements, the nearest one first. Number 0 is the empty context.
class ContextTable {
 public:
  ContextTable() { table_.intern({}); }

  [[nodiscard]] static ContextId empty() { return ContextId{0}; }
  [[nodiscard]] std::span<const std::uint32_t> elements(ContextId id) const { return table_[id.index()]; }
  [[nodiscard]] std::size_t size() const { return table_.size(); }
  // The first `count` elements.
  [[nodiscard]] ContextId prefix(ContextId id, std::size_t count);
  // The element in front of the context, cut to at most `count` elements.
  [[nodiscard]] ContextId extended(ContextElement first, ContextId rest, std::size_t count);

 private:
  SequenceTable<std::uint32_t> table_;
};

}  // namespace lockwood::java
