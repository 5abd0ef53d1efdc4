#pragma once

#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "frontend/lw/syntax.hpp"

namespace lockwood::lw {

// Where the lines of a text begin: positions of many bytes without counting from the start each time.
class TextLines {
 public:
  explicit TextLines(std::string_view text);
  [[nodiscard]] Position position(std::size_t offset) const;
  [[nodiscard]] program::SourceRange range(TextRange range) const {
    return {program::SourceFile{0}, position(range.begin), position(range.end)};
  }
  // The byte at a position of the text.
  [[nodiscard]] std::size_t offset(Position position) const;

 private:
  std::vector<std::uint32_t> begins_;
};

}  // namespace lockwood::lw
