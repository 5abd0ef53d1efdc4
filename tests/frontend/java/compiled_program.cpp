#include "tests/frontend/java/compiled_program.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <utility>

namespace lockwood::java::test {
namespace {

namespace fs = std::filesystem;

bool runs(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

bool has_compiler() {
  static const bool found = runs("command -v javac");
  if (!found) MESSAGE("skipped: no javac");
  return found;
}

}  // namespace

CompiledProgram::CompiledProgram() {
  std::string pattern = (fs::temp_directory_path() / "lockwood-java-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  folder_ = pattern;
}

CompiledProgram::CompiledProgram(CompiledProgram&& other) noexcept : folder_{std::exchange(other.folder_, {})} {}

CompiledProgram::~CompiledProgram() {
  if (!folder_.empty()) fs::remove_all(folder_);
}

std::optional<CompiledProgram> CompiledProgram::of_folder(const fs::path& sources) {
  if (!has_compiler()) return std::nullopt;
  CompiledProgram program;
  REQUIRE(runs("javac -g -nowarn -d " + program.folder_ + " " + sources.string() + "/*.java"));
  return program;
}

std::optional<CompiledProgram> CompiledProgram::of_text(const std::string& source) {
  if (!has_compiler()) return std::nullopt;
  CompiledProgram sources;
  std::ofstream{fs::path{sources.folder_} / "Main.java"} << source;
  return of_folder(sources.folder_);
}

}  // namespace lockwood::java::test
