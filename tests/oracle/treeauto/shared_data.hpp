#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockwood::treeauto {

// The Timbuk files that come with the project's shared data, sorted; empty where they are absent.
[[nodiscard]] std::vector<std::string> shared_timbuk_files();

// What the suite beside these files lists: under a tag either one file or a pair of files, in its order. Empty where it
// is absent.
struct SuiteEntry {
  std::string tag;
  std::string first;
  std::optional<std::string> second;
};
[[nodiscard]] std::vector<SuiteEntry> shared_timbuk_suite();
// The pairs under a tag, all if it is empty.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> shared_timbuk_pairs(const std::string& tag = "");

}  // namespace lockwood::treeauto
