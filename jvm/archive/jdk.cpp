#include "jvm/archive/jdk.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "jvm/archive/class_path.hpp"
#include "jvm/archive/image.hpp"
#include "jvm/archive/regular_file.hpp"

namespace lockwood::jvm {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown);
}

std::optional<std::string> environment(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

// The folder with lib/rt.jar in it, for release 8: a JRE, alone or within a JDK.
std::optional<fs::path> runtime_of_8(const fs::path& home) {
  for (const fs::path& runtime : {home, home / "jre"})
    if (is_file(runtime / "lib" / "rt.jar")) return runtime;
  return std::nullopt;
}

bool is_jdk(const fs::path& home) { return is_file(home / "lib" / "modules") || runtime_of_8(home); }

std::optional<int> release_in(const fs::path& home) {
  // A JRE within a JDK may leave it to the JDK.
  for (const fs::path& file : {home / "release", home.parent_path() / "release"}) {
    if (!is_file(file)) continue;
    constexpr std::uint64_t max_bytes = std::uint64_t{1} << 20U;
    try {
      const SharedBytes content = read_regular_file(file.string(), max_bytes);
      if (auto release = release_of({reinterpret_cast<const char*>(content.bytes.data()), content.bytes.size()}))
        return release;
    } catch (const InputError&) {
      continue;  // its classes tell as well
    }
  }
  return std::nullopt;
}

// A JDK is compiled for its own release, whose class files have version 44 + release.
int release_by_object(ClassSource& classes, const std::string& home) {
  const auto object = classes.find("java/lang/Object");
  if (!object) throw InputError{home, "this JDK has no class java.lang.Object"};
  constexpr int version_of_release_0 = 44;
  const int version = object->bytes.size() < 8 ? 0 : object->bytes[6] * 256 + object->bytes[7];
  if (version <= version_of_release_0)
    throw InputError{home, "this JDK has no release file, and its java.lang.Object is not a class file"};
  return version - version_of_release_0;
}

// The home of the `java` on the path: links such as /usr/bin/java lead to bin/java in it.
std::optional<std::string> home_on_path(std::string_view path) {
  for (const std::string& folder : split_class_path(path)) {
    const fs::path program = fs::path{folder} / "java";
    if (!is_file(program) || ::access(program.c_str(), X_OK) != 0) continue;
    std::error_code error;
    const fs::path resolved = fs::canonical(program, error);
    if (error) continue;
    const fs::path home = resolved.parent_path().parent_path();
    if (is_jdk(home)) return home.string();
  }
  return std::nullopt;
}

}  // namespace

JdkSearch jdk_search(std::optional<std::string> named) {
  return {.named = std::move(named), .java_home = environment("JAVA_HOME"), .path = environment("PATH")};
}

std::optional<int> release_of(std::string_view release_file) {
  constexpr std::string_view key = "JAVA_VERSION=\"";
  std::size_t at = release_file.find(key);
  while (at != std::string_view::npos && at > 0 && release_file[at - 1] != '\n') at = release_file.find(key, at + 1);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view version = release_file.substr(at + key.size());
  if (version.starts_with("1.")) version.remove_prefix(2);  // 1.8 is 8
  int release = 0;
  const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), release);
  if (error != std::errc{} || release < 1) return std::nullopt;
  return release;
}

Jdk open_jdk(const std::string& home, const ArchiveLimits& limits) {
  Jdk jdk{.home = home, .release = 0, .classes = nullptr, .warnings = {}};
  const fs::path folder{home};
  if (is_file(folder / "lib" / "modules")) {
    jdk.classes =
        Image::open((folder / "lib" / "modules").string(), (folder / "lib" / "libjimage.so").string(), limits);
    const auto release = release_in(folder);
    jdk.release = release ? *release : release_by_object(*jdk.classes, home);
  } else if (const auto runtime = runtime_of_8(folder)) {
    // The first has all of java.*; the others hold what is around cryptography, sockets and character sets.
    std::vector<std::string> jars = {(*runtime / "lib" / "rt.jar").string()};
    for (const char* name : {"jce.jar", "jsse.jar", "charsets.jar"})
      if (is_file(*runtime / "lib" / name)) jars.push_back((*runtime / "lib" / name).string());
    auto path = std::make_unique<ClassPath>(jars, 1, ArchiveOptions{.limits = limits, .release = 8});
    jdk.warnings = path->warnings();
    jdk.classes = std::move(path);
    const auto release = release_in(*runtime);
    jdk.release = release ? *release : release_by_object(*jdk.classes, home);
  } else {
    throw InputError{home, "this is not a JDK: it has neither lib/modules nor lib/rt.jar nor jre/lib/rt.jar"};
  }
  assert(jdk.classes && jdk.release > 0);
  return jdk;
}

std::optional<Jdk> find_jdk(const JdkSearch& search, const ArchiveLimits& limits,
                            std::vector<Diagnostic>& passed_over) {
  if (search.named) return open_jdk(*search.named, limits);
  const auto attempt = [&](const std::string& home) -> std::optional<Jdk> {
    try {
      return open_jdk(home, limits);
    } catch (const InputError& error) {
      for (Diagnostic diagnostic : error.diagnostics()) {
        diagnostic.severity = Severity::Warning;
        passed_over.push_back(std::move(diagnostic));
      }
      return std::nullopt;
    }
  };
  if (search.java_home)
    if (auto jdk = attempt(*search.java_home)) return jdk;
  if (search.path)
    if (const auto home = home_on_path(*search.path)) return attempt(*home);
  return std::nullopt;
}

}  // namespace lockwood::jvm
