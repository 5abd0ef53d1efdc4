#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/lsp/message_stream.hpp"
#include "frontend/lsp/reading.hpp"

namespace lockwood::lsp {

// A document that is open in the editor: its last reading without errors, if there was any.
struct OpenReading {
  std::string uri;
  std::shared_ptr<const Reading> reading;
};

// Finds symbols by their names in all programs and models of a workspace. What was read of a file is kept until the
// file changes. Not for several threads at a time.
class WorkspaceSymbols {
 public:
  // Those whose names have the letters of the query in this order, in upper or lower case; files by their addresses.
  // Documents that are open count as they are, not as the disk has them. Throws Interrupted.
  [[nodiscard]] Json find(const std::string& folder, const std::vector<OpenReading>& open, std::string_view query,
                          StopToken stop);

 private:
  struct File {
    std::filesystem::file_time_type time;
    std::uintmax_t size;
    std::shared_ptr<const Reading> reading;
  };
  void look_into(const std::string& folder, StopToken stop);
  std::map<std::string, File> files_;  // by path
};

// Whether the letters of the query are in the name in this order.
[[nodiscard]] bool matches(std::string_view query, std::string_view name);

}  // namespace lockwood::lsp
