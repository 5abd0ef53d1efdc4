#include "frontend/java/library/model_scanner.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/text/printable.hpp"

namespace lockwood::java::library {
namespace {

[[nodiscard]] bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 128;
}
[[nodiscard]] bool is_digit(char c) { return c >= '0' && c <= '9'; }

class ModelScanner {
 public:
  ModelScanner(std::string_view text, ModelErrors& errors) : text_{text}, errors_{errors} {}

  std::vector<Token> tokens() {
    while (at_ < text_.size() && !errors_.full()) scan_one();
    end_entry();
    add(TokenKind::End, text_.size(), 0);
    return std::move(tokens_);
  }

 private:
  void scan_one() {
    const char c = text_[at_];
    if (c == '\n') {
      // Braces that nobody closes must not swallow the rest of the text: an entry at the beginning of a line ends them.
      if (at_ + 1 < text_.size() && is_letter(text_[at_ + 1])) depth_ = 0;
      end_entry();
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (is_letter(c) || is_digit(c)) {
      word();
    } else if (c == '"') {
      string();
    } else {
      punctuation();
    }
  }

  void end_entry() {
    if (depth_ > 0 || tokens_.empty() || tokens_.back().kind == TokenKind::LineEnd) return;
    if (tokens_.back().kind == TokenKind::Punctuation) {
      const std::string_view last = tokens_.back().text;
      if (last == ";" || last == "," || last == ":") return;
    }
    add(TokenKind::LineEnd, at_, 0);
  }

  void word() {
    const std::size_t begin = at_;
    // A hyphen belongs to a word (not-null) if a letter follows.
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) ||
                                  (text_[at_] == '-' && at_ + 1 < text_.size() && is_letter(text_[at_ + 1]))))
      ++at_;
    add(TokenKind::Word, begin, at_ - begin);
  }

  void string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') ++at_;
    if (at_ == text_.size() || text_[at_] == '\n') {
      errors_.add(begin, at_ - begin, "this string has no end");
      return;
    }
    ++at_;
    add(TokenKind::String, begin + 1, at_ - begin - 2);
  }

  void punctuation() {
    static constexpr auto special = std::to_array<std::string_view>({"<init>", "<clinit>"});
    for (std::string_view name : special)
      if (text_.substr(at_).starts_with(name)) return consume(TokenKind::Word, name.size());
    static constexpr auto signs =
        std::to_array<std::string_view>({"::", "<-", ".", ",", ";", ":", "(", ")", "{", "}", "[", "]", "=", "*"});
    for (std::string_view sign : signs) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      if (sign == "(" || sign == "{") ++depth_;
      if ((sign == ")" || sign == "}") && depth_ > 0) --depth_;
      return consume(TokenKind::Punctuation, sign.size());
    }
    errors_.add(at_, 1, "'" + printable(text_.substr(at_, 1)) + "' has no meaning here");
    ++at_;
  }

  void consume(TokenKind kind, std::size_t width) {
    add(kind, at_, width);
    at_ += width;
  }
  void add(TokenKind kind, std::size_t begin, std::size_t width) {
    tokens_.push_back({kind, text_.substr(begin, width), begin});
  }

  std::string_view text_;
  ModelErrors& errors_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;  // of open braces and parentheses
  std::vector<Token> tokens_;
};

}  // namespace

ModelErrors::ModelErrors(std::string_view file, std::string_view text) : file_{file}, text_{text}, lines_{0} {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1))
    lines_.push_back(end + 1);
}

Position ModelErrors::position(std::size_t offset) const {
  assert(offset <= text_.size());
  const auto next = std::ranges::upper_bound(lines_, offset);
  const auto line = static_cast<std::size_t>(next - lines_.begin());
  return {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(offset - lines_[line - 1] + 1)};
}

void ModelErrors::add(std::size_t offset, std::size_t width, std::string message, std::string hint) {
  if (full()) return;
  diagnostics_.push_back(diagnostic_at(file_, text_, offset, width, std::move(message)));
  diagnostics_.back().hint = std::move(hint);
}

std::vector<Token> scan_models(std::string_view text, ModelErrors& errors) {
  return ModelScanner{text, errors}.tokens();
}

}  // namespace lockwood::java::library
