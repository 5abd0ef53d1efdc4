#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "jvm/code/code_reader.hpp"

namespace lockwood::java {

// Exceptions that the machine throws by itself.
enum class ImplicitThrow : std::uint8_t { Null, Bounds, ArrayStore, Cast, Division, NegativeSize, Monitor };
inline constexpr std::size_t implicit_throw_count = 7;

inline constexpr std::array<std::string_view, implicit_throw_count> implicit_classes = {
    "java/lang/NullPointerException",        "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ArrayStoreException",         "java/lang/ClassCastException",
    "java/lang/ArithmeticException",         "java/lang/NegativeArraySizeException",
    "java/lang/IllegalMonitorStateException"};

// A set of them.
class ImplicitThrows {
 public:
  void insert(ImplicitThrow kind) { bits_ = static_cast<std::uint8_t>(bits_ | 1U << static_cast<unsigned>(kind)); }
  void remove(ImplicitThrow kind) { bits_ = static_cast<std::uint8_t>(bits_ & ~(1U << static_cast<unsigned>(kind))); }
  [[nodiscard]] bool contains(ImplicitThrow kind) const { return (bits_ >> static_cast<unsigned>(kind) & 1U) != 0; }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  [[nodiscard]] std::size_t size() const;
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = 0; i < implicit_throw_count; ++i)
      if (contains(static_cast<ImplicitThrow>(i))) visit(static_cast<ImplicitThrow>(i));
  }
  friend bool operator==(ImplicitThrows, ImplicitThrows) = default;

 private:
  std::uint8_t bits_ = 0;
};

// What the instruction may throw by itself if nothing is known but the instruction, and that `this` is not null.
[[nodiscard]] ImplicitThrows implicit_throws(const jvm::MethodCode& code, jvm::InstructionId instruction);

// The register whose value must not be null for the instruction to go on; nothing if there is none.
[[nodiscard]] std::optional<jvm::Register> dereferenced(const jvm::MethodBody& body,
                                                        const jvm::Instruction& instruction);

}  // namespace lockwood::java
