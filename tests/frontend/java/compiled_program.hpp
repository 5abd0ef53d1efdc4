#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "frontend/java/java_program.hpp"

namespace lockwood::java::test {

// Sources that javac has compiled, in a folder that is there as long as the value.
class CompiledProgram {
 public:
  // All sources of a folder, or one source with the class Main.
  static std::optional<CompiledProgram> of_folder(const std::filesystem::path& sources);
  static std::optional<CompiledProgram> of_text(const std::string& source);
  // An empty folder, for sources.
  static CompiledProgram empty() { return {}; }

  CompiledProgram(CompiledProgram&& other) noexcept;
  CompiledProgram& operator=(CompiledProgram&&) = delete;
  ~CompiledProgram();
  [[nodiscard]] JavaProgram open() const { return open_java_program(folder_, {}); }
  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  CompiledProgram();
  std::string folder_;
};

}  // namespace lockwood::java::test
