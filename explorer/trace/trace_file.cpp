#include "explorer/trace/trace_file.hpp"

#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/json_dump.hpp"
#include "base/text/json_text.hpp"

namespace lockwood::explorer {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* format_name = "lockwood/trace/1";

class TraceReader {
 public:
  TraceReader(std::string_view text, const std::string& path) : text_{text}, path_{path} {}

  TraceFile run() && {
    TraceFile file;
    const nlohmann::json header = line("a trace begins with a header");
    if (!says(header.value("format", nlohmann::json{}), format_name))
      refuse("this is not a trace of format " + std::string{format_name});
    file.source = string_of(header, "source");
    file.program = string_of(header, "program");
    file.finding = string_of(header, "finding");
    while (true) {
      const nlohmann::json next = line("the trace is cut off: its last line is missing");
      if (next.contains("steps")) {
        const nlohmann::json& steps = next["steps"];
        if (!steps.is_number_unsigned() || steps.get<std::size_t>() != file.trace.size())
          refuse("the trace does not have as many steps as it says");
        break;
      }
      file.trace.push_back(step_of(next));
    }
    if (begin_ < text_.size()) {
      first_ = begin_;
      refuse("something follows the end of the trace");
    }
    return file;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError{std::vector{diagnostic_at(path_, text_, first_, 1, message)}};
  }

  // The next line, which must be an object.
  nlohmann::json line(const std::string& if_missing) {
    first_ = begin_;
    const std::size_t end = text_.find('\n', begin_);
    if (end == std::string_view::npos) refuse(if_missing);
    nlohmann::json value;
    try {
      value = parse_json_text(text_.substr(begin_, end - begin_), path_);
    } catch (const InputError& error) {
      const std::string& reason = error.diagnostics().front().message;  // at its line of the file
      refuse(begin_ == 0 ? "a trace begins with a header: " + reason : reason);
    }
    if (!value.is_object()) refuse("expected a JSON object");
    begin_ = end + 1;
    return value;
  }
  [[nodiscard]] std::string string_of(const nlohmann::json& object, const char* key) const {
    const auto place = object.find(key);
    if (place == object.end() || !place->is_string()) refuse(std::string{"expected a text '"} + key + "'");
    return place->get<std::string>();
  }
  [[nodiscard]] TraceStep step_of(const nlohmann::json& object) const {
    TraceStep step{.thread = string_of(object, "thread"), .outcome = 0, .woken = {}};
    if (object.contains("wakes")) step.woken = string_of(object, "wakes");
    if (const auto outcome = object.find("outcome"); outcome != object.end()) {
      if (!outcome->is_number_unsigned() || *outcome > std::numeric_limits<std::uint32_t>::max())
        refuse("'outcome' is not a number");
      step.outcome = outcome->get<std::uint32_t>();
    }
    return step;
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t begin_ = 0;  // of the next line
  std::size_t first_ = 0;  // of this one
};

}  // namespace

std::string to_text(const TraceFile& file) {
  const auto line = [](const Json& object) { return dumped(object, no_indentation, {}) + "\n"; };
  std::string text =
      line({{"format", format_name}, {"source", file.source}, {"program", file.program}, {"finding", file.finding}});
  for (const TraceStep& step : file.trace) {
    Json object{{"thread", step.thread}};
    if (step.woken)
      object["wakes"] = *step.woken;
    else if (step.outcome != 0)
      object["outcome"] = step.outcome;
    text += line(object);
  }
  return text + line({{"steps", file.trace.size()}});
}

TraceFile read_trace(std::string_view text, const std::string& path) { return TraceReader{text, path}.run(); }

}  // namespace lockwood::explorer
