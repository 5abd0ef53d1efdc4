#include "dpn/formats/model_file.hpp"

#include "base/process/text_file.hpp"
#include "dpn/formats/json_format.hpp"
#include "dpn/formats/text_format.hpp"

namespace lockwood::dpn {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool looks_like_json(std::string_view text) {
  const std::size_t brace = text.find_first_not_of(blanks);
  if (brace == std::string_view::npos || text[brace] != '{') return false;
  const std::size_t next = text.find_first_not_of(blanks, brace + 1);
  return next != std::string_view::npos && (text[next] == '"' || text[next] == '}');
}

}  // namespace

ModelFile load_model(const std::string& path, StopToken stop) {
  return parse_model(read_text_file(path, stop), path, stop);
}

ModelFile parse_model(std::string_view text, const std::string& path, StopToken stop) {
  const std::string shown = shown_path(path);
  if (path.ends_with(".lw")) throw InputError{shown, "this is a program: lockwood lower makes a model of it"};
  return path.ends_with(".json") || looks_like_json(text) ? parse_json(text, shown, stop)
                                                          : parse_dpn(text, shown, stop);
}

}  // namespace lockwood::dpn
