#include "base/text/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace lockwood {
namespace {

struct Amount {
  double number;
  std::string_view unit;
};

std::optional<Amount> parse_amount(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  Amount amount{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), amount.number, std::chars_format::fixed);
  if (error != std::errc{}) return std::nullopt;
  amount.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  return amount;
}

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    double milliseconds;
  };
  static constexpr std::array<Unit, 5> units{{{"", 1e3}, {"ms", 1}, {"s", 1e3}, {"m", 6e4}, {"h", 3.6e6}}};
  constexpr double longest = 3.6e6 * 24 * 366 * 100;  // a century, far from overflow of any clock
  const auto amount = parse_amount(text);
  if (!amount) return std::nullopt;
  for (const Unit& unit : units) {
    if (unit.name != amount->unit) continue;
    const double milliseconds = std::round(amount->number * unit.milliseconds);
    if (milliseconds < 1 || milliseconds > longest) return std::nullopt;
    return std::chrono::milliseconds{static_cast<std::chrono::milliseconds::rep>(milliseconds)};
  }
  return std::nullopt;
}

std::optional<std::size_t> parse_size(std::string_view text) {
  const auto amount = parse_amount(text);
  if (!amount) return std::nullopt;
  std::string_view unit = amount->unit;
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    const std::size_t power = std::string_view{"KMGT"}.find(unit.front());
    if (power == std::string_view::npos) return std::nullopt;
    unit.remove_prefix(1);
    if (!unit.empty() && unit != "B" && unit != "iB") return std::nullopt;
    factor = std::pow(1024, static_cast<double>(power) + 1);
  }
  const double bytes = std::round(amount->number * factor);
  if (bytes < 1 || bytes >= std::pow(2, 63)) return std::nullopt;
  return static_cast<std::size_t>(bytes);
}

std::string duration_text(std::chrono::milliseconds duration) {
  const auto milliseconds = duration.count();
  if (milliseconds < 10'000) return fmt::format("{:.1f} s", static_cast<double>(milliseconds) / 1000);
  const auto seconds = milliseconds / 1000;
  if (seconds < 60) return fmt::format("{} s", seconds);
  return fmt::format("{} min {} s", seconds / 60, seconds % 60);
}

std::string count_text(std::size_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t end = digits.size(); end > 3;) digits.insert(end -= 3, 1, ',');
  return digits;
}

std::string size_text(std::size_t bytes) {
  static constexpr std::array<std::string_view, 4> units{"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double amount = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  return fmt::format("{:.{}f} {}", amount, amount < 10 ? 1 : 0, units[unit]);
}

}  // namespace lockwood
