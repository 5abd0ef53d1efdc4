#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockwood::jvm {

// Where something is in the image of a JDK. The texts are views of the image.
struct ImageLocation {
  std::string_view module;
  std::string_view parent;            // the folder, which is the package with slashes
  std::string_view base;              // the name of the file
  std::string_view extension;         // without the dot
  std::uint64_t offset = 0;           // of the content, behind the index
  std::uint64_t compressed_size = 0;  // 0 if it is not compressed
  std::uint64_t size = 0;
};

// The index of a JDK's image, lib/modules: a perfect hash table from paths such as /java.base/java/lang/Object.class to
// locations, in the order of bytes of the machine that the image was made for. A view of the bytes, which must outlive
// it.
//
// Layout: seven words (magic, version, flags, number of resources, length n of the table, bytes of locations, bytes of
// strings), n words *redirect*, n words *offset*, locations, strings; the contents follow. A path hashes to a bucket,
// whose redirection is either its slot (negative: -1 - slot) or the seed of a second hash that gives the slot.
//
// The tables are views of a file that may be damaged or made to do harm, so each number is checked where it is used.
class ImageIndex {
 public:
  // Throws InputError, with this name for the image, if the header is not that of an image or the tables that it
  // announces do not fit into the bytes.
  ImageIndex(std::span<const std::uint8_t> image, const std::string& name);

  // The location of this path, or nothing.
  [[nodiscard]] std::optional<ImageLocation> locate(std::string_view path) const;

  [[nodiscard]] std::uint32_t slots() const { return slots_; }
  // What a slot leads to; nothing if it is empty, or not as it should be. Requires slot < slots().
  [[nodiscard]] std::optional<ImageLocation> location(std::uint32_t slot) const;

  // The bytes of the content as they are in the image, compressed or not; nothing if they are not within the image.
  [[nodiscard]] std::optional<std::span<const std::uint8_t>> content(const ImageLocation& location) const;

  // A word in the image's order of bytes. Requires that it is within the bytes.
  [[nodiscard]] std::uint32_t word(std::span<const std::uint8_t> bytes, std::size_t at) const;

  // The string at this offset of the table of strings, which ends by a zero byte; nothing if it does not.
  [[nodiscard]] std::optional<std::string_view> string_at(std::uint64_t offset) const;

 private:
  [[nodiscard]] std::optional<std::uint32_t> slot_of(std::string_view path) const;

  std::span<const std::uint8_t> redirects_;
  std::span<const std::uint8_t> offsets_;
  std::span<const std::uint8_t> locations_;
  std::span<const std::uint8_t> strings_;
  std::span<const std::uint8_t> contents_;
  std::uint32_t slots_ = 0;
  bool little_endian_ = true;
};

// The path of a location, as it is hashed: "/module/parent/base.extension", without the parts that are empty.
[[nodiscard]] std::string path_of(const ImageLocation& location);

}  // namespace lockwood::jvm
