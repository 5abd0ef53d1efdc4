#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockwood::jvm {

// An entry of an archive that is to be written, with what its headers say where that is not the truth.
struct WrittenEntry {
  std::string name;
  std::string content;
  bool deflated = false;
  bool encrypted = false;                    // only says so
  std::optional<std::uint32_t> size = {};    // lies
  std::optional<std::uint32_t> packed = {};  // lies
  std::optional<std::uint32_t> crc = {};     // lies
  std::optional<std::uint16_t> method = {};  // lies
};

// A zip archive with these entries, in this order.
[[nodiscard]] std::vector<std::uint8_t> written_zip(const std::vector<WrittenEntry>& entries);

}  // namespace lockwood::jvm
