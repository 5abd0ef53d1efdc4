#include "base/text/json_text.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/printable.hpp"

namespace lockwood {
namespace {

using Json = nlohmann::json;

// Walks over the text and leaves word where it is: nlohmann's parser keeps that to itself until there is an error.
class TextCursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TextCursor(const char* at, const char** reached) : at_{at}, reached_{reached} {}
  reference operator*() const { return *at_; }
  TextCursor& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  friend bool operator==(const TextCursor& a, const TextCursor& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// Makes the value of what the parser tells it.
class JsonBuilder {
 public:
  JsonBuilder(std::string_view text, std::string_view file, const JsonReading& reading)
      : text_{text}, file_{file}, reading_{reading} {}

  // A NUL is no JSON anywhere; nlohmann's parser takes it for the end.
  [[nodiscard]] Json build() {
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos) fail(nul + 1, "a NUL byte");
    Json::sax_parse(TextCursor{text_.data(), &reached_}, TextCursor{text_.data() + text_.size(), &reached_}, this);
    return std::move(document_);
  }

  // --- what the parser calls ---

  bool null() { return scalar(nullptr); }
  bool boolean(bool value) { return scalar(value); }
  bool number_integer(Json::number_integer_t value) { return scalar(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return scalar(value); }
  bool number_float(Json::number_float_t value, const std::string& /*text*/) { return scalar(value); }
  bool string(std::string& value) { return scalar(std::move(value)); }
  bool binary(Json::binary_t& /*value*/) { return false; }  // no such thing in text
  bool start_object(std::size_t /*size*/) { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    const auto [member, added] = open_.back()->emplace(name, nullptr);
    if (!added) fail_at_key(name);
    value_ = &*member;
    if (open_.size() == 1) member_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/, const Json::exception& error) {
    if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr) fail(position, "a number is too large");
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while …": the place is ours.
    std::string message = error.what();
    if (const std::size_t place = message.find("column "); place != std::string::npos)
      message.erase(0, std::min(message.find(": ", place) + 2, message.size()));
    if (message.size() > 300) message = "syntax error";  // it quotes the text, however long
    fail(position, message);
  }

 private:
  Json& put(Json value) {
    if (open_.empty()) return document_ = std::move(value);
    if (open_.back()->is_array()) return open_.back()->emplace_back(std::move(value));
    return *value_ = std::move(value);
  }
  bool scalar(Json value) {
    put(std::move(value));
    offer();
    return true;
  }
  bool open(Json empty) {
    if (open_.size() == reading_.depth_limit)
      fail(offset(), "nested deeper than " + std::to_string(reading_.depth_limit));
    open_.push_back(&put(std::move(empty)));
    return true;
  }
  bool close() {
    reading_.stop.check();
    open_.pop_back();
    offer();
    return true;
  }

  // A value is whole.
  void offer() {
    if (!reading_.take || open_.size() != 2 || !open_[0]->is_object() || !open_[1]->is_array()) return;
    Json::array_t& array = open_[1]->get_ref<Json::array_t&>();
    if (reading_.take(document_, member_, array.back())) array.pop_back();
  }

  [[nodiscard]] std::size_t offset() const { return static_cast<std::size_t>(reached_ - text_.data()); }

  // The parser has just read the name and its closing quote. Quotes inside of it follow a backslash.
  [[noreturn]] void fail_at_key(const std::string& name) const {
    const std::size_t end = offset();
    std::size_t begin = end - 1;
    do begin = text_.rfind('"', begin - 1);
    while (text_[begin - 1] == '\\');
    throw InputError{{diagnostic_at(file_, text_, begin, end - begin,
                                    "malformed JSON: the object has the member '" + shown_name(name) + "' already")}};
  }

  [[noreturn]] void fail(std::size_t position, const std::string& message) const {
    throw InputError{{diagnostic_at(file_, text_, position == 0 ? 0 : position - 1, 1, "malformed JSON: " + message)}};
  }

  std::string_view text_;
  std::string_view file_;
  const JsonReading& reading_;
  const char* reached_ = text_.data();  // by the parser
  Json document_;
  std::vector<Json*> open_;  // the arrays and objects that are not whole yet, outermost first
  Json* value_ = nullptr;    // of the member that was named last
  std::string member_;       // of the document, named last
};

}  // namespace

Json parse_json_text(std::string_view text, std::string_view file, const JsonReading& reading) {
  return JsonBuilder{text, file, reading}.build();
}

}  // namespace lockwood
