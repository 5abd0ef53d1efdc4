#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/process/stop.hpp"
#include "frontend/lsp/analysis.hpp"
#include "frontend/lsp/message_stream.hpp"
#include "frontend/lsp/reading.hpp"
#include "frontend/lsp/text.hpp"

namespace lockwood::lsp {

using Time = std::chrono::steady_clock::time_point;

// A document that is open in the editor.
struct Document {
  std::string uri;
  Language language;
  std::int64_t version = 0;  // the editor's
  Text text;
  std::uint64_t edition = 0;  // counts changes, for those who work on an older one

  std::shared_ptr<const Reading> reading;    // of the text; none while nobody has read the last change
  std::shared_ptr<const Reading> last_good;  // the last one without errors, if there was any
  std::shared_ptr<const Analysis> analysis;  // the last one, perhaps of an older text; its remarks move with the text
  std::uint64_t analysed = 0;                // the edition that it is of
  std::optional<Time> analysis_due;
  std::shared_ptr<StopSource> running;    // the analysis that is under way, if one is
  std::shared_ptr<StopSource> computing;  // what the last hover asked for, likewise
};

// What `textDocument/didOpen` opens; nothing if it is in no language of ours. Throws Json::exception if the parameters
// are not those of the protocol.
[[nodiscard]] std::optional<Document> opened(const Json& parameters);

// Makes the changes of `textDocument/didChange`. Throws Json::exception.
void change(Document& document, const Json& parameters);

// The reading of the text as it is, made if there is none.
const Reading& current_reading(Document& document, const ReadingOptions& options);

}  // namespace lockwood::lsp
