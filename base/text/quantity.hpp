#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lockwood {

// "90s", "2m", "500ms", "1.5h", "90" (seconds); nothing if it is no such text, is zero, or is too long to wait for.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

// "4G", "512M", "64KiB", "1048576" (bytes), in powers of 1024; nothing if it is no such text, is zero, or too much.
[[nodiscard]] std::optional<std::size_t> parse_size(std::string_view text);

// For people: "0.3 s", "12 s", "2 min 5 s".
[[nodiscard]] std::string duration_text(std::chrono::milliseconds duration);

// For people: "999", "3,511".
[[nodiscard]] std::string count_text(std::size_t count);

// For people: "512 B", "1.5 MiB".
[[nodiscard]] std::string size_text(std::size_t bytes);

}  // namespace lockwood
