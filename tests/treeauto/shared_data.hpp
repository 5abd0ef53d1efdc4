#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lockwood::treeauto {

// The Timbuk files that come with the project's shared data, sorted; empty where they are absent.
[[nodiscard]] std::vector<std::string> shared_timbuk_files();

// The pairs of files that its suite lists under a tag (all if it is empty); empty where they are absent.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> shared_timbuk_pairs(const std::string& tag = "");

}  // namespace lockwood::treeauto
