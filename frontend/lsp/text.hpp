#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/lw/text_edit.hpp"

namespace lockwood::lsp {

// A place as the protocol counts it: lines, and UTF-16 code units of the line, both from 0.
struct TextPosition {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  friend auto operator<=>(const TextPosition&, const TextPosition&) = default;
};

// The text of a document, in UTF-8. Everything else speaks of its bytes; only the protocol counts differently.
// Lines end with a line feed, a carriage return, or both, as the protocol has it.
class Text {
 public:
  explicit Text(std::string content);

  [[nodiscard]] const std::string& content() const { return content_; }
  // The byte at the place. Behind the end of a line is its end, behind the last line the end of the text; within a
  // character is its beginning.
  [[nodiscard]] std::size_t offset(TextPosition place) const;
  [[nodiscard]] TextPosition place(std::size_t offset) const;

  // What is between the places; nothing if they are in the wrong order.
  lw::TextEdit replace(TextPosition begin, TextPosition end, std::string_view by);

 private:
  void find_lines();
  [[nodiscard]] std::size_t line_end(std::size_t line) const;  // without what ends the line

  std::string content_;
  std::vector<std::size_t> begins_;  // of lines; at least one
};

}  // namespace lockwood::lsp
