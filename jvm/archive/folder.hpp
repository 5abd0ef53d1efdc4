#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "jvm/archive/archive_limits.hpp"
#include "jvm/archive/class_source.hpp"
#include "jvm/archive/warning_list.hpp"

namespace lockwood::jvm {

// A folder of class files, each in the folder of its package. What is there is listed once, when the folder is opened,
// and only what was listed is ever read: no name that a class file brings along leads anywhere else.
class Folder final : public ClassSource {
 public:
  // Links are followed, but not in circles. Throws InputError if the folder cannot be listed or exceeds a limit;
  // folders within it that cannot be listed are left out, with a warning.
  Folder(std::string path, const ArchiveLimits& limits);

  [[nodiscard]] std::optional<ClassBytes> find(std::string_view internal_name) override;
  void for_each_class(const std::function<void(std::string_view)>& callback) override;

  [[nodiscard]] const std::string& origin() const { return path_; }
  // All that `find` knows, descriptions included, in the order of names. The views live as long as the folder.
  [[nodiscard]] std::vector<std::string_view> names() const { return {names_.begin(), names_.end()}; }
  [[nodiscard]] std::vector<Diagnostic> warnings() const { return warnings_.diagnostics(); }

 private:
  void list(const ArchiveLimits& limits);

  std::string path_;
  WarningList warnings_;
  std::uint64_t max_file_bytes_;
  std::vector<std::string> names_;  // ascending, each once
};

}  // namespace lockwood::jvm
