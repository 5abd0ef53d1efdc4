#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "base/process/stop.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_texts.hpp"

namespace lockwood::reports {

struct PageContent {
  std::string version;  // of this program
  std::string command;
  std::string title;
  std::string digest;  // of the input
  std::span<const findings::Finding> findings;
  std::span<const findings::Finding> background;  // pairs that were found to be apart without being asked for
  const findings::SourceTexts& sources;
  const nlohmann::ordered_json& model;                     // model_view; null if there is none
  std::span<const findings::Assumption> assumptions = {};  // about the program
  std::string stopped = {};                                // why the work ended early; empty if it did not
};

// The page is one file that loads nothing, with what it shows in it. Of very many findings it has the most severe ones,
// and says so: a browser opens no page of a hundred megabytes. Throws Interrupted if asked to stop.
[[nodiscard]] std::string html_page(const PageContent& content, StopToken stop = {});

}  // namespace lockwood::reports
