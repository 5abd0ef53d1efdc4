#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lockwood::reports {

// What the page shows: {"title", "command", "version", "findings", "background", "sources", "model", …}, see page.js.
// The page is one file that loads nothing, with the data in it.
[[nodiscard]] std::string html_page(const nlohmann::ordered_json& data);

}  // namespace lockwood::reports
