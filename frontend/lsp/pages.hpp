#pragma once

#include <cstdint>
#include <string>

#include "base/process/stop.hpp"
#include "base/process/watchdog.hpp"
#include "frontend/lsp/analysis.hpp"

namespace lockwood::lsp {

// The page of the findings that the choice means, of the text that the analysis is about; empty if there are none.
// Throws Interrupted.
[[nodiscard]] std::string page_of(const Analysis& analysis, const FindingChoice& choice, const std::string& version,
                                  StopToken stop);

// A query of a model, and the text that it is in.
struct AskedQuery {
  std::string text;
  std::string name;  // of the file, as the page shows it
  std::string number;
};

// Writes the page of the query's answer to the path, by a process that is asked to `check` it. Why not, if it cannot be
// done. Throws Interrupted.
[[nodiscard]] std::string write_query_page(const AskedQuery& query, const Limits& limits, const std::string& path,
                                           StopToken stop);

// Has the editor show a file in a browser, at the place of this name if it is not empty. An editor that cannot do that
// gets the path as a message. The id is that of the request.
void show_page(const std::string& id, const std::string& path, const std::string& place, bool shows_documents);

// Tells the user why there is no page.
void report_failure(const std::string& why);

}  // namespace lockwood::lsp
