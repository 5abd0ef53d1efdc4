#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "frontend/java/pointsto/ids.hpp"

namespace lockwood::java {

// A set of abstract objects: blocks of 64 neighbouring objects, sorted, none empty. Objects that meet in a set are
// mostly made close together, so few blocks hold many objects, and a union is a merge of two short lists.
class ObjectSet {
 public:
  [[nodiscard]] bool empty() const { return blocks_.empty(); }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool contains(ObjectId object) const;
  // Whether it was new.
  bool insert(ObjectId object);
  // Adds all of the other set, and to `news` those that were not here.
  void unite(const ObjectSet& other, ObjectSet& news);
  void unite(const ObjectSet& other);
  void remove_all(const ObjectSet& other);
  // Those whose bit is set. Beyond the end of the mask no bit is set.
  [[nodiscard]] ObjectSet masked(const std::vector<std::uint64_t>& mask) const;
  [[nodiscard]] bool intersects(const ObjectSet& other) const;
  void clear() { blocks_.clear(); }
  [[nodiscard]] std::size_t bytes() const { return blocks_.capacity() * sizeof(BitBlock); }

  // In the order of ids.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const BitBlock& block : blocks_)
      for (std::uint64_t bits = block.bits; bits != 0; bits &= bits - 1)
        visit(ObjectId{std::size_t{block.index} * 64 + static_cast<std::size_t>(std::countr_zero(bits))});
  }
  [[nodiscard]] std::vector<ObjectId> list() const;
  // The object, if there is just one.
  [[nodiscard]] bool is_single() const { return blocks_.size() == 1 && std::has_single_bit(blocks_.front().bits); }

  friend bool operator==(const ObjectSet&, const ObjectSet&) = default;

 private:
  struct BitBlock {
    std::uint64_t bits;
    std::uint32_t index;
    friend bool operator==(const BitBlock&, const BitBlock&) = default;
  };
  [[nodiscard]] std::size_t next_block(std::size_t from, std::uint32_t index) const;
  void check_invariants() const;
  std::vector<BitBlock> blocks_;  // by index, none empty
};

}  // namespace lockwood::java
