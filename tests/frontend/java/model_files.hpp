#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/process/text_file.hpp"
#include "frontend/java/library/model_reader.hpp"

// The models in the source tree, in the order of their names.
inline std::vector<lockwood::java::library::ModelText> model_files() {
  std::vector<lockwood::java::library::ModelText> files;
  const std::filesystem::path folder = std::filesystem::path{LOCKWOOD_SOURCE_DIR} / "frontend/java/library/models";
  for (const auto& entry : std::filesystem::directory_iterator{folder})
    if (entry.path().extension() == ".models")
      files.push_back({entry.path().string(), lockwood::read_text_file(entry.path().string())});
  std::ranges::sort(files, {}, &lockwood::java::library::ModelText::file);
  return files;
}
