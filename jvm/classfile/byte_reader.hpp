#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "jvm/classfile/class_format_error.hpp"

namespace lockwood::jvm {

using Bytes = std::span<const std::uint8_t>;

// Reads big-endian numbers from a part [position, end) of the bytes of a class. Reading past the end throws
// MalformedBytes. Offsets count from the beginning of the whole, so that they can be shown to the user.
class ByteReader {
 public:
  explicit ByteReader(Bytes whole) : ByteReader{whole, 0, whole.size()} {}
  // Requires begin <= end <= whole.size().
  ByteReader(Bytes whole, std::size_t begin, std::size_t end) : whole_{whole}, position_{begin}, end_{end} {
    assert(begin <= end && end <= whole.size());
  }

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::size_t remaining() const { return end_ - position_; }
  [[nodiscard]] bool at_end() const { return position_ == end_; }
  [[nodiscard]] Bytes whole() const { return whole_; }

  std::uint8_t u1() { return whole_[advance(1)]; }
  std::uint16_t u2() {
    const std::size_t at = advance(2);
    return static_cast<std::uint16_t>(whole_[at] << 8U | whole_[at + 1]);
  }
  std::uint32_t u4() {
    const std::uint32_t high = u2();
    return high << 16U | u2();
  }
  std::uint64_t u8() {
    const std::uint64_t high = u4();
    return high << 32U | u4();
  }
  std::int32_t s4() { return static_cast<std::int32_t>(u4()); }

  // The next bytes, which are read past.
  Bytes take(std::size_t length) { return whole_.subspan(advance(length), length); }
  void skip(std::size_t length) { advance(length); }
  // A reader of the next bytes, which this one reads past.
  ByteReader part(std::size_t length) {
    const std::size_t begin = advance(length);
    return ByteReader{whole_, begin, begin + length};
  }
  // A count of records follows that take at least so many bytes each. What cannot be there is refused before anybody
  // makes room for it.
  std::size_t count_u2(std::size_t least_bytes, std::string_view what) { return checked(u2(), least_bytes, what); }
  std::size_t checked(std::size_t count, std::size_t least_bytes, std::string_view what) {
    if (count * least_bytes > remaining())
      fail("there is no room for " + std::to_string(count) + " " + std::string{what});
    return count;
  }
  void require_end(std::string_view what) {
    if (!at_end()) fail(std::to_string(remaining()) + " bytes are left over at the end of " + std::string{what});
  }
  [[noreturn]] void fail(std::string message) const { throw MalformedBytes{position_, std::move(message)}; }

 private:
  std::size_t advance(std::size_t length) {
    if (length > end_ - position_) fail("the data ends here, but " + std::to_string(length) + " more bytes are needed");
    const std::size_t at = position_;
    position_ += length;
    return at;
  }

  Bytes whole_;
  std::size_t position_;
  std::size_t end_;
};

}  // namespace lockwood::jvm
