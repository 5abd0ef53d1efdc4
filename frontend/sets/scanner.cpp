#include "frontend/sets/scanner.hpp"

#include <array>
#include <string_view>

namespace lockwood::sets {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Longer ones first.
constexpr std::array<std::string_view, 19> punctuation{"<=", ">=", "==", "!=", "<", ">", "(", ")", "{", "}",
                                                       ",",  ";",  ":",  "=",  "&", "|", "-", "~", "/"};
constexpr std::string_view only_in_patterns = ".*+?";

class Scanner {
 public:
  Scanner(const Source& source, std::vector<Diagnostic>& problems)
      : source_{source}, text_{source.text}, problems_{problems} {}

  std::vector<Token> run() {
    while (skip_blanks(), at_ < text_.size()) scan();
    add(TokenKind::End, "", at_);
    return std::move(tokens_);
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        begins_line_ = true;
        in_pattern_ = false;
      } else if (text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
      follows_blank_ = true;
      ++at_;
    }
  }

  void scan() {
    const std::size_t begin = at_;
    const char c = text_[at_];
    if (is_letter(c)) {
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
      const std::string_view word = text_.substr(begin, at_ - begin);
      if (!in_pattern_ && (word == "post" || word == "pre") && text_.substr(at_).starts_with("*")) ++at_;
      add(TokenKind::Word, std::string{text_.substr(begin, at_ - begin)}, begin);
    } else if (is_digit(c) || is_negative_number()) {
      ++at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
      add(TokenKind::Numeral, std::string{text_.substr(begin, at_ - begin)}, begin);
    } else if (c == '"') {
      scan_text();
    } else {
      scan_punctuation();
    }
  }

  // Names of symbols may be negative numbers; these only stand in lists.
  [[nodiscard]] bool is_negative_number() const {
    if (text_[at_] != '-' || at_ + 1 == text_.size() || !is_digit(text_[at_ + 1]) || tokens_.empty()) return false;
    const Token& before = tokens_.back();
    return in_pattern_ || before.text == "{" || before.text == "," || (in_list_ && follows_blank_);
  }

  void scan_text() {
    const std::size_t begin = at_++;
    std::string content;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      const bool escape =
          text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
      if (escape) ++at_;
      content.push_back(text_[at_++]);
    }
    if (at_ == text_.size() || text_[at_] == '\n') {
      problems_.push_back(problem_at(source_, {begin, at_ - begin}, "the text is not closed by '\"' on its line"));
    } else {
      ++at_;
    }
    add(TokenKind::Text, std::move(content), begin);
  }

  void scan_punctuation() {
    if (!in_pattern_ && text_.substr(at_).starts_with("..")) {
      at_ += 2;
      return add(TokenKind::Punctuation, "..", at_ - 2);
    }
    for (std::string_view each : punctuation) {
      if (!text_.substr(at_).starts_with(each)) continue;
      at_ += each.size();
      if (each == "{") in_list_ = true;
      if (each == "}") in_list_ = false;
      if (each == "/") in_pattern_ = !in_pattern_;
      add(TokenKind::Punctuation, std::string{each}, at_ - each.size());
      return;
    }
    if (in_pattern_ && only_in_patterns.find(text_[at_]) != std::string_view::npos) {
      ++at_;
      return add(TokenKind::Punctuation, std::string{text_[at_ - 1]}, at_ - 1);
    }
    // A character of several bytes is one problem.
    const std::size_t begin = at_++;
    while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0U) == 0x80U) ++at_;
    problems_.push_back(problem_at(source_, {begin, at_ - begin}, "this character has no meaning here"));
  }

  void add(TokenKind kind, std::string text, std::size_t begin) {
    tokens_.push_back({kind, std::move(text), {begin, at_ - begin}, begins_line_, follows_blank_});
    begins_line_ = false;
    follows_blank_ = false;
  }

  const Source& source_;
  std::string_view text_;
  std::vector<Diagnostic>& problems_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  bool begins_line_ = true;
  bool follows_blank_ = false;
  bool in_list_ = false;
  bool in_pattern_ = false;
};

}  // namespace

std::vector<Token> tokens_of(const Source& source, std::vector<Diagnostic>& problems) {
  return Scanner{source, problems}.run();
}

}  // namespace lockwood::sets
