#include "frontend/java/source_comments.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::java {
namespace {

constexpr std::string_view blanks = " \t\r\f";

// Goes through a source once, literal by literal.
class CommentReader {
 public:
  explicit CommentReader(std::string_view source) : source_{source} {}

  std::vector<SourceComment> read() {
    while (at_ < source_.size()) {
      const std::string_view rest = source_.substr(at_);
      if (rest.starts_with("//"))
        add_comment(std::min(rest.find('\n'), rest.size()), 2, 0);
      else if (rest.starts_with("/*"))
        add_block(rest);
      else if (rest.starts_with("\"\"\""))
        skip_literal(3, "\"\"\"", true);
      else if (rest.front() == '"')
        skip_literal(1, "\"", false);
      else if (rest.front() == '\'')
        skip_literal(1, "'", false);
      else
        advance(1);
    }
    return std::move(comments_);
  }

 private:
  void advance(std::size_t width) {
    assert(at_ + width <= source_.size());
    for (std::size_t end = at_ + width; at_ < end; ++at_)
      if (source_[at_] == '\n') {
        ++line_;
        line_begin_ = at_ + 1;
      }
  }
  void add_block(std::string_view rest) {
    const std::size_t end = rest.find("*/", 2);
    const bool closed = end != std::string_view::npos;
    add_comment(closed ? end + 2 : rest.size(), 2, closed ? 2 : 0);
  }
  // A comment of this width with marks at its ends.
  void add_comment(std::size_t width, std::size_t open, std::size_t close) {
    SourceComment comment;
    comment.text = source_.substr(at_ + open, width - open - close);
    comment.at = {line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1)};
    const std::string_view before = source_.substr(line_begin_, at_ - line_begin_);
    const bool first = before.find_first_not_of(blanks) == std::string_view::npos;
    const std::uint32_t begin_line = line_;
    advance(width);
    const std::string_view behind = source_.substr(at_, std::min(source_.find('\n', at_), source_.size()) - at_);
    comment.line = first ? line_ : begin_line;
    comment.alone = first && behind.find_first_not_of(blanks) == std::string_view::npos;
    comments_.push_back(comment);
  }
  // Literals without an end stop at the end of the line, except for text blocks.
  void skip_literal(std::size_t open, std::string_view end, bool over_lines) {
    advance(open);
    while (at_ < source_.size()) {
      const std::string_view rest = source_.substr(at_);
      if (rest.starts_with(end)) return advance(end.size());
      if (rest.front() == '\n' && !over_lines) return;
      advance(std::min<std::size_t>(rest.front() == '\\' ? 2 : 1, rest.size()));
    }
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  std::uint32_t line_ = 1;
  std::vector<SourceComment> comments_;
};

}  // namespace

std::vector<SourceComment> comments_of(std::string_view source) { return CommentReader{source}.read(); }

}  // namespace lockwood::java
