#include "jvm/archive/folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "jvm/archive/class_name.hpp"
#include "jvm/archive/regular_file.hpp"

namespace lockwood::jvm {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view class_suffix = ".class";

// A folder by what it is, whatever links lead to it.
using FolderIdentity = std::pair<dev_t, ino_t>;

std::optional<FolderIdentity> identity(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FolderIdentity{status.st_dev, status.st_ino};
}

// A folder that is yet to be listed, and those around it.
struct Pending {
  std::string prefix;  // of the classes in it: "java/lang/"
  FolderIdentity self;
  std::shared_ptr<const Pending> parent;
  std::size_t depth = 0;
};

bool leads_back(const Pending& folder, FolderIdentity target) {
  for (const Pending* around = &folder; around != nullptr; around = around->parent.get())
    if (around->self == target) return true;
  return false;
}

}  // namespace

Folder::Folder(std::string path, const ArchiveLimits& limits)
    : path_{std::move(path)}, warnings_{path_}, max_file_bytes_{limits.max_entry_bytes} {
  list(limits);
  std::ranges::sort(names_);
  // A folder a with B.class in it, and nothing else, gives a/B.
  assert(std::ranges::adjacent_find(names_) == names_.end());
}

void Folder::list(const ArchiveLimits& limits) {
  const auto self = identity(path_);
  std::vector<std::shared_ptr<const Pending>> worklist;
  if (self) worklist.push_back(std::make_shared<const Pending>(Pending{.prefix = {}, .self = *self, .parent = {}}));
  std::size_t seen = 0;
  std::error_code error = self ? std::error_code{} : std::make_error_code(std::errc::no_such_file_or_directory);
  if (error) throw InputError{path_, error.message()};
  while (!worklist.empty()) {
    const std::shared_ptr<const Pending> here = std::move(worklist.back());
    worklist.pop_back();
    fs::directory_iterator entries{fs::path{path_} / here->prefix, error};
    if (error && !here->parent) throw InputError{path_, error.message()};
    if (error) {
      warnings_.leave_out(here->prefix, "cannot be listed: " + error.message());
      continue;
    }
    for (; entries != fs::directory_iterator{}; entries.increment(error)) {
      if (error) break;
      if (++seen > limits.max_entries)
        throw InputError{path_, fmt::format("has more than {} files below it, which is the limit", limits.max_entries)};
      const std::string name = entries->path().filename().string();
      const bool is_class = name.ends_with(class_suffix);
      const std::string path = here->prefix + name.substr(0, name.size() - (is_class ? class_suffix.size() : 0));
      // Packages have no dots in their names: neither .git nor META-INF holds classes.
      if (!is_class_name(path) || path == "META-INF") continue;
      std::error_code unknown;
      if (is_class && !entries->is_directory(unknown)) {
        names_.push_back(path);
      } else if (!is_class && entries->is_directory(unknown)) {
        const auto target = identity(entries->path().string());
        if (!target || leads_back(*here, *target)) continue;
        if (here->depth >= limits.max_folder_depth)
          throw InputError{path_, fmt::format("has more than {} folders within each other at '{}', which is the limit",
                                              limits.max_folder_depth, shown_entry(path))};
        worklist.push_back(std::make_shared<const Pending>(
            Pending{.prefix = path + '/', .self = *target, .parent = here, .depth = here->depth + 1}));
      }
    }
  }
}

std::optional<ClassBytes> Folder::find(std::string_view internal_name) {
  if (!std::ranges::binary_search(names_, internal_name)) return std::nullopt;
  assert(is_class_name(internal_name));
  const fs::path file = fs::path{path_} / (std::string{internal_name} + std::string{class_suffix});
  SharedBytes content = read_regular_file(file.string(), max_file_bytes_);
  return ClassBytes{std::move(content.owner), content.bytes, path_};
}

void Folder::for_each_class(const std::function<void(std::string_view)>& callback) {
  for (const std::string& name : names_)
    if (!is_description(name)) callback(name);
}

}  // namespace lockwood::jvm
