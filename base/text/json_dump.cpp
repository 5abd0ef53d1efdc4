#include "base/text/json_dump.hpp"

#include <cstddef>
#include <memory>
#include <utility>

#include "base/text/json.hpp"

namespace lockwood {
namespace {

// Where the library writes to, a few characters at a time.
class ListeningText : public nlohmann::detail::output_adapter_protocol<char> {
 public:
  explicit ListeningText(StopToken stop) : stop_{stop} {}
  void write_character(char c) override { text_ += c; }
  void write_characters(const char* text, std::size_t size) override {
    stop_.check();
    text_.append(text, size);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  StopToken stop_;
  std::string text_;
};

}  // namespace

std::string dumped(const nlohmann::ordered_json& value, int indentation, StopToken stop) {
  const auto text = std::make_shared<ListeningText>(stop);
  nlohmann::detail::serializer<nlohmann::ordered_json> serializer{text, ' ',
                                                                  nlohmann::ordered_json::error_handler_t::replace};
  const bool many_lines = indentation != no_indentation;
  serializer.dump(value, many_lines, false, many_lines ? static_cast<unsigned int>(indentation) : 0);
  return text->take();
}

}  // namespace lockwood
