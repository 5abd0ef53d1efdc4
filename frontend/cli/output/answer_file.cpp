#include "frontend/cli/output/answer_file.hpp"

#include <fmt/format.h>
#include <tsl/hopscotch_map.h>

#include <string_view>
#include <utility>

#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/json_text.hpp"

namespace lockwood::frontend {
namespace {

using Json = nlohmann::json;
constexpr std::size_t error_limit = 20;

bool is_text(const Json& object, const char* member) { return object.contains(member) && object[member].is_string(); }

std::optional<Json> value_in(std::string_view line) {
  try {
    return parse_json_text(line, "answer");
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<AnswerLine> answer_in(std::string line) {
  const auto value = value_in(line);
  if (!value || !value->is_object() || !value->contains("id")) return std::nullopt;
  const Json& id = (*value)["id"];
  if (!id.is_string() && !id.is_number_integer()) return std::nullopt;
  const bool answered = is_text(*value, "query") && is_text(*value, "verdict");
  if (!answered && !is_text(*value, "error")) return std::nullopt;
  return AnswerLine{.id = id.dump(),
                    .query = answered ? (*value)["query"].get<std::string>() : "",
                    .verdict = answered ? (*value)["verdict"].get<std::string>() : "",
                    .model = answered && is_text(*value, "model") ? (*value)["model"].get<std::string>() : "",
                    .text = std::move(line)};
}

// Whether a crash may have left this of an answer. A whole value is none: it is somebody's text without a last newline.
bool is_torn(std::string_view rest) {
  constexpr std::string_view begin = R"({"id":)";
  return rest.substr(0, begin.size()) == begin.substr(0, rest.size()) &&
         (!value_in(rest) || answer_in(std::string{rest}));
}

class AnswerReader {
 public:
  AnswerReader(std::string text, const std::string& path) : text_{std::move(text)}, path_{path} {}

  AnswerFile read(StopToken stop) && {
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      stop.check();
      if (text_.find_first_not_of(" \t\r", begin) < end) read(begin, end);
    }
    if (text_.find_first_not_of(" \t\r", begin) != std::string::npos) {
      if (!is_torn(std::string_view{text_}.substr(begin))) error(begin, "this line is not an answer of lockwood batch");
      file_.cut_off = begin;
    }
    if (!errors_.empty()) throw InputError{std::move(errors_)};
    return std::move(file_);
  }

 private:
  void read(std::size_t begin, std::size_t end) {
    auto line = answer_in(text_.substr(begin, end - begin));
    if (!line) return error(begin, "this line is not an answer of lockwood batch");
    if (!line->query.empty()) compare(*line, begin);
    if (file_.model.empty()) file_.model = line->model;
    if (!line->query.empty() && line->model.empty()) ++file_.without_model;
    if (!line->model.empty() && line->model != file_.model)
      error(begin,
            fmt::format("this answer is about another model ({}) than those before ({})", line->model, file_.model));
    file_.lines.push_back(std::move(*line));
  }

  // With what was told before under the same id.
  void compare(const AnswerLine& line, std::size_t begin) {
    const std::size_t number = file_.lines.size();
    const auto place = told_.try_emplace(line.id, number).first;
    if (const auto contradiction = contradiction_of(line, place->second == number ? line : file_.lines[place->second]))
      error(begin, fmt::format("id {}: {} before", line.id, *contradiction));
    if (line.decided()) place.value() = number;
  }

  void error(std::size_t begin, std::string message) {
    if (errors_.size() < error_limit) errors_.push_back(diagnostic_at(path_, text_, begin, 1, std::move(message)));
  }

  std::string text_;
  const std::string& path_;
  AnswerFile file_;
  tsl::hopscotch_map<std::string, std::size_t> told_;  // by id: the last line that decides it, else the first
  std::vector<Diagnostic> errors_;
};

}  // namespace

std::optional<std::string> contradiction_of(const AnswerLine& here, const AnswerLine& there) {
  if (!here.query.empty() && !there.query.empty() && here.query != there.query) return "it is another query";
  if (here.decided() && there.decided() && here.verdict != there.verdict)
    return fmt::format("{} here, but {}", here.verdict, there.verdict);
  return std::nullopt;
}

AnswerFile read_answers(const std::string& path, StopToken stop) {
  return AnswerReader{read_text_file(path, stop), path}.read(stop);
}

}  // namespace lockwood::frontend
