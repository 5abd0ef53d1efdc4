#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jvm/archive/archive_limits.hpp"
#include "jvm/archive/regular_file.hpp"

struct zip;  // libzip's

namespace lockwood::jvm {

// What the directory of a zip archive says about an entry. Nothing of it need be true.
struct ZipEntry {
  std::string_view name;  // the raw bytes; they live as long as the archive
  std::uint64_t index = 0;
  std::uint64_t size = 0;
  std::uint64_t compressed_size = 0;
  enum class Method : std::uint8_t { Stored, Deflated, Other } method = Method::Stored;
  bool encrypted = false;
};

// A zip archive, read by libzip. Opening reads its directory, the contents are read one by one.
class ZipFile {
 public:
  // Opens a file, of which the first bytes may have to be skipped: those of a .jmod are no part of the archive. Throws
  // InputError, for whatever is no zip archive or has more entries than the limit.
  [[nodiscard]] static ZipFile open(const std::string& path, const ArchiveLimits& limits, std::uint64_t skipped = 0);
  // An archive in memory. The origin is its name in messages.
  [[nodiscard]] static ZipFile of(SharedBytes bytes, std::string origin, const ArchiveLimits& limits);

  ZipFile(ZipFile&& other) noexcept;
  ZipFile& operator=(ZipFile&& other) noexcept;
  ~ZipFile();

  [[nodiscard]] const std::string& origin() const { return origin_; }
  // In the order of the directory. There may be several of one name.
  [[nodiscard]] const std::vector<ZipEntry>& entries() const { return entries_; }

  // The content of an entry of this archive. Throws InputError if it is longer or shorter than the entry says, if its
  // checksum is wrong, or if it cannot be decompressed. Requires that the caller has found the size bearable: so many
  // bytes are allocated, and never more.
  [[nodiscard]] std::vector<std::uint8_t> read(const ZipEntry& entry) const;

 private:
  ZipFile(zip* archive, SharedBytes bytes, std::string origin, const ArchiveLimits& limits);
  void list_entries(const ArchiveLimits& limits);

  SharedBytes bytes_;  // of an archive in memory; must outlive it
  zip* archive_;       // owned
  std::string origin_;
  std::vector<ZipEntry> entries_;
};

// Why an entry of this size cannot be read, or nothing if it can: encrypted, compressed by a method that Java has not,
// above max_bytes, or above the ratio of the limits. Judges by what the directory says; ZipFile::read holds it to that.
[[nodiscard]] std::string rejection_reason(const ZipEntry& entry, std::uint64_t max_bytes, const ArchiveLimits& limits);

}  // namespace lockwood::jvm
