#include "jvm/archive/image_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "base/text/diagnostic.hpp"

namespace lockwood::jvm {
namespace {

constexpr std::uint32_t magic = 0xCAFEDADA;
constexpr std::uint32_t major_version = 1;
constexpr std::size_t header_words = 7;
constexpr std::size_t word_bytes = 4;
constexpr std::uint32_t first_seed = 0x01000193;

std::uint32_t little_word(std::span<const std::uint8_t> bytes, std::size_t at) {
  assert(at + word_bytes <= bytes.size());
  return std::uint32_t{bytes[at]} | std::uint32_t{bytes[at + 1]} << 8U | std::uint32_t{bytes[at + 2]} << 16U |
         std::uint32_t{bytes[at + 3]} << 24U;
}

std::uint32_t big_word(std::span<const std::uint8_t> bytes, std::size_t at) {
  assert(at + word_bytes <= bytes.size());
  return std::uint32_t{bytes[at]} << 24U | std::uint32_t{bytes[at + 1]} << 16U | std::uint32_t{bytes[at + 2]} << 8U |
         std::uint32_t{bytes[at + 3]};
}

std::uint32_t hash(std::string_view text, std::uint32_t seed) {
  for (char c : text) seed = (seed * 0x01000193U) ^ static_cast<unsigned char>(c);
  return seed & 0x7FFFFFFFU;
}

// A location is a list of these, each with a number.
enum class Attribute : std::uint8_t { End, Module, Parent, Base, Extension, Offset, Compressed, Uncompressed };
constexpr std::size_t attribute_kinds = 8;

// Whether `path` is `expected` with its parts put together: compares without doing so.
bool has_path(const ImageLocation& location, std::string_view path) {
  const auto take = [&path](std::string_view part) {
    if (!path.starts_with(part)) return false;
    path.remove_prefix(part.size());
    return true;
  };
  if (!location.module.empty() && !(take("/") && take(location.module) && take("/"))) return false;
  if (!location.parent.empty() && !(take(location.parent) && take("/"))) return false;
  if (!take(location.base)) return false;
  if (!location.extension.empty() && !(take(".") && take(location.extension))) return false;
  return path.empty();
}

}  // namespace

std::string path_of(const ImageLocation& location) {
  std::string path;
  if (!location.module.empty()) path.append("/").append(location.module).append("/");
  if (!location.parent.empty()) path.append(location.parent).append("/");
  path.append(location.base);
  if (!location.extension.empty()) path.append(".").append(location.extension);
  assert(has_path(location, path));
  return path;
}

ImageIndex::ImageIndex(std::span<const std::uint8_t> image, const std::string& name) {
  if (image.size() < header_words * word_bytes) throw InputError{name, "is too short for the image of a JDK"};
  little_endian_ = little_word(image, 0) == magic;
  if (!little_endian_ && big_word(image, 0) != magic) throw InputError{name, "is not the image of a JDK"};
  std::array<std::uint32_t, header_words> header{};
  for (std::size_t i = 0; i < header_words; ++i) header[i] = word(image, i * word_bytes);
  const std::uint32_t version = header[1];
  // A new minor version may add things; what is read here stays.
  if (version >> 16U != major_version)
    throw InputError{
        name, fmt::format("is an image of version {}.{}; versions 1.x can be read", version >> 16U, version & 0xFFFFU)};
  slots_ = header[4];
  const std::uint64_t table_bytes = std::uint64_t{slots_} * word_bytes;
  // Each summand is below 2^35: no overflow.
  const std::uint64_t index_bytes = header_words * word_bytes + 2 * table_bytes + header[5] + header[6];
  if (index_bytes > image.size())
    throw InputError{name,
                     fmt::format("announces an index of {} bytes, but has only {} bytes", index_bytes, image.size())};
  std::span<const std::uint8_t> rest = image.subspan(header_words * word_bytes);
  const auto take = [&rest](std::uint64_t length) {
    assert(length <= rest.size());
    const auto taken = rest.first(length);
    rest = rest.subspan(length);
    return taken;
  };
  redirects_ = take(table_bytes);
  offsets_ = take(table_bytes);
  locations_ = take(header[5]);
  strings_ = take(header[6]);
  contents_ = rest;
}

std::uint32_t ImageIndex::word(std::span<const std::uint8_t> bytes, std::size_t at) const {
  return little_endian_ ? little_word(bytes, at) : big_word(bytes, at);
}

std::optional<std::uint32_t> ImageIndex::slot_of(std::string_view path) const {
  if (slots_ == 0) return std::nullopt;
  const std::uint32_t bucket = hash(path, first_seed) % slots_;
  const auto redirect = static_cast<std::int32_t>(word(redirects_, std::size_t{bucket} * word_bytes));
  if (redirect == 0) return std::nullopt;
  if (redirect > 0) return hash(path, static_cast<std::uint32_t>(redirect)) % slots_;
  const std::int64_t slot = -1 - std::int64_t{redirect};
  if (slot >= std::int64_t{slots_}) return std::nullopt;
  return static_cast<std::uint32_t>(slot);
}

std::optional<std::string_view> ImageIndex::string_at(std::uint64_t offset) const {
  if (offset >= strings_.size()) return std::nullopt;
  const auto tail = strings_.subspan(offset);
  const auto end = std::ranges::find(tail, 0);
  if (end == tail.end()) return std::nullopt;
  return std::string_view{reinterpret_cast<const char*>(tail.data()), static_cast<std::size_t>(end - tail.begin())};
}

std::optional<ImageLocation> ImageIndex::location(std::uint32_t slot) const {
  assert(slot < slots_);
  std::size_t at = word(offsets_, std::size_t{slot} * word_bytes);
  std::array<std::uint64_t, attribute_kinds> values{};
  // Each attribute is a byte (kind * 8 + length - 1) and a number of so many bytes, always the most significant first.
  while (true) {
    if (at >= locations_.size()) return std::nullopt;
    const std::uint8_t lead = locations_[at++];
    const std::size_t kind = lead >> 3U;
    if (kind == static_cast<std::size_t>(Attribute::End)) break;
    const std::size_t length = (lead & 7U) + 1U;
    if (kind >= attribute_kinds || length > locations_.size() - at) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < length; ++i) value = value << 8U | locations_[at++];
    values[kind] = value;
  }
  const auto value = [&](Attribute kind) { return values[static_cast<std::size_t>(kind)]; };
  const auto module = string_at(value(Attribute::Module));
  const auto parent = string_at(value(Attribute::Parent));
  const auto base = string_at(value(Attribute::Base));
  const auto extension = string_at(value(Attribute::Extension));
  if (!module || !parent || !base || !extension) return std::nullopt;
  return ImageLocation{.module = *module,
                       .parent = *parent,
                       .base = *base,
                       .extension = *extension,
                       .offset = value(Attribute::Offset),
                       .compressed_size = value(Attribute::Compressed),
                       .size = value(Attribute::Uncompressed)};
}

std::optional<ImageLocation> ImageIndex::locate(std::string_view path) const {
  const auto slot = slot_of(path);
  if (!slot) return std::nullopt;
  const auto found = location(*slot);
  // The table is perfect for the paths in it; any other path leads somewhere, too.
  if (!found || !has_path(*found, path)) return std::nullopt;
  return found;
}

std::optional<std::span<const std::uint8_t>> ImageIndex::content(const ImageLocation& location) const {
  const std::uint64_t length = location.compressed_size != 0 ? location.compressed_size : location.size;
  if (location.offset > contents_.size() || length > contents_.size() - location.offset) return std::nullopt;
  return contents_.subspan(location.offset, length);
}

}  // namespace lockwood::jvm
