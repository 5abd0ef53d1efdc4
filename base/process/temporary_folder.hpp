#pragma once

#include <string>

namespace lockwood {

// A folder that only we can read, removed with all that is in it when this ends.
class TemporaryFolder {
 public:
  // Throws std::system_error.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// For who ends without running destructors.
void remove_temporary_folders();

}  // namespace lockwood
