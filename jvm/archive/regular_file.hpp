#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jvm/archive/archive_limits.hpp"

namespace lockwood::jvm {

// Bytes and what keeps them alive.
struct SharedBytes {
  std::shared_ptr<const void> owner;
  std::span<const std::uint8_t> bytes;
};

[[nodiscard]] SharedBytes shared(std::vector<std::uint8_t> bytes);

// The whole content of a regular file, at most so many bytes. Devices, pipes and sockets are refused without a read, as
// these may have no end. Throws InputError.
[[nodiscard]] SharedBytes read_regular_file(const std::string& path, std::uint64_t max_bytes);

// Maps a regular file into memory: only what is looked at is read from the disk. The file must not become shorter as
// long as this lives: that is for the files of a JDK, which are replaced and not rewritten. Throws InputError.
[[nodiscard]] SharedBytes map_regular_file(const std::string& path);

}  // namespace lockwood::jvm
