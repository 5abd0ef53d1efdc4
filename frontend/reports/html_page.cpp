#include "frontend/reports/html_page.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "page_parts.hpp"

namespace lockwood::reports {
namespace {

// A script element ends at the first `</script`, and `<!--` changes how it is read, wherever they stand; in JSON a `<`
// only occurs in strings, where it can be written otherwise.
std::string script_safe(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (char c : json) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string html_page(const nlohmann::ordered_json& data) {
  using Json = nlohmann::ordered_json;
  const std::string json = script_safe(data.dump(-1, ' ', false, Json::error_handler_t::replace));
  std::string page;
  std::string_view rest = page_html;
  // The template names its parts; what is put in is not looked at again.
  while (!rest.empty()) {
    const std::size_t mark = std::min(rest.find("{{"), rest.size());
    page += rest.substr(0, mark);
    rest.remove_prefix(mark);
    if (rest.empty()) break;
    const std::string_view name = rest.substr(2, rest.find("}}") - 2);
    rest.remove_prefix(name.size() + 4);
    if (name == "style")
      page += page_css;
    else if (name == "script")
      page.append(lanes_js).append(graphs_js).append(page_js);
    else if (name == "data")
      page += json;
  }
  return page;
}

}  // namespace lockwood::reports
