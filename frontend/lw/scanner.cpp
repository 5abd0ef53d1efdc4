#include "frontend/lw/scanner.hpp"

#include <algorithm>
#include <array>

#include "frontend/lw/foreign.hpp"
#include "frontend/lw/max_errors.hpp"

namespace lockwood::lw {
namespace {

bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

constexpr std::array<std::string_view, 15> long_punctuation{
    "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "++", "--", "|", "&"};
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of UTF-8: some editors write it
constexpr std::string_view short_punctuation = "(){},;:=<>+-*/%!";

class Scanning {
 public:
  Scanning(std::string_view text, std::string_view file, TextRange within)
      : text_{text}, file_{file}, at_{within.begin}, end_{within.end} {}

  Scan run() && {
    if (at_ == 0 && looking_at(byte_order_mark)) at_ = byte_order_mark.size();
    while (at_ < end_ && result_.errors.size() < max_errors) next();
    const std::uint32_t end = result_.tokens.empty() ? 0 : result_.tokens.back().range.end;
    result_.tokens.push_back({TokenKind::End, {end, end}});
    return std::move(result_);
  }

 private:
  void next() {
    const char c = text_[at_];
    if (is_blank(c)) {
      ++at_;
    } else if (looking_at("//")) {
      comment(std::min(text_.find('\n', at_), text_.size()), 0);
    } else if (looking_at("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) error(2, "this comment does not end");
      comment(end == std::string_view::npos ? text_.size() : end + 2, end == std::string_view::npos ? 0 : 2);
    } else if (begins_word(c)) {
      token(TokenKind::Word, length([](char each) { return begins_word(each) || is_digit(each); }));
    } else if (is_digit(c)) {
      number();
    } else {
      punctuation();
    }
  }

  template <class Predicate>
  [[nodiscard]] std::size_t length(Predicate belongs) const {
    std::size_t end = at_;
    while (end < text_.size() && belongs(text_[end])) ++end;
    return end - at_;
  }
  [[nodiscard]] bool looking_at(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }

  void token(TokenKind kind, std::size_t width) {
    result_.tokens.push_back({kind, {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + width)}});
    at_ += width;
  }

  void number() {
    const std::size_t digits = length(is_digit);
    if (at_ + digits + 1 < text_.size() && text_[at_ + digits] == '.' && is_digit(text_[at_ + digits + 1])) {
      const std::size_t width = length([](char each) { return begins_word(each) || is_digit(each) || each == '.'; });
      error(width, "'" + std::string{text_.substr(at_, width)} + "' is no integer", "values are integers of 64 bits");
      return token(TokenKind::Number, width);
    }
    const std::size_t all = length([](char each) { return begins_word(each) || is_digit(each); });
    if (all > digits) error(all, "'" + std::string{text_.substr(at_, all)} + "' is not a number and not a name");
    token(TokenKind::Number, all);
  }

  void punctuation() {
    for (std::string_view each : long_punctuation) {
      if (!looking_at(each)) continue;
      if (each.size() == 1) error(1, "expected '" + std::string(2, each[0]) + "'", foreign_text(each)->advice);
      return token(TokenKind::Punctuation, each.size());
    }
    if (short_punctuation.find(text_[at_]) != std::string_view::npos) return token(TokenKind::Punctuation, 1);
    // A character of several bytes is one error.
    const auto continues = [](char each) { return (static_cast<unsigned char>(each) & 0xC0U) == 0x80U; };
    std::size_t width = 1;
    while (at_ + width < text_.size() && continues(text_[at_ + width])) ++width;
    const auto byte = static_cast<unsigned char>(text_[at_]);
    const std::string shown{text_.substr(at_, width)};
    if (const auto foreign = foreign_text(text_.substr(at_))) {
      error(foreign->width, "'" + shown + "' does not belong here", foreign->advice);
      if (foreign->is_value) return token(TokenKind::Word, foreign->width);  // so that it is one error
      at_ += foreign->width;
      return;
    }
    error(width, byte < 0x20 || byte == 0x7F ? "a control character does not belong here"
                 : byte < 0x80               ? "'" + shown + "' does not belong here"
                                             : "names and operators are written in ASCII");
    at_ += width;
  }

  void comment(std::size_t end, std::size_t marks_at_end) {
    std::string_view inner = text_.substr(at_ + 2, end - marks_at_end - at_ - 2);
    while (!inner.empty() && is_blank(inner.front())) inner.remove_prefix(1);
    while (!inner.empty() && is_blank(inner.back())) inner.remove_suffix(1);
    std::size_t before = at_;
    while (before > 0 && text_[before - 1] != '\n' && is_blank(text_[before - 1])) --before;
    std::size_t after = end;
    while (after < text_.size() && text_[after] != '\n' && is_blank(text_[after])) ++after;
    const bool begins_line = before == 0 || text_[before - 1] == '\n';
    const bool ends_line = after == text_.size() || text_[after] == '\n';
    result_.comments.push_back({.text = std::string{inner},
                                .range = {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end)},
                                .first = begins_line,
                                .alone = begins_line && ends_line});
    at_ = end;
  }

  void error(std::size_t width, std::string message, std::string_view hint = {}) {
    result_.errors.push_back(diagnostic_at(file_, text_, at_, width, std::move(message)));
    result_.errors.back().hint = hint;
  }

  std::string_view text_;
  std::string_view file_;
  std::size_t at_;
  std::size_t end_;  // no token begins from here on
  Scan result_;
};

}  // namespace

Scan scan(std::string_view text, std::string_view file) {
  return scan(text, file, {0, static_cast<std::uint32_t>(text.size())});
}

Scan scan(std::string_view text, std::string_view file, TextRange within) { return Scanning{text, file, within}.run(); }

}  // namespace lockwood::lw
