#include "frontend/cli/input/batch_input.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/json_text.hpp"
#include "frontend/cli/input/line_reader.hpp"

namespace lockwood::frontend {
namespace {

using Json = nlohmann::json;

std::size_t first_letter(const std::string& text) { return text.find_first_not_of(" \t\r\n"); }

std::size_t lines_with_letters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t\r\n", at)) != std::string_view::npos; ++count)
    at = std::min(text.find('\n', at), text.size());
  return count;
}

std::function<std::optional<std::string>()> lines_of(std::string text) {
  return [text = std::move(text), begin = std::size_t{0}]() mutable -> std::optional<std::string> {
    if (begin >= text.size()) return std::nullopt;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    return line;
  };
}

std::function<std::optional<std::string>()> lines_of_standard_input(StopToken stop) {
  // A function must be copyable, a reader of a stream is not worth copying.
  return [reader = std::make_shared<LineReader>(STDIN_FILENO, stop)]() -> std::optional<std::string> {
    try {
      return reader->next();
    } catch (const Interrupted&) {
      return std::nullopt;
    }
  };
}

}  // namespace

BatchInput::BatchInput(const std::string& path, StopToken stop) : path_{path} {
  if (path == "-") {
    lines_ = lines_of_standard_input(stop);
    return;
  }
  std::string text = read_text_file(path, stop);
  size_ = lines_with_letters(text);
  lines_ = lines_of(std::move(text));
}

std::optional<std::size_t> BatchInput::size() {
  if (size_ && !begun_) begin();
  return size_;
}

std::optional<std::string> BatchInput::next_line() {
  if (first_) return std::exchange(first_, std::nullopt);
  auto line = lines_();
  while (line && first_letter(*line) == std::string::npos) line = lines_();
  return line;
}

// A line that begins with a bracket is no query: it begins an array.
void BatchInput::begin() {
  begun_ = true;
  first_ = next_line();
  if (!first_ || (*first_)[first_letter(*first_)] != '[') return;
  std::string text = *std::exchange(first_, std::nullopt);
  while (const auto line = lines_()) text += '\n' + *line;
  Json document = parse_json_text(text, shown_path(path_));
  array_.emplace();
  for (Json& query : document) array_->push_back(std::move(query));
  size_ = array_->size();
}

std::optional<WrittenQuery> BatchInput::next() {
  if (!begun_) begin();
  if (array_) {
    if (array_->empty()) return std::nullopt;
    WrittenQuery query = numbered(std::move(array_->front()));
    array_->pop_front();
    return query;
  }
  auto line = next_line();
  if (!line) return std::nullopt;
  try {
    return numbered(parse_json_text(*line, {}));
  } catch (const InputError& error) {
    WrittenQuery query = numbered(nullptr);
    query.flaw = error.diagnostics().front().message;
    return query;
  } catch (const std::bad_alloc&) {
    first_ = std::move(line);
    throw;
  }
}

// Takes the value once nothing can go wrong any more.
WrittenQuery BatchInput::numbered(Json&& value) {
  WrittenQuery query{.number = count_ + 1, .id = std::to_string(count_ + 1), .value = {}, .flaw = {}};
  if (value.is_object() && value.contains("id")) {
    const Json& id = value["id"];
    if (id.is_string() || id.is_number_integer()) {
      query.id = id.dump();
    } else {
      query.flaw = "the id is neither a string nor an integer";
    }
  }
  query.value = std::move(value);
  ++count_;
  return query;
}

}  // namespace lockwood::frontend
