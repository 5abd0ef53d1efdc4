#include "dpn/formats/text_scanner.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "base/text/printable.hpp"

namespace lockwood::dpn {
namespace {

constexpr std::size_t error_limit = 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

constexpr std::string_view hex_digits = "0123456789ABCDEF";

std::optional<unsigned> hex_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

void append_utf8(std::string& text, unsigned point) {
  const auto byte = [&](unsigned value) { text.push_back(static_cast<char>(value)); };
  if (point < 0x80U) {
    byte(point);
  } else if (point < 0x800U) {
    byte(0xC0U | (point >> 6U));
    byte(0x80U | (point & 0x3FU));
  } else {
    byte(0xE0U | (point >> 12U));
    byte(0x80U | ((point >> 6U) & 0x3FU));
    byte(0x80U | (point & 0x3FU));
  }
}

// The length of the UTF-8 character at the beginning of a text that is not empty; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  // Overlong forms, surrogates, and what lies beyond the last code point.
  const unsigned second = byte(1);
  if ((first == 0xE0U && second < 0xA0U) || (first == 0xEDU && second >= 0xA0U) || (first == 0xF0U && second < 0x90U) ||
      (first == 0xF4U && second >= 0x90U))
    return 0;
  return length;
}

}  // namespace

Scanner::Scanner(std::string_view text, std::string_view file) : text_{text}, file_{file} {
  if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
}

void Scanner::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      newline();
      ++at_;
    } else if (is_blank(c)) {
      ++at_;
    } else if (c == '/' && looking_at("//")) {
      skip_line_comment();
    } else if (c == '/' && looking_at("/*")) {
      skip_block_comment();
    } else {
      return;
    }
  }
}

void Scanner::skip_line_comment() {
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  std::string_view content = text_.substr(at_ + 2, end - at_ - 2);
  content.remove_prefix(std::min(content.find_first_not_of(" \t"), content.size()));
  if (content.starts_with("expect")) expectations_.push_back(at_);
  at_ = end;
}

void Scanner::skip_block_comment() {
  const std::size_t begin = at_;
  const std::size_t end = text_.find("*/", at_ + 2);
  const std::size_t stop = end == std::string_view::npos ? text_.size() : end + 2;
  for (; at_ < stop; ++at_)
    if (text_[at_] == '\n') newline();
  if (end == std::string_view::npos) error({begin, 2}, "the comment is not closed by '*/'");
}

