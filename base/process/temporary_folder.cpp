#include "base/process/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <vector>

namespace lockwood {
namespace {

struct Folders {
  std::mutex mutex;
  std::vector<std::string> paths;
};
Folders& folders() {
  static Folders all;
  return all;
}

void remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  path_ = (std::filesystem::temp_directory_path() / "lockwood-XXXXXX").string();
  const std::scoped_lock lock{folders().mutex};
  if (mkdtemp(path_.data()) == nullptr) throw std::system_error{errno, std::generic_category(), "mkdtemp"};
  folders().paths.push_back(path_);
}

TemporaryFolder::~TemporaryFolder() {
  const std::scoped_lock lock{folders().mutex};
  remove(path_);
  std::erase(folders().paths, path_);
}

void remove_temporary_folders() {
  // A thread that holds the mutex is about to make or remove one; it cannot be waited for.
  const std::unique_lock lock{folders().mutex, std::try_to_lock};
  if (!lock) return;
  for (const std::string& path : folders().paths) remove(path);
}

}  // namespace lockwood
