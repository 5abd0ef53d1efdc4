#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lockwood::explorer {

// The hash of a component vector: the sum over all positions of a mix of position and component, in two lanes of 64
// bits. Updated by the difference to the vector before. Zeros count nothing, so that vectors may be lengthened by them.
class VectorHash {
 public:
  using Value = std::array<std::uint64_t, 2>;
  [[nodiscard]] Value update(std::span<const std::uint32_t> components);

 private:
  std::vector<std::uint32_t> last_;
  Value hash_{};
};

// A set of states that keeps only 64 or 128 bits of each: two states with equal hashes are taken for one.
class HashStore {
 public:
  enum class Width { Bits64, Bits128 };
  explicit HashStore(Width width) : width_{width} {}

  // Whether it is new.
  [[nodiscard]] bool insert(std::span<const std::uint32_t> components);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return slots_.capacity() * sizeof(std::uint64_t); }
  // That some state was taken for another: pairs of states, by the number of hashes.
  [[nodiscard]] double omission_probability() const;

 private:
  [[nodiscard]] std::size_t words() const { return width_ == Width::Bits64 ? 1 : 2; }
  void grow();

  Width width_;
  VectorHash hash_;
  std::vector<std::uint64_t> slots_;  // words() each; 0 is free
  std::size_t size_ = 0;
};

// A set of states that keeps three bits of a fixed table for each.
class BitStore {
 public:
  // Requires bits > 0; rounded up to whole words.
  explicit BitStore(std::size_t bits) : bits_((bits + 63) / 64) {}

  [[nodiscard]] bool insert(std::span<const std::uint32_t> components);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return bits_.size() * sizeof(std::uint64_t); }
  // Of the next state: that all its bits are set by others.
  [[nodiscard]] double omission_probability() const;

 private:
  static constexpr std::size_t bits_of_state = 3;
  VectorHash hash_;
  std::vector<std::uint64_t> bits_;
  std::size_t set_ = 0;
  std::size_t size_ = 0;
};

}  // namespace lockwood::explorer
