#include "base/text/json_place.hpp"

#include <algorithm>
#include <optional>

#include "base/text/json.hpp"
#include "base/text/printable.hpp"

namespace lockwood {
namespace {

// Finds values in a text. Offsets never pass its end, whatever it is.
class JsonText {
 public:
  explicit JsonText(std::string_view text) : text_{text} {}

  [[nodiscard]] std::size_t offset_of(std::string_view path) const {
    std::size_t value = after_space(text_.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    while (!path.empty()) {
      path.remove_prefix(1);
      const std::string_view step = path.substr(0, path.find('/'));
      path.remove_prefix(step.size());
      const auto found = element(value, step);
      if (!found) return value;
      value = *found;
    }
    return value;
  }
  // Of the value that begins there: all of it, but only the bracket of a list or an object.
  [[nodiscard]] std::size_t width(std::size_t value) const {
    return at(value) == '{' || at(value) == '[' ? 1 : end(value) - value;
  }

 private:
  [[nodiscard]] char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  [[nodiscard]] std::size_t after_space(std::size_t offset) const {
    return std::min(text_.find_first_not_of(" \t\r\n", offset), text_.size());
  }
  [[nodiscard]] std::size_t end_of_string(std::size_t quote) const {
    std::size_t offset = quote + 1;
    while (offset < text_.size() && text_[offset] != '"') offset += text_[offset] == '\\' ? 2U : 1U;
    return std::min(offset + 1, text_.size());
  }
  [[nodiscard]] std::size_t end(std::size_t value) const {
    std::size_t depth = 0;
    std::size_t offset = value;
    do {
      const char byte = at(offset);
      if (byte == '"') {
        offset = end_of_string(offset);
      } else if (byte == '{' || byte == '[') {
        ++depth;
        ++offset;
      } else if (depth == 0) {
        return std::min(text_.find_first_of(",:]} \t\r\n", offset), text_.size());
      } else {
        if (byte == '}' || byte == ']') --depth;
        ++offset;
      }
    } while (depth > 0 && offset < text_.size());
    return offset;
  }
  // The member of an object with that name, or the element of a list with that number.
  [[nodiscard]] std::optional<std::size_t> element(std::size_t whole, std::string_view step) const {
    const bool is_object = at(whole) == '{';
    if (!is_object && at(whole) != '[') return std::nullopt;
    std::size_t next = after_space(whole + 1);
    for (std::size_t number = 0; next < text_.size() && text_[next] != '}' && text_[next] != ']'; ++number) {
      std::string_view name;
      if (is_object) {
        const std::size_t colon = end(next);
        name = text_.substr(next, colon - next);
        next = after_space(after_space(colon) + 1);
      }
      if (is_object ? name == '"' + std::string{step} + '"' : std::to_string(number) == step) return next;
      const std::size_t comma = after_space(end(next));
      if (at(comma) != ',') return std::nullopt;
      next = after_space(comma + 1);
    }
    return std::nullopt;
  }

  std::string_view text_;
};

bool find(const nlohmann::json& from, const nlohmann::json* value, std::string& path) {
  if (&from == value) return true;
  const std::size_t length = path.size();
  std::size_t number = 0;
  for (auto element = from.begin(); from.is_structured() && element != from.end(); ++element, ++number) {
    path += '/' + (from.is_object() ? element.key() : std::to_string(number));
    if (find(*element, value, path)) return true;
    path.resize(length);
  }
  return false;
}

}  // namespace

Diagnostic diagnostic_at_path(std::string_view file, std::string_view text, std::string_view path,
                              const std::string& message) {
  const JsonText json{text};
  const std::size_t offset = json.offset_of(path);
  return diagnostic_at(file, text, offset, json.width(offset),
                       path.empty() ? message : shown_name(path) + ": " + message);
}

std::string path_of(const nlohmann::json& document, const nlohmann::json* value) {
  std::string path;
  return find(document, value, path) ? path : "";
}

}  // namespace lockwood
