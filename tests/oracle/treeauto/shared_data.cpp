#include "tests/oracle/treeauto/shared_data.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockwood::treeauto {
namespace {

// Beside the source tree, or beside a folder that holds it (as for a second working tree).
std::filesystem::path shared_folder() {
  const std::filesystem::path below = std::filesystem::path{"shared"} / "data" / "timbuk";
  std::filesystem::path above = std::filesystem::path{LOCKWOOD_SOURCE_DIR}.parent_path();
  while (!std::filesystem::exists(above / below) && above.has_relative_path()) above = above.parent_path();
  return above / below;
}

const std::filesystem::path folder = shared_folder();

}  // namespace

std::vector<std::string> shared_timbuk_files() {
  std::vector<std::string> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{folder})
    if (entry.is_regular_file() && entry.path().filename() != "suite.txt") files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

std::vector<SuiteEntry> shared_timbuk_suite() {
  std::vector<SuiteEntry> entries;
  std::ifstream suite{folder / "suite.txt"};
  for (std::string line; std::getline(suite, line);) {
    std::istringstream words{line};
    std::string kind;
    SuiteEntry entry;
    if (!(words >> kind >> entry.tag >> entry.first) || (kind != "file" && kind != "pair")) continue;
    entry.first = (folder / entry.first).string();
    if (std::string second; kind == "pair" && words >> second) entry.second = (folder / second).string();
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<std::pair<std::string, std::string>> shared_timbuk_pairs(const std::string& tag) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const SuiteEntry& entry : shared_timbuk_suite())
    if (entry.second && (tag.empty() || tag == entry.tag)) pairs.emplace_back(entry.first, *entry.second);
  return pairs;
}

}  // namespace lockwood::treeauto
