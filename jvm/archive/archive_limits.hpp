#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace lockwood::jvm {

// How much of an archive is read. Archives come from anywhere: a few kilobytes may claim to hold terabytes, and they
// may even be right. What exceeds a limit is refused, and the message names the limit.
struct ArchiveLimits {
  std::size_t max_entries = 1'000'000;                       // of one archive, or files below one folder
  std::uint64_t max_entry_bytes = std::uint64_t{64} << 20U;  // of one class or manifest
  std::uint64_t max_total_bytes = std::uint64_t{4} << 30U;   // of all classes of one archive
  std::uint64_t max_nested_bytes = std::uint64_t{1} << 30U;  // of all jars within one jar: they are held in memory
  std::uint64_t max_ratio = 200;                        // of size to compressed size, for entries above ratio_floor
  std::uint64_t ratio_floor = std::uint64_t{1} << 20U;  // bytes: below, no ratio is a danger
  std::size_t max_depth = 3;                            // jars in jars
  std::size_t max_archives = 10'000;                    // on one class path, with all that manifests name
  std::size_t max_folder_depth = 200;                   // of folders in folders
};

// How archives are read.
struct ArchiveOptions {
  ArchiveLimits limits = {};
  int release = 25;  // the Java release in force: it chooses among the versions of a class in a multi-release jar
};

// For messages: "512 bytes", "1.5 MiB".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

}  // namespace lockwood::jvm
