#pragma once

#include <cstddef>
#include <string>

#include "base/process/stop.hpp"
#include "base/process/watchdog.hpp"
#include "frontend/lsp/analysis.hpp"

namespace lockwood::lsp {

// The page of the findings that the choice means, of the text that the analysis is about; empty if there are none.
// Throws Interrupted.
[[nodiscard]] std::string page_of(const Analysis& analysis, const FindingChoice& choice, const std::string& version,
                                  StopToken stop);

// Writes the page of the answer to a query of a model to the path, by a process that is asked to `check` it. `number`:
// of the query, from 1. Why not, if it cannot be done. Throws Interrupted.
[[nodiscard]] std::string write_query_page(const std::string& model, std::size_t number, const Limits& limits,
                                           const std::string& path, StopToken stop);

// Has the editor show a file in a browser, at the place of this name if it is not empty. An editor that cannot do that
// gets the path as a message. The id is that of the request.
void show_page(const std::string& id, const std::string& path, const std::string& place, bool shows_documents);

// Tells the user why there is no page.
void report_failure(const std::string& why);

}  // namespace lockwood::lsp
