#pragma once

#include <cstdint>
#include <string>

#include "base/process/stop.hpp"
#include "frontend/lsp/analysis.hpp"

namespace lockwood::lsp {

// The page of the findings that the choice means, of the text that the analysis is about; empty if there are none.
// Throws Interrupted.
[[nodiscard]] std::string page_of(const Analysis& analysis, const FindingChoice& choice, const std::string& version,
                                  StopToken stop);

// Has the editor show a file in a browser, at the place of this name if it is not empty. An editor that cannot do that
// gets the path as a message. The id is that of the request.
void show_page(const std::string& id, const std::string& path, const std::string& place, bool shows_documents);

// Tells the user why there is no page.
void report_failure(const std::string& why);

}  // namespace lockwood::lsp