char Scanner::peek() {
  skip_blanks();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Scanner::at_end() {
  skip_blanks();
  return at_ == text_.size();
}

std::string_view Scanner::peek_word() {
  if (!is_letter(peek())) return {};
  std::size_t end = at_ + 1;
  while (end < text_.size() && is_word(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

bool Scanner::accept(char character) {
  if (peek() != character || at_ == text_.size()) return false;
  last_end_ = ++at_;
  return true;
}

bool Scanner::accept(std::string_view punctuation) {
  skip_blanks();
  if (!looking_at(punctuation)) return false;
  last_end_ = at_ += punctuation.size();
  return true;
}

bool Scanner::accept_word(std::string_view word) {
  if (peek_word() != word) return false;
  last_end_ = at_ += word.size();
  return true;
}

void Scanner::expect(char character, std::string_view purpose) { expect(std::string_view{&character, 1}, purpose); }

void Scanner::expect(std::string_view punctuation, std::string_view purpose) {
  if (accept(punctuation)) return;
  fail_expected('\'' + std::string{punctuation} + '\'' + std::string{purpose});
}

// The length of the atom at the cursor, 0 if there is none.
std::size_t Scanner::atom_length() const {
  std::size_t end = at_;
  const auto here = [&] { return end < text_.size() ? text_[end] : '\0'; };
  if (is_letter(here())) {
    while (is_word(here())) ++end;
  } else {
    if (here() == '-') ++end;
    if (!is_digit(here()) || (end > at_ && here() == '0')) return 0;
    while (is_digit(here())) ++end;
  }
  return end - at_;
}

std::string_view Scanner::term(std::string& scratch, std::string_view what) {
  if (peek() == '\'') {
    quoted(scratch, '\'', what);
    return scratch;
  }
  const std::size_t length = atom_length();
  const std::string_view atom = text_.substr(at_, length);
  if (length > 1 && atom[0] == '0') fail({at_, length}, "numbers are written without leading zeros");
  if (length == 0 && peek() != '(') fail_expected(what);
  last_end_ = at_ += length;
  if (peek() != '(') return atom;
  scratch = atom;
  return tuple_term(scratch, what);
}

// The tuple at the cursor, appended to the scratch without blanks. All tuples inside are read in the same loop, which
// counts the open ones: the C++ stack does not grow with the input.
std::string_view Scanner::tuple_term(std::string& scratch, std::string_view what) {
  const Extent begin = extent_here();
  std::size_t depth = 0;
  bool term_begins = true;
  bool tuple_begins = true;  // the atom before the first tuple has been read
  while (term_begins || depth > 0) {
    if (term_begins) {
      skip_blanks();
      const std::size_t length = tuple_begins ? 0 : atom_length();
      scratch.append(text_.substr(at_, length));
      if (length > 0) last_end_ = at_ += length;
      if (accept('(')) {
        if (++depth > term_depth_limit)
          fail(begin, "a term is nested deeper than " + std::to_string(term_depth_limit) + " parentheses");
        scratch.push_back('(');
        term_begins = peek() != ')';
      } else if (length == 0) {
        fail_expected("a term inside " + std::string{what});
      } else {
        term_begins = false;
      }
      tuple_begins = false;
    } else if (accept(',')) {
      scratch.push_back(',');
      term_begins = true;
    } else if (accept(')')) {
      scratch.push_back(')');
      --depth;
    } else {
      fail_expected("',' or ')' inside " + std::string{what});
    }
  }
  return scratch;
}

std::string Scanner::string(std::string_view what) {
  if (peek() != '"') fail_expected(what);
  std::string content;
  quoted(content, '"', what);
  return content;
}

// Reads to the end of the quotes whatever is in them: what follows should not be taken for what is in them.
void Scanner::quoted(std::string& content, char quote, std::string_view what) {
  const std::size_t begin = at_++;
  content.clear();
  std::optional<Flaw> flaw;  // the first one
  const auto found = [&](Extent where, const char* message, const char* hint = "") {
    if (!flaw) flaw = Flaw{where, message, hint};
  };
  while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
    const std::size_t here = at_;
    if (text_[at_] == '\\') {
      if (!escape(content))
        found({here, 2}, "unknown escape",
              "the escapes are \\\\ \\\" \\' \\n \\t \\r and \\u with four hexadecimal digits");
      continue;
    }
    const std::size_t length = character_length(text_.substr(at_));
    if (length == 0) found({here, 1}, "the text in quotes is not UTF-8");
    if (static_cast<unsigned char>(text_[at_]) < 0x20 && text_[at_] != '\t' && text_[at_] != '\r')
      found({here, 1}, "a control character in quotes must be written as an escape such as \\u0001");
    content.append(text_.substr(at_, length));
    at_ += std::max<std::size_t>(1, length);
  }
  if (at_ == text_.size() || text_[at_] != quote)
    fail({begin, 1}, std::string{what} + " is not closed by " + quote + " on its line");
  last_end_ = ++at_;
  if (!flaw) return;
  // A symbol that cannot be told is none; a text says nothing about the model.
  if (quote == '\'') fail(flaw->where, flaw->message, flaw->hint);
  error(flaw->where, flaw->message, flaw->hint);
}

// Whether there is one. Goes on behind it, or else behind the backslash.
bool Scanner::escape(std::string& content) {
  constexpr std::string_view letters = "\\\"'ntr";
  constexpr std::string_view meanings = "\\\"'\n\t\r";
  const char letter = ++at_ < text_.size() ? text_[at_] : '\0';
  if (const std::size_t known = letters.find(letter); known != std::string_view::npos) {
    content.push_back(meanings[known]);
    ++at_;
    return true;
  }
  unsigned point = 0;
  bool valid = letter == 'u' && text_.size() - at_ > 4;
  for (std::size_t i = 1; valid && i <= 4; ++i) {
    const auto digit = hex_value(text_[at_ + i]);
    valid = digit.has_value();
    point = 16 * point + digit.value_or(0);
  }
  if (!valid || (point >= 0xD800U && point < 0xE000U)) return false;
  append_utf8(content, point);
  at_ += 5;
  return true;
}

void Scanner::skip_anything() {
  skip_blanks();
  if (at_ == text_.size()) return;
  const char c = text_[at_++];
  if (is_word(c)) {
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  } else if (c == '"' || c == '\'') {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    while (at_ < end && text_[at_] != c) at_ += text_[at_] == '\\' ? std::size_t{2} : std::size_t{1};
    at_ = std::min(at_ + 1, end);
  }
  last_end_ = at_;
}

Position Scanner::position() const { return Position{line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1)}; }

Extent Scanner::extent_here() {
  const std::string_view word = peek_word();
  return {at_, word.empty() ? std::max<std::size_t>(1, atom_length()) : word.size()};
}

std::string Scanner::found() {
  if (at_end()) return "the end of the file";
  const Extent here = extent_here();
  const std::string_view thing = text_.substr(here.begin, here.width);
  if (thing == "\"") return "a string";
  if (thing == "'") return "a quoted name";
  const auto byte = static_cast<unsigned char>(thing[0]);
  if (byte >= 0x20 && byte < 0x7F) return '\'' + shown_name(thing) + '\'';
  const std::size_t length = character_length(text_.substr(at_));
  if (byte >= 0x80 && length > 0) return '\'' + std::string{text_.substr(at_, length)} + '\'';
  return std::string{"the byte 0x"} + hex_digits[byte >> 4U] + hex_digits[byte & 15U];
}

void Scanner::error(Extent where, std::string message, std::string hint) {
  if (errors_.size() == error_limit) {
    errors_.push_back(diagnostic_at(file_, text_, where.begin, where.width, "too many errors, the rest is not read"));
    throw TooManyErrors{};
  }
  errors_.push_back(diagnostic_at(file_, text_, where.begin, where.width, std::move(message)));
  errors_.back().hint = std::move(hint);
}

void Scanner::fail(Extent where, std::string message, std::string hint) {
  error(where, std::move(message), std::move(hint));
  throw SyntaxError{};
}

void Scanner::fail_expected(std::string_view expected, std::string hint) {
  fail(extent_here(), "expected " + std::string{expected} + ", found " + found(), std::move(hint));
}

std::string written_name(std::string_view name) {
  if (!name.empty() && is_letter(name[0]) && std::ranges::all_of(name, is_word)) return std::string{name};
  // Numbers with leading zeros are not terms, although they have the shape of one.
  Scanner scanner{name, {}};
  std::string scratch;
  try {
    if (scanner.peek() != '\'' && scanner.term(scratch, {}) == name && scanner.last_end() == name.size())
      return std::string{name};
  } catch (const SyntaxError&) {
  }
  return in_quotes(name, '\'');
}

std::string in_quotes(std::string_view content, char quote) {
  std::string text{quote};
  for (std::size_t i = 0; i < content.size();) {
    const char c = content[i];
    const std::size_t length = character_length(content.substr(i));
    if (length == 0) {
      text += "\\uFFFD";
    } else if (c == quote || c == '\\') {
      text += {'\\', c};
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\r') {
      text += "\\r";
    } else if (c == '\t') {
      text += "\\t";
    } else if (const auto byte = static_cast<unsigned char>(length == 2 ? content[i + 1] : c);
               byte < 0x20 || byte == 0x7F ||
               (c == '\xC2' && byte < 0xA0)) {  // control characters, U+0080 to U+009F too
      text += {'\\', 'u', '0', '0', hex_digits[byte >> 4U], hex_digits[byte & 15U]};
    } else {
      text += content.substr(i, length);
    }
    i += std::max<std::size_t>(1, length);
  }
  return text + quote;
}

}  // namespace lockwood::dpn
