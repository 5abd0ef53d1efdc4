#include "frontend/report/sarif/line_hashes.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace lockwood::reports {
namespace {

constexpr std::size_t block = 100;  // characters that a hash is about
constexpr std::uint64_t factor = 37;
constexpr std::uint64_t end_of_text = 65535;

constexpr std::uint64_t power(std::size_t exponent) {
  std::uint64_t result = 1;
  for (std::size_t i = 0; i < exponent; ++i) result *= factor;
  return result;
}

// A hash rolls over the text: when a character comes, the one of 100 characters ago goes. The hash of a line is known
// once the character comes that pushes its first one out.
class LineHashes {
 public:
  std::vector<std::string> of(std::string_view text) && {
    for (char c : text) process(static_cast<unsigned char>(c));
    process(end_of_text);
    for (std::size_t i = 0; i < block; ++i) {
      finish_line();
      roll(0);
    }
    return std::move(hashes_);
  }

 private:
  void process(std::uint64_t character) {
    const bool after_return = previous_was_return_;
    previous_was_return_ = false;
    if (character == ' ' || character == '\t' || (after_return && character == '\n')) return;
    if (character == '\r') {
      character = '\n';
      previous_was_return_ = true;
    }
    finish_line();
    if (line_begins_) {
      line_begins_ = false;
      line_at_[next_] = hashes_.size();
      hashes_.emplace_back();
    }
    if (character == '\n') line_begins_ = true;
    roll(character);
  }

  void finish_line() {
    if (!line_at_[next_]) return;
    hashes_[*line_at_[next_]] = fmt::format("{:x}:{}", hash_, ++seen_[hash_]);
    line_at_[next_].reset();
  }

  void roll(std::uint64_t character) {
    hash_ = factor * hash_ + character - power(block) * window_[next_];
    window_[next_] = character;
    next_ = (next_ + 1) % block;
  }

  std::array<std::uint64_t, block> window_{};
  std::array<std::optional<std::size_t>, block> line_at_{};  // which line begins with this character of the window
  std::size_t next_ = 0;
  std::uint64_t hash_ = 0;
  bool line_begins_ = true;
  bool previous_was_return_ = false;
  std::map<std::uint64_t, std::size_t> seen_;
  std::vector<std::string> hashes_;
};

}  // namespace

std::vector<std::string> line_hashes(std::string_view text) { return LineHashes{}.of(text); }

}  // namespace lockwood::reports
