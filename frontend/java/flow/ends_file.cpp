#include <fmt/format.h>

#include <stdexcept>

#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/json_text.hpp"
#include "frontend/java/flow/flow_ends.hpp"

namespace lockwood::java {
namespace {

std::string text_member(const nlohmann::json& object, const char* name, const std::string& path) {
  const auto at = object.find(name);
  if (at == object.end() || !at->is_string()) throw InputError{path, fmt::format("an end lacks the text '{}'", name)};
  return at->get<std::string>();
}

void refuse_others(const nlohmann::json& object, std::initializer_list<std::string_view> known,
                   const std::string& path) {
  for (const auto& [name, value] : object.items()) {
    bool is_known = false;
    for (std::string_view each : known) is_known = is_known || name == each;
    if (!is_known) throw InputError{path, fmt::format("unknown member '{}'", name)};
  }
}

void read_ends(const nlohmann::json& document, const char* name, ValueRole role, EndsFile& file,
               const std::string& path) {
  const auto list = document.find(name);
  if (list == document.end()) return;
  if (!list->is_array()) throw InputError{path, fmt::format("'{}' must be a list", name)};
  for (const nlohmann::json& end : *list) {
    if (!end.is_object()) throw InputError{path, fmt::format("'{}' must be a list of objects", name)};
    refuse_others(end, {"at", "level"}, path);
    WantedEnd wanted{role, text_member(end, "at", path), end.contains("level") ? text_member(end, "level", path) : ""};
    if (!wanted.level.empty() && !file.levels.knows(wanted.level))
      throw InputError{path, fmt::format("the level '{}' is not in 'levels'", wanted.level)};
    file.ends.push_back(std::move(wanted));
  }
}

}  // namespace

EndsFile read_ends_file(std::string_view text, const std::string& path) {
  const nlohmann::json document = parse_json_text(text, path);
  if (!document.is_object()) throw InputError{path, R"(expected {"levels": […], "sources": […], "sinks": […]})"};
  refuse_others(document, {"levels", "sources", "sinks"}, path);
  EndsFile file;
  if (const auto levels = document.find("levels"); levels != document.end())
    for (const nlohmann::json& pair : *levels) {
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string())
        throw InputError{path, "'levels' must be a list of pairs [lower, higher]"};
      try {
        file.levels.add(pair[0].get<std::string>(), pair[1].get<std::string>());
      } catch (const std::invalid_argument& error) {
        throw InputError{path, error.what()};
      }
    }
  read_ends(document, "sources", ValueRole::Source, file, path);
  read_ends(document, "sinks", ValueRole::Sink, file, path);
  return file;
}

}  // namespace lockwood::java
