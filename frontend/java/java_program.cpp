#include "frontend/java/java_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace lockwood::java {
namespace {

namespace fs = std::filesystem;

// Some folders are large and have no class in them: then this is no Java program, as far as we can tell in short time.
// A folder of jars is somebody's Java program, too, and gets a better error than others (refuse_empty).
bool has_class_or_jar(const std::string& folder) {
  constexpr std::size_t max_files = 100'000;
  std::error_code error;
  fs::recursive_directory_iterator files{folder, fs::directory_options::skip_permission_denied, error};
  for (std::size_t seen = 0; !error && files != fs::recursive_directory_iterator{} && seen < max_files; ++seen) {
    const fs::path extension = files->path().extension();
    if (extension == ".class" || (extension == ".jar" && files.depth() == 0)) return true;
    files.increment(error);
  }
  return false;
}

bool begins_like_an_archive(const std::string& path) {
  std::array<char, 4> begin{};
  std::ifstream file{path, std::ios::binary};
  file.read(begin.data(), begin.size());
  const std::string_view text{begin.data(), static_cast<std::size_t>(file.gcount())};
  return text == "PK\3\4" || text == std::string_view{"JM\1\0", 4};
}

std::vector<std::string> jars_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> jars;
  for (fs::directory_iterator files{folder, error}; !error && files != fs::directory_iterator{}; files.increment(error))
    if (files->path().extension() == ".jar") jars.push_back(files->path().filename().string());
  std::ranges::sort(jars);
  return jars;
}

// Nobody wants the answer "nothing" for a path that is one folder too deep or too high.
[[noreturn]] void refuse_empty(const std::string& path) {
  assert(!path.empty());
  std::string message = "there is no class in it";
  if (const auto jars = jars_in(path); !jars.empty())
    message += fmt::format(", but {} jar{}: name {} instead of the folder, and the others with -cp '{}'", jars.size(),
                           jars.size() == 1 ? "" : "s", (fs::path{path} / jars.front()).string(),
                           (fs::path{path} / "*").string());
  throw InputError{path, message};
}

}  // namespace

bool is_java_program(const std::string& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) return has_class_or_jar(path);
  constexpr std::array<std::string_view, 4> extensions = {".jar", ".war", ".jmod", ".class"};
  const std::string extension = fs::path{path}.extension().string();
  if (std::ranges::find(extensions, extension) != extensions.end()) return true;
  return fs::is_regular_file(path, unknown) && begins_like_an_archive(path);
}

JavaProgram open_java_program(const std::string& path, const JavaOptions& options) {
  if (path.ends_with(".class"))
    throw InputError{path, "this is a single class: name the folder that its package is in"};
  JavaProgram program;
  program.path = path;
  jvm::ArchiveOptions reading;
  if (auto jdk = jvm::find_jdk(jvm::jdk_search(options.jdk), reading.limits, program.warnings)) {
    std::ranges::copy(jdk->warnings, std::back_inserter(program.warnings));
    program.jdk_home = jdk->home;
    program.jdk = std::move(jdk->classes);
    reading.release = jdk->release;
  }
  program.release = reading.release;
  std::vector<std::string> entries = {path};
  std::ranges::copy(options.class_path, std::back_inserter(entries));
  program.application = std::make_shared<jvm::ClassPath>(entries, 1, reading);
  std::ranges::copy(program.application->warnings(), std::back_inserter(program.warnings));
  bool found = false;
  program.application->for_each_class([&found](std::string_view) { found = true; });
  if (!found) refuse_empty(path);
  std::vector<std::shared_ptr<jvm::ClassSource>> sources;
  if (program.jdk) sources.push_back(program.jdk);
  sources.push_back(program.application);
  program.classes = std::make_unique<jvm::SourceList>(std::move(sources));
  assert(program.release > 0);
  assert((program.jdk == nullptr) == program.jdk_home.empty());
  return program;
}

}  // namespace lockwood::java
