#include "jvm/archive/zip_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/text/diagnostic.hpp"
#include "jvm/archive/libzip.hpp"
#include "jvm/archive/warning_list.hpp"

namespace lockwood::jvm {
namespace {

// libzip's error, which holds memory of its own.
class ZipError {
 public:
  ZipError() { libzip().error_init(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  ~ZipError() { libzip().error_fini(&error_); }
  [[nodiscard]] zip_error_t* get() { return &error_; }
  [[nodiscard]] std::string text() {
    if (libzip().error_code_zip(&error_) == ZIP_ER_NOZIP) return "is not a zip archive, or is cut off";
    return fmt::format("cannot be opened as a zip archive: {}", libzip().error_strerror(&error_));
  }

 private:
  zip_error_t error_{};
};

// Takes the source over.
zip* opened(zip_source_t* source, const std::string& origin, ZipError& error) {
  if (source == nullptr) throw InputError{origin, error.text()};
  zip* const archive = libzip().open_from_source(source, ZIP_RDONLY, error.get());
  if (archive == nullptr) {
    libzip().source_free(source);
    throw InputError{origin, error.text()};
  }
  return archive;
}

// libzip would wait for the writer of a pipe.
void require_regular(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw InputError{path, std::strerror(errno)};
  if (!S_ISREG(status.st_mode)) throw InputError{path, "is not a regular file"};
}

ZipEntry::Method method_of(std::uint16_t number) {
  if (number == ZIP_CM_STORE) return ZipEntry::Method::Stored;
  return number == ZIP_CM_DEFLATE ? ZipEntry::Method::Deflated : ZipEntry::Method::Other;
}

// An entry that is being read.
class OpenEntry {
 public:
  OpenEntry(zip* archive, const ZipEntry& entry) : file_{libzip().fopen_index(archive, entry.index, 0)} {}
  OpenEntry(const OpenEntry&) = delete;
  OpenEntry& operator=(const OpenEntry&) = delete;
  ~OpenEntry() {
    if (file_ != nullptr) libzip().fclose(file_);
  }
  [[nodiscard]] zip_file_t* get() const { return file_; }

 private:
  zip_file_t* file_;
};

}  // namespace

ZipFile ZipFile::open(const std::string& path, const ArchiveLimits& limits, std::uint64_t skipped) {
  require_regular(path);
  ZipError error;
  zip_source_t* const source = libzip().source_file_create(path.c_str(), skipped, -1, error.get());
  return {opened(source, path, error), {}, path, limits};
}

ZipFile ZipFile::of(SharedBytes bytes, std::string origin, const ArchiveLimits& limits) {
  // libzip takes an empty buffer for an archive that is yet to be written.
  if (bytes.bytes.empty()) throw InputError{std::move(origin), "is empty, and not a zip archive"};
  ZipError error;
  constexpr int keep = 0;  // the buffer is ours
  zip_source_t* const source = libzip().source_buffer_create(bytes.bytes.data(), bytes.bytes.size(), keep, error.get());
  zip* const archive = opened(source, origin, error);
  return {archive, std::move(bytes), std::move(origin), limits};
}

ZipFile::ZipFile(zip* archive, SharedBytes bytes, std::string origin, const ArchiveLimits& limits)
    : bytes_{std::move(bytes)}, archive_{archive}, origin_{std::move(origin)} {
  assert(archive_ != nullptr);
  try {
    list_entries(limits);
  } catch (...) {
    libzip().discard(archive_);
    throw;
  }
}

ZipFile::ZipFile(ZipFile&& other) noexcept
    : bytes_{std::move(other.bytes_)},
      archive_{std::exchange(other.archive_, nullptr)},
      origin_{std::move(other.origin_)},
      entries_{std::move(other.entries_)} {}

ZipFile& ZipFile::operator=(ZipFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(archive_, other.archive_);
  std::swap(origin_, other.origin_);
  std::swap(entries_, other.entries_);
  return *this;
}

ZipFile::~ZipFile() {
  if (archive_ != nullptr) libzip().discard(archive_);  // closing would write
}

void ZipFile::list_entries(const ArchiveLimits& limits) {
  const auto count = static_cast<std::uint64_t>(libzip().get_num_entries(archive_, 0));
  if (count > limits.max_entries)
    throw InputError{origin_, fmt::format("has {} entries; the limit is {}", count, limits.max_entries)};
  entries_.reserve(count);
  for (std::uint64_t index = 0; index < count; ++index) {
    zip_stat_t status;
    constexpr std::uint64_t wanted =
        ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    // Names in jars are UTF-8 whether or not the entry says so; libzip would guess, and translate.
    if (libzip().stat_index(archive_, index, ZIP_FL_ENC_RAW, &status) != 0 || (status.valid & wanted) != wanted)
      continue;
    entries_.push_back({.name = status.name,
                        .index = index,
                        .size = status.size,
                        .compressed_size = status.comp_size,
                        .method = method_of(status.comp_method),
                        .encrypted = status.encryption_method != ZIP_EM_NONE});
  }
  assert(entries_.size() <= count);
}

std::vector<std::uint8_t> ZipFile::read(const ZipEntry& entry) const {
  const auto refuse = [&](std::string_view reason) {
    throw InputError{origin_, fmt::format("entry '{}' {}", shown_entry(entry.name), reason)};
  };
  const OpenEntry file{archive_, entry};
  if (file.get() == nullptr) refuse(fmt::format("cannot be read: {}", libzip().strerror(archive_)));
  std::vector<std::uint8_t> content(entry.size);
  std::size_t filled = 0;
  while (filled < content.size()) {
    const zip_int64_t count = libzip().fread(file.get(), content.data() + filled, content.size() - filled);
    if (count < 0) refuse(fmt::format("cannot be read: {}", libzip().file_strerror(file.get())));
    if (count == 0) refuse(fmt::format("ends after {} of {}", bytes_text(filled), bytes_text(entry.size)));
    filled += static_cast<std::size_t>(count);
    assert(filled <= content.size());
  }
  // The end has to be seen: there libzip compares the checksum, and only there it shows that the entry is longer.
  std::uint8_t behind = 0;
  const zip_int64_t more = libzip().fread(file.get(), &behind, 1);
  if (more < 0) refuse(fmt::format("cannot be read: {}", libzip().file_strerror(file.get())));
  if (more > 0) refuse(fmt::format("is longer than the {} that it claims to have", bytes_text(entry.size)));
  return content;
}

std::string rejection_reason(const ZipEntry& entry, std::uint64_t max_bytes, const ArchiveLimits& limits) {
  if (entry.encrypted) return "is encrypted";
  if (entry.method == ZipEntry::Method::Other) return "is compressed by a method that Java does not have";
  if (entry.size > max_bytes)
    return fmt::format("has {}; the limit is {}", bytes_text(entry.size), bytes_text(max_bytes));
  if (entry.method == ZipEntry::Method::Stored && entry.size != entry.compressed_size)
    return fmt::format("is stored in {} and claims to have {}", bytes_text(entry.compressed_size),
                       bytes_text(entry.size));
  // size / compressed_size > max_ratio, without a division by zero or an overflow.
  if (entry.size > limits.ratio_floor && entry.size / limits.max_ratio >= entry.compressed_size &&
      entry.size > limits.max_ratio * entry.compressed_size)
    return fmt::format("claims to have {} in {} compressed; the limit is {} times", bytes_text(entry.size),
                       bytes_text(entry.compressed_size), limits.max_ratio);
  return {};
}

}  // namespace lockwood::jvm
