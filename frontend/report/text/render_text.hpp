#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/process/stop.hpp"
#include "frontend/findings/narrative/source_texts.hpp"
#include "frontend/report/report.hpp"
#include "frontend/report/text/terminal.hpp"

namespace lockwood::frontend {

// How much is shown, and for whom.
struct TextView {
  Style style{false};
  std::optional<std::size_t> width;                // columns to fit into; none for files and pipes
  bool schedules = false;                          // under the answers that have one
  std::optional<double> seconds;                   // since the start, if people want to know
  bool details = false;                            // notes and statistics of answers, all rows of long tables
  const findings::SourceTexts* sources = nullptr;  // to quote from, if there are any
  StopToken stop = {};                             // asked to stop, all of these throw Interrupted
};

// The section with its title, ended by a newline.
[[nodiscard]] std::string to_text(const Section& section, const TextView& view);

// One line that ends in the verdict, then, indented, what the view asks for.
[[nodiscard]] std::string to_text(const QueryAnswer& answer, const TextView& view);

// A line that ends in what came of the statement, then, indented, the details. Empty for what is only told to programs.
[[nodiscard]] std::string to_text(const sets::Result& result, const TextView& view);

// As compilers do: place, severity and message, the places concerned with their lines, and, indented, what the view
// asks for. A schedule has a column for each thread, if they fit.
[[nodiscard]] std::string to_text(const findings::Finding& finding, const TextView& view);

// "widest antichain: 3".
[[nodiscard]] std::string property_text(const Property& property);

// How often each verdict was given, as a sentence without end of line: "3 queries: 2 reachable, 1 unknown".
[[nodiscard]] std::string summary_of(const std::vector<QueryAnswer>& answers);

}  // namespace lockwood::frontend
