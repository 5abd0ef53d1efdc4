#include "frontend/answer_file.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/text_file.hpp"

namespace lockwood::frontend {
namespace {

using Json = nlohmann::json;
constexpr std::size_t error_limit = 20;

bool is_text(const Json& object, const char* member) { return object.contains(member) && object[member].is_string(); }

std::optional<AnswerLine> answer_in(std::string line) {
  const Json value = Json::parse(line, nullptr, false);
  if (!value.is_object() || !value.contains("id")) return std::nullopt;
  const bool answered = is_text(value, "query") && is_text(value, "verdict");
  if (!answered && !is_text(value, "error")) return std::nullopt;
  return AnswerLine{.id = value["id"].dump(),
                    .query = answered ? value["query"].get<std::string>() : "",
                    .verdict = answered ? value["verdict"].get<std::string>() : "",
                    .text = std::move(line)};
}

}  // namespace

AnswerFile read_answers(const std::string& path) {
  const std::string text = read_text_file(path);
  AnswerFile file;
  std::vector<Diagnostic> errors;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    if (text.find_first_not_of(" \t\r", begin) >= end) continue;
    if (auto line = answer_in(text.substr(begin, end - begin))) {
      file.lines.push_back(std::move(*line));
    } else if (errors.size() < error_limit) {
      errors.push_back(diagnostic_at(path, text, begin, 1, "this line is no answer of lockwood batch"));
    }
  }
  if (!errors.empty()) throw InputError{std::move(errors)};
  if (begin < text.size()) file.cut_off = begin;
  return file;
}

}  // namespace lockwood::frontend
