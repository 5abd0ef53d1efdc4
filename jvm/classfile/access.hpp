#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockwood::jvm {

// Access flags of classes, fields and methods [lindholm.21.jvm, Tables 4.1-B, 4.5-A, 4.6-A, 4.7.6-A]. One bit has
// another meaning for another kind of thing, so a name belongs to a kind.
class Access {
 public:
  constexpr Access() = default;
  constexpr explicit Access(std::uint16_t bits) : bits_{bits} {}
  [[nodiscard]] constexpr std::uint16_t bits() const { return bits_; }

  [[nodiscard]] constexpr bool is_public() const { return has(0x0001); }
  [[nodiscard]] constexpr bool is_private() const { return has(0x0002); }
  [[nodiscard]] constexpr bool is_protected() const { return has(0x0004); }
  // Neither public nor protected nor private.
  [[nodiscard]] constexpr bool is_package_private() const { return !has(0x0007); }
  [[nodiscard]] constexpr bool is_static() const { return has(0x0008); }
  [[nodiscard]] constexpr bool is_final() const { return has(0x0010); }
  [[nodiscard]] constexpr bool is_synchronized() const { return has(0x0020); }  // of a method
  [[nodiscard]] constexpr bool is_volatile() const { return has(0x0040); }      // of a field
  [[nodiscard]] constexpr bool is_bridge() const { return has(0x0040); }        // of a method
  [[nodiscard]] constexpr bool is_varargs() const { return has(0x0080); }       // of a method
  [[nodiscard]] constexpr bool is_native() const { return has(0x0100); }        // of a method
  [[nodiscard]] constexpr bool is_interface() const { return has(0x0200); }     // of a class
  [[nodiscard]] constexpr bool is_abstract() const { return has(0x0400); }
  [[nodiscard]] constexpr bool is_synthetic() const { return has(0x1000); }
  [[nodiscard]] constexpr bool is_enum() const { return has(0x4000); }
  [[nodiscard]] constexpr bool is_module() const { return has(0x8000); }  // of a class
  friend constexpr bool operator==(Access, Access) = default;

 private:
  [[nodiscard]] constexpr bool has(std::uint16_t bit) const { return (bits_ & bit) != 0; }
  std::uint16_t bits_ = 0;
};

enum class AccessOf { Class, Field, Method };

struct AccessName {
  std::uint16_t bit;
  AccessOf of;
  std::string_view word;  // of the Java language
};

// The flags that the language has a word for, in the order in which people write them.
inline constexpr auto access_names = std::to_array<AccessName>({
    {0x0001, AccessOf::Class, "public"},        {0x0400, AccessOf::Class, "abstract"},
    {0x0010, AccessOf::Class, "final"},         {0x0001, AccessOf::Field, "public"},
    {0x0002, AccessOf::Field, "private"},       {0x0004, AccessOf::Field, "protected"},
    {0x0008, AccessOf::Field, "static"},        {0x0010, AccessOf::Field, "final"},
    {0x0080, AccessOf::Field, "transient"},     {0x0040, AccessOf::Field, "volatile"},
    {0x0001, AccessOf::Method, "public"},       {0x0002, AccessOf::Method, "private"},
    {0x0004, AccessOf::Method, "protected"},    {0x0400, AccessOf::Method, "abstract"},
    {0x0008, AccessOf::Method, "static"},       {0x0010, AccessOf::Method, "final"},
    {0x0020, AccessOf::Method, "synchronized"}, {0x0100, AccessOf::Method, "native"},
    {0x0800, AccessOf::Method, "strictfp"},
});

// "public static ", each word followed by a space.
[[nodiscard]] inline std::string words_of(Access access, AccessOf of) {
  std::string text;
  for (const AccessName& name : access_names)
    if (name.of == of && (access.bits() & name.bit) != 0) text.append(name.word).append(" ");
  return text;
}

}  // namespace lockwood::jvm
